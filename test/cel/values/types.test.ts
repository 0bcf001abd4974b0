/** Every value has a type, named as the specification names it. */
import { expect, test } from "vitest";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { isList, typeOf } from "../../../src/cel/values/types.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";

const CASES: readonly (readonly [Value, string])[] = [
	[null, "null_type"],
	[true, "bool"],
	["", "string"],
	[1n, "int"],
	[new Uint(1n), "uint"],
	[1, "double"],
	[new Uint8Array(), "bytes"],
	[[], "list"],
	[entryMap([]), "map"],
	[new RecordValue({ name: "" }), "map"],
	[new Timestamp(0, 0), "google.protobuf.Timestamp"],
	[new Duration(0, 0), "google.protobuf.Duration"],
	[Optional.NONE, "optional_type"],
	[typeOf(1n), "type"],
];

test.each(CASES)("%s", (value, name) => {
	expect(typeOf(value).name).toBe(name);
	// one value for each type
	expect(typeOf(typeOf(value))).toBe(typeOf(typeOf(1n)));
	expect(isList(value)).toBe(name === "list");
});
