/**
 * The strings extension of CEL. The functions stand in `string-parts.ts`, `string-changes.ts` and `format.ts`.
 * Joined by `table.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { formatted, joined, splitParts } from "../cost/estimates.ts";
import { LATIN_NS, LOOK_NS } from "./characters.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";
import { FORMAT } from "./format.ts";
import { NUMBER_NS } from "./format-numbers.ts";
import {
	CASE_COST_NS,
	lowerAscii,
	QUOTE_COST_NS,
	quote,
	TRIM_NS,
	trim,
	upperAscii,
} from "./string-changes.ts";
import {
	COPY_NS,
	charAt,
	ELEMENT_NS,
	indexOf,
	join,
	lastIndexOf,
	replace,
	split,
	substring,
} from "./string-parts.ts";
import { searchCost } from "./text-search.ts";

/** A text is at most this long; a longer request is refused. */
const INDEX_MAX = 2 ** 30;

const index = (call: Implementation["call"], fails: boolean): Implementation => ({
	call,
	smallInts: true,
	resultMax: INDEX_MAX,
	fails,
	cost: (text = 0, part = 0) => searchCost(text, part) + (3 * LATIN_NS + 4 * LOOK_NS) * text + 150,
	resultSize: () => 1,
});
const slice = (call: Implementation["call"]): Implementation => ({
	call,
	smallInts: true,
	fails: true,
	cost: (text = 0) => 150 + (3 * LATIN_NS + 6 * LOOK_NS) * text,
	resultSize: (text = 0) => text,
});
const replacement = (call: Implementation["call"]): Implementation => ({
	call,
	smallInts: true,
	fails: true,
	cost: (text = 0, part = 0, by = 0) =>
		200 + searchCost(text, part) + 3 * ELEMENT_NS * (text + 2) + COPY_NS * replacedLength(text, by),
	resultSize: (text = 0, _part = 0, by = 0) => replacedLength(text, by),
});
/** If every character is replaced, and something put behind the last one. */
const replacedLength = (text: number, by: number): number =>
	Math.min(text + (text + 1) * by, LIMITS.evaluationTextCharacters);

const splitting = (call: Implementation["call"]): Implementation => ({
	call,
	smallInts: true,
	fails: false,
	cost: (text = 0, separator = 0) =>
		200 + searchCost(text, separator) + 3 * ELEMENT_NS * (text + 1),
	resultSize: (text = 0) => text + 1,
});
const joining = (call: Implementation["call"]): Implementation => ({
	call,
	fails: true,
	base: 200,
	cost: (elements = 0) => 200 + ELEMENT_NS * elements + COPY_NS * LIMITS.evaluationTextCharacters,
	resultSize: () => LIMITS.evaluationTextCharacters,
});
const changed = (call: Implementation["call"], nanoseconds: number): Implementation => ({
	call,
	fails: false,
	cost: (text = 0) => 400 + nanoseconds * text,
});

export const STRINGS: readonly FunctionDefinition[] = [
	{
		name: "charAt",
		doc: "The character at a place, counted from 0; `''` at the end. Fails beyond it.",
		examples: [["'shop'.charAt(1)", "'h'"]],
		overloads: { "string.charAt(int) -> string": { ...slice(charAt), resultSize: () => 2 } },
	},
	{
		name: "format",
		doc: "A text with values put in: `%s` any, `%d` whole numbers, `%f` and `%e` doubles, `%x`, `%X`, `%o`, `%b` other bases, `%%` a percent sign; `%.2f` two places. Fails where a value does not fit its clause.",
		examples: [["'%s has %d, %.1f'.format(['a', 2, 0.5])", "'a has 2, 0.5'"]],
		overloads: { "string.format(list<A>) -> string": FORMAT },
		estimate: formatted(NUMBER_NS),
	},
	{
		name: "indexOf",
		doc: "Where a text is first found in another, from a place on if one is given; -1 if nowhere. Fails if the place is outside.",
		examples: [
			["req.url.path.indexOf('/', 1)", "3"],
			["'shop'.indexOf('x')", "-1"],
		],
		overloads: {
			"string.indexOf(string) -> int": index(indexOf, false),
			"string.indexOf(string, int) -> int": index(indexOf, true),
		},
	},
	{
		name: "join",
		doc: "The texts of a list in one, with a separator between them if one is given.",
		examples: [["getReqHeader('accept').join(', ')", "'text/html, application/json'"]],
		overloads: {
			"list<string>.join() -> string": joining(join),
			"list<string>.join(string) -> string": joining(join),
		},
		estimate: joined,
	},
	{
		name: "lastIndexOf",
		doc: "Where a text is last found in another, up to a place if one is given; -1 if nowhere. Fails if the place is outside.",
		examples: [["req.url.path.lastIndexOf('/')", "10"]],
		overloads: {
			"string.lastIndexOf(string) -> int": index(lastIndexOf, false),
			"string.lastIndexOf(string, int) -> int": index(lastIndexOf, true),
		},
	},
	{
		name: "lowerAscii",
		doc: "The text with the letters A to Z in lower case, all others as they are.",
		examples: [["'Straße-ABC'.lowerAscii()", "'straße-abc'"]],
		overloads: { "string.lowerAscii() -> string": changed(lowerAscii, CASE_COST_NS) },
	},
	{
		name: "replace",
		doc: "A text with each place where another is found replaced, or the first so many of them. A text, no pattern.",
		examples: [
			["'a-b-c'.replace('-', '')", "'abc'"],
			["'a-b-c'.replace('-', '+', 1)", "'a+b-c'"],
		],
		overloads: {
			"string.replace(string, string) -> string": replacement(replace),
			"string.replace(string, string, int) -> string": replacement(replace),
		},
	},
	{
		name: "split",
		doc: "The parts of a text between separators, or the first so many, the last with all the rest.",
		examples: [
			["req.url.path.split('/')", "['', 'v1', 'orders', '42']"],
			["'a,b,c'.split(',', 2)", "['a', 'b,c']"],
		],
		overloads: {
			"string.split(string) -> list<string>": splitting(split),
			"string.split(string, int) -> list<string>": splitting(split),
		},
		estimate: splitParts,
	},
	{
		name: "substring",
		doc: "A text from a place on, or up to before another. Fails outside of the text.",
		examples: [
			["'shop'.substring(1)", "'hop'"],
			["'shop'.substring(1, 3)", "'ho'"],
		],
		overloads: {
			"string.substring(int) -> string": slice(substring),
			"string.substring(int, int) -> string": slice(substring),
		},
	},
	{
		name: "trim",
		doc: "A text without white space at its ends.",
		examples: [["'  a b '.trim()", "'a b'"]],
		overloads: { "string.trim() -> string": changed(trim, TRIM_NS) },
	},
	{
		name: "upperAscii",
		doc: "The text with the letters a to z as capitals, all others as they are.",
		examples: [["'x-id'.upperAscii()", "'X-ID'"]],
		overloads: { "string.upperAscii() -> string": changed(upperAscii, CASE_COST_NS) },
	},
	{
		name: "strings.quote",
		doc: "A text in double quotes, with escapes for what needs them.",
		examples: [["strings.quote('say \"hi\"')", '\'"say \\\\"hi\\\\""\'']],
		overloads: {
			"strings.quote(string) -> string": {
				call: quote,
				fails: true,
				cost: (text = 0) => 200 + QUOTE_COST_NS * text,
				resultSize: (text = 0) => Math.min(2 * text + 2, LIMITS.evaluationTextCharacters),
			},
		},
	},
];
