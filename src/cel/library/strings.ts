/**
 * The standard functions over strings, sizes, and the strings extension of CEL, with what they cost; the
 * functions stand in `string-parts.ts`, `string-changes.ts` and `format.ts`. Joined by `table.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { ValueMap } from "../values/value.ts";
import { chargeCharacters, LATIN_NS, LOOK_NS, lengthOf } from "./characters.ts";
import { FORMAT } from "./format.ts";
import type { Implementation, Implementations } from "./implementation.ts";
import {
	CASE_COST_NS,
	lowerAscii,
	QUOTE_COST_NS,
	quote,
	reverse,
	TRIM_NS,
	trim,
	upperAscii,
} from "./string-changes.ts";
import {
	COPY_NS,
	charAt,
	contains,
	ELEMENT_NS,
	indexOf,
	join,
	lastIndexOf,
	replace,
	split,
	substring,
} from "./string-parts.ts";
import { searchCost } from "./text-search.ts";

/** Nanoseconds for a character at the end of a text that is compared. */
const COMPARE_NS = 2;

/** Of a function that takes one look at each character. */
const perCharacter =
	(nanoseconds: number) =>
	(text: number): number =>
		400 + nanoseconds * text;

/** An index or a size: what it is of is at most this long; a longer request is refused. */
const INDEX = { smallInts: true, resultMax: 2 ** 30, resultSize: () => 1 } as const;

const SIZE_OF_TEXT: Implementation = {
	...INDEX,
	call: lengthOf,
	fails: false,
	cost: (text = 0) => 60 + (LATIN_NS + 2 * LOOK_NS) * text,
};
const SIZE_OF_LIST: Implementation = {
	...INDEX,
	call: (list: readonly unknown[]) => list.length,
	fails: false,
	cost: () => 5,
};
const SIZE_OF_BYTES: Implementation = {
	...SIZE_OF_LIST,
	call: (bytes: Uint8Array) => bytes.length,
};
const SIZE_OF_MAP: Implementation = {
	...INDEX,
	call: (map: ValueMap) => map.size,
	fails: false,
	cost: (entries = 0) => 50 + 20 * entries,
};

const search = (call: (text: string, part: string) => boolean): Implementation => ({
	call,
	fails: false,
	cost: (text = 0, part = 0) => searchCost(text, part),
	resultSize: () => 1,
});
const edge = (call: (text: string, part: string) => boolean): Implementation => ({
	call,
	fails: false,
	cost: (_text = 0, part = 0) => 50 + COMPARE_NS * part,
	resultSize: () => 1,
});
const index = (call: Implementation["call"], fails: boolean): Implementation => ({
	...INDEX,
	call,
	fails,
	cost: (text = 0, part = 0) => searchCost(text, part) + (3 * LATIN_NS + 4 * LOOK_NS) * text + 150,
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
	cost: perCharacter(nanoseconds),
});

export const STRINGS: Implementations = {
	"size(string) -> int": SIZE_OF_TEXT,
	"string.size() -> int": SIZE_OF_TEXT,
	"size(bytes) -> int": SIZE_OF_BYTES,
	"bytes.size() -> int": SIZE_OF_BYTES,
	"size(list<A>) -> int": SIZE_OF_LIST,
	"list<A>.size() -> int": SIZE_OF_LIST,
	"size(map<A, B>) -> int": SIZE_OF_MAP,
	"map<A, B>.size() -> int": SIZE_OF_MAP,
	"string.contains(string) -> bool": search(contains),
	"string.startsWith(string) -> bool": edge((text: string, part: string) => {
		chargeCharacters(part.length, COMPARE_NS);
		return text.startsWith(part);
	}),
	"string.endsWith(string) -> bool": edge((text: string, part: string) => {
		chargeCharacters(part.length, COMPARE_NS);
		return text.endsWith(part);
	}),
	"string.charAt(int) -> string": { ...slice(charAt), resultSize: () => 2 },
	"string.indexOf(string) -> int": index(indexOf, false),
	"string.indexOf(string, int) -> int": index(indexOf, true),
	"string.lastIndexOf(string) -> int": index(lastIndexOf, false),
	"string.lastIndexOf(string, int) -> int": index(lastIndexOf, true),
	"string.substring(int) -> string": slice(substring),
	"string.substring(int, int) -> string": slice(substring),
	"string.replace(string, string) -> string": replacement(replace),
	"string.replace(string, string, int) -> string": replacement(replace),
	"string.split(string) -> list<string>": splitting(split),
	"string.split(string, int) -> list<string>": splitting(split),
	"list<string>.join() -> string": joining(join),
	"list<string>.join(string) -> string": joining(join),
	"string.trim() -> string": changed(trim, TRIM_NS),
	"string.lowerAscii() -> string": changed(lowerAscii, CASE_COST_NS),
	"string.upperAscii() -> string": changed(upperAscii, CASE_COST_NS),
	"string.reverse() -> string": changed(reverse, 2 * ELEMENT_NS),
	"string.format(list<A>) -> string": FORMAT,
	"strings.quote(string) -> string": {
		call: quote,
		fails: true,
		cost: (text = 0) => 200 + QUOTE_COST_NS * text,
		resultSize: (text = 0) => Math.min(2 * text + 2, LIMITS.evaluationTextCharacters),
	},
};
