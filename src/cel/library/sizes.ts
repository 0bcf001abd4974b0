/** `size`, as a function and as a method (CEL specification, "Standard Definitions"). Joined by `table.ts`. */
import type { ValueMap } from "../values/value.ts";
import { LATIN_NS, LOOK_NS, lengthOf } from "./characters.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

/** What a size is of is at most this long; a longer request is refused. */
const SIZE = { smallInts: true, resultMax: 2 ** 30, resultSize: () => 1, fails: false } as const;

const OF_TEXT: Implementation = {
	...SIZE,
	call: lengthOf,
	cost: (text = 0) => 60 + (LATIN_NS + 2 * LOOK_NS) * text,
};
const OF_LIST: Implementation = {
	...SIZE,
	call: (list: readonly unknown[]) => list.length,
	cost: () => 5,
};
const OF_BYTES: Implementation = { ...OF_LIST, call: (bytes: Uint8Array) => bytes.length };
const OF_MAP: Implementation = {
	...SIZE,
	call: (map: ValueMap) => map.size,
	cost: (entries = 0) => 50 + 20 * entries,
};

export const SIZES: readonly FunctionDefinition[] = [
	{
		name: "size",
		doc: "The number of characters of a text, of bytes, of elements of a list, of entries of a map.",
		examples: [
			["size(getReqHeader('accept'))", "2"],
			["req.url.query.size() > 1000", "false"],
		],
		overloads: {
			"size(string) -> int": OF_TEXT,
			"string.size() -> int": OF_TEXT,
			"size(bytes) -> int": OF_BYTES,
			"bytes.size() -> int": OF_BYTES,
			"size(list<A>) -> int": OF_LIST,
			"list<A>.size() -> int": OF_LIST,
			"size(map<A, B>) -> int": OF_MAP,
			"map<A, B>.size() -> int": OF_MAP,
		},
		prepared: "length",
	},
];
