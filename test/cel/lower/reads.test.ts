/** Every variable is read in the way of its type, as its row in the table says. */
import { expect, test } from "vitest";
import { SINGLE_PATHS } from "../../../src/cel/attributes-copy.ts";
import { typeName } from "../../../src/cel/check/types.ts";
import { VARIABLES } from "../../../src/cel/check/variables.ts";
import { readOf } from "../../../src/cel/lower/reads.ts";
import { RUNTIME } from "../../../src/cel/lower/runtime.ts";

test.each([...VARIABLES.values()])("$name is read as its type says", ({ name, type }) => {
	const { code, derive, reads, range, isListMap, lines } = readOf(name);
	if (derive === undefined) expect(reads.map((path) => `a.${path}`)).toEqual([code]);
	else {
		expect(code).toBe(`${derive}(a)`);
		expect(RUNTIME).toHaveProperty(derive);
	}
	expect(range !== undefined).toBe(typeName(type) === "int");
	expect(isListMap).toBe(/^map<string, list</.test(typeName(type)));
	expect(lines !== undefined).toBe(/^re[qs]\.headers$/.test(name));
	for (const path of reads) {
		const isHeader = /^(?:request|response)Headers(?:$|:)/.test(path);
		const isResult = path === "results";
		expect(isHeader || isResult || SINGLE_PATHS.includes(path), path).toBe(true);
	}
});

test("an address is one variable, and no other name is known", () => {
	expect([...VARIABLES.keys()].filter((name) => readOf(name).isAddress)).toEqual([
		"conn.client_ip",
	]);
	expect(() => readOf("req.nothing")).toThrow("there is no variable req.nothing");
});
