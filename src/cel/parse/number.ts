/** Reads number literals: where one ends, and the value that it stands for. Called by `lexer.ts`. */
import type { Fault } from "../problem.ts";
import { INT_MAX, UINT_MAX } from "../values/integers.ts";
import type { Token } from "./token.ts";

const NUMBER =
	/0[xX]([0-9a-fA-F]+)([uU])?|(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)|([0-9]+)([uU])?/y;
/** An int that a double holds exactly; most are, and these need no big arithmetic. */
const SHORT_INT = /[0-9]{1,15}(?![.0-9a-zA-Z_])/y;

/** The magnitude of the smallest int is one above `INT_MAX`; the parser admits it behind a minus only. */
export const INT_MIN_MAGNITUDE = INT_MAX + 1n;

/** @param at where a digit stands, or a dot with a digit behind it */
export function readNumber(source: string, at: number): Token | Fault {
	SHORT_INT.lastIndex = at;
	if (SHORT_INT.test(source)) {
		const end = SHORT_INT.lastIndex;
		return { kind: "int", text: "", value: BigInt(Number(source.slice(at, end))), start: at, end };
	}
	NUMBER.lastIndex = at;
	const [text = "", hex, hexUnsigned, digits, unsigned] = NUMBER.exec(source) ?? [];
	const end = at + text.length;
	const after = source[end];
	if (after !== undefined && /[_a-zA-Z0-9]/.test(after)) {
		return refused(end, `${JSON.stringify(text + after)} is no number`);
	}
	if (hex === undefined && digits === undefined) {
		const value = Number(text);
		if (Number.isFinite(value)) return { kind: "double", text: "", value, start: at, end };
		return refused(at, `${text} does not fit into a double`);
	}
	const value = BigInt(hex === undefined ? (digits ?? "") : `0x${hex}`);
	const kind = (hexUnsigned ?? unsigned) === undefined ? "int" : "uint";
	if (value <= (kind === "int" ? INT_MIN_MAGNITUDE : UINT_MAX)) {
		return { kind, text: "", value, start: at, end };
	}
	return refused(at, `${text} does not fit into ${kind === "int" ? "an int" : "a uint"}`);
}

const refused = (offset: number, message: string): Fault => ({
	offset,
	code: "expression_syntax",
	message,
});
