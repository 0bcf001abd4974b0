/** Every variable is read somewhere, in the way of its type, and nothing is read that isn't named. */
import { expect, test } from "vitest";
import { SINGLE_PATHS } from "../../../src/cel/attributes-copy.ts";
import { typeName } from "../../../src/cel/check/types.ts";
import { VARIABLES } from "../../../src/cel/check/variables.ts";
import { READ_NAMES, readOf } from "../../../src/cel/lower/reads.ts";
import { DERIVED } from "../../../src/cel/values/derived.ts";

test("the tables of variables and of reads hold the same names", () => {
	expect(READ_NAMES.toSorted()).toEqual([...VARIABLES.keys()].toSorted());
});

test.each([...VARIABLES.values()])("$name is read as its type says", ({ name, type }) => {
	const { property, derive, reads, range, isListMap, lines } = readOf(name);
	expect((property === undefined) !== (derive === undefined)).toBe(true);
	if (derive !== undefined) expect(DERIVED).toHaveProperty(derive);
	if (property !== undefined) expect(SINGLE_PATHS).toContain(property);
	expect(range !== undefined).toBe(typeName(type) === "int");
	expect(isListMap === true).toBe(/^map<string, list</.test(typeName(type)));
	expect(lines !== undefined).toBe(/^re[qs]\.headers$/.test(name));
	for (const path of reads) {
		const isHeader = /^(?:request|response)Headers(?:$|:)/.test(path);
		expect(isHeader || SINGLE_PATHS.includes(path), path).toBe(true);
	}
});
