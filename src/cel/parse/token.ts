/** One word, literal or symbol of an expression. Made by `lexer.ts` and `number.ts`, read by the parser. */

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

export interface Token {
	readonly kind: TokenKind;
	/** of names and symbols, as written, but without backticks; of others "" */
	readonly text: string;
	/** the value of a literal; of others "" */
	readonly value: string | bigint | number | Uint8Array;
	/** UTF-16 offsets */
	readonly start: number;
	readonly end: number;
}
