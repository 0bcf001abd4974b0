/** One word, literal or symbol of an expression. Made by `lexer.ts`, read by the parser. */

export type TokenKind =
	| "identifier"
	| "quoted"
	| "int"
	| "uint"
	| "double"
	| "string"
	| "bytes"
	| "symbol"
	| "end";

export class Token {
	readonly kind: TokenKind;
	/** of names and symbols, as written, but without backticks; of others "" */
	readonly text: string;
	/** of literals what they stand for; of others "" */
	readonly value: string | bigint | number | Uint8Array;
	/** UTF-16 offsets */
	readonly start: number;
	readonly end: number;

	constructor(
		kind: TokenKind,
		text: string,
		value: string | bigint | number | Uint8Array,
		start: number,
		end: number,
	) {
		this.kind = kind;
		this.text = text;
		this.value = value;
		this.start = start;
		this.end = end;
	}
}
