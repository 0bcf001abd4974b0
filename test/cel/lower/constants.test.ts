/** Constants survive the way to another thread. */
import { expect, test } from "vitest";
import type { Constant } from "../../../src/cel/lower/code.ts";
import { openConstant, packed } from "../../../src/cel/lower/constants.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { described } from "../values.ts";

const VALUES: readonly Value[] = [
	null,
	true,
	"text 😀",
	-5n,
	2n ** 63n - 1n,
	0.5,
	Number.NaN,
	-0,
	new Uint8Array([1, 255]),
	new Uint(2n ** 64n - 1n),
	new Timestamp(-1, 999_999_999),
	new Duration(-1, -5),
	new TypeValue("google.protobuf.Timestamp"),
	Optional.NONE,
	new Optional([1n, "a"]),
	[1n, [new Uint(3n)], "b"],
	entryMap([
		["a", [1n]],
		[new Uint(7n), new Optional(null)],
		[true, 2.5],
	]),
];

test.each(VALUES.map((value) => [described(value), value] as const))("%s", (text, value) => {
	const constant: Constant = { kind: "value", value: packed(value) };
	expect(described(openConstant(structuredClone(constant)))).toBe(text);
});

test("sets, ranges and choices of overloads", () => {
	const set = openConstant({ kind: "set", members: ["a", 1n] });
	expect(set).toEqual(new Set(["a", 1n]));
	expect(openConstant({ kind: "ranges", texts: ["10.0.0.0/8", "::1/128"] })).toHaveLength(2);
	const signatures = ["string.size() -> int"];
	const choice = openConstant({ kind: "overloads", name: "size", signatures });
	expect(choice).toMatchObject({ name: "size", overloads: [{ signature: signatures[0] }] });
});
