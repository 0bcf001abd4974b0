/**
 * `format` of the strings extension of CEL: clauses `%[.precision]letter`, each for one element of the
 * list. Called through the definition in `strings.ts`; numbers stand in `format-numbers.ts`, `%s` in
 * `format-text.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { boundedText } from "../values/concatenation.ts";
import { typeOf } from "../values/types.ts";
import { Uint, type Value } from "../values/value.ts";
import type { Implementation } from "./definition.ts";
import { fixedText, NUMBER_NS, scientificText, shortestText } from "./format-numbers.ts";
import { formattedText } from "./format-text.ts";

const DEFAULT_PRECISION = 6;
/** Nanoseconds for a clause and the text behind it. */
const CLAUSE_NS = 200;
const CLAUSE = /%(?:\.(\d+))?([^\d.])/uy;

type Clause = (value: Value, precision: number) => string;

/** By their letter; the precision of those that have none is ignored. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
	["s", formattedText],
	["d", (value) => shortestText(numberOf(value, "d"))],
	["f", (value, precision) => fixedText(numberOf(value, "f"), precision)],
	["e", (value, precision) => scientificText(numberOf(value, "e"), precision)],
	["b", (value) => (typeof value === "boolean" ? String(Number(value)) : digits(value, "b", 2))],
	["o", (value) => digits(value, "o", 8)],
	["x", (value) => hexadecimal(value, "x")],
	["X", (value) => hexadecimal(value, "X").toUpperCase()],
]);

function format(text: string, list: readonly Value[]): string {
	const written: string[] = [];
	let length = 0;
	let copied = 0;
	let taken = 0;
	const write = (part: string): void => {
		length += part.length;
		if (length > LIMITS.evaluationTextCharacters) boundedText(length);
		written.push(part);
	};
	for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", copied)) {
		charge(CLAUSE_NS);
		write(text.slice(copied, at));
		const clause = clauseAt(text, at);
		copied = at + clause.whole.length;
		write(clause.whole === "%%" ? "%" : clauseText(clause, list, taken++));
	}
	write(text.slice(copied));
	if (taken < list.length) {
		throw new EvaluationFailure(`format: ${taken} clauses for a list of ${list.length} elements`);
	}
	boundedText(length);
	return written.join("");
}

interface Written {
	readonly whole: string;
	readonly letter: string;
	/** digits; undefined if there are none */
	readonly precision: string | undefined;
}

function clauseAt(text: string, at: number): Written {
	CLAUSE.lastIndex = at;
	const match = CLAUSE.exec(text);
	if (match === null) {
		const place = JSON.stringify(text.slice(at, at + 10));
		throw new EvaluationFailure(`format: ${place} is no clause; write %% for a percent sign`);
	}
	const [whole, precision, letter = ""] = match;
	return { whole, precision, letter };
}

function clauseText(
	{ whole, letter, precision }: Written,
	list: readonly Value[],
	taken: number,
): string {
	const clause = CLAUSES.get(letter);
	if (clause === undefined) {
		throw new EvaluationFailure(
			`format: unknown clause ${whole}; there are %s, %d, %f, %e, %b, %o, %x, %X and %%`,
		);
	}
	const value = list[taken];
	if (value === undefined) {
		throw new EvaluationFailure(
			`format: clause ${taken + 1} has no value, the list has ${list.length} elements`,
		);
	}
	return clause(value, precision === undefined ? DEFAULT_PRECISION : Number(precision));
}

function numberOf(value: Value, letter: string): number | bigint {
	if (typeof value === "number" || typeof value === "bigint") return value;
	if (value instanceof Uint) return value.value;
	throw refused(letter, "numbers", value);
}

function digits(value: Value, letter: string, base: number): string {
	const integer = value instanceof Uint ? value.value : value;
	if (typeof integer === "bigint") return integer.toString(base);
	throw refused(letter, letter === "b" ? "ints, uints and bools" : "ints and uints", value);
}

function hexadecimal(value: Value, letter: string): string {
	if (typeof value === "string") return hexadecimalText(Buffer.from(value));
	if (value instanceof Uint8Array) return hexadecimalText(value);
	if (typeof value === "bigint" || value instanceof Uint) return digits(value, letter, 16);
	throw refused(letter, "ints, uints, strings and bytes", value);
}

function hexadecimalText(bytes: Uint8Array): string {
	boundedText(bytes.length * 2);
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

const refused = (letter: string, taken: string, value: Value): EvaluationFailure =>
	new EvaluationFailure(`format: %${letter} takes ${taken}, not a ${typeOf(value).name}`);

export const FORMAT: Implementation = {
	call: format,
	fails: true,
	base: 300,
	// what `%s` writes of lists within the list is bounded by the text that it makes
	cost: (text = 0, elements = 0) =>
		CLAUSE_NS * (1 + text / 2) + NUMBER_NS * elements + 300 * LIMITS.evaluationTextCharacters,
	resultSize: () => LIMITS.evaluationTextCharacters,
};
