/** The table of variables as a whole: each row is told once and in full. */
import { expect, test } from "vitest";
import {
	DERIVE_FUNCTIONS,
	deriveName,
	pathsOf,
	VARIABLE_TABLE,
} from "../../../src/cel/variables/table.ts";

test("names are told once, and those of functions stay apart", () => {
	const names = VARIABLE_TABLE.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(new Set(names.map(deriveName)).size).toBe(names.length);
	const derived = VARIABLE_TABLE.filter(({ read }) => "derive" in read);
	expect(Object.keys(DERIVE_FUNCTIONS)).toEqual(derived.map(({ name }) => deriveName(name)));
	expect(deriveName("req.url.query_params")).toBe("read_req_url_query_params");
});

test("outbound only is what reads the response", () => {
	for (const definition of VARIABLE_TABLE) {
		const readsResponse = pathsOf(definition).some((path) => path.startsWith("response"));
		expect([definition.name, definition.outboundOnly === true]).toEqual([
			definition.name,
			readsResponse || definition.name === "res.trailers",
		]);
	}
});

test.each(VARIABLE_TABLE)("$name is documented by sentences", ({ doc, absent, example }) => {
	expect(doc).toMatch(/^[A-Z`].*[.?]$/s);
	expect(example).not.toBe("");
	if (absent !== undefined) expect(absent).not.toMatch(/[.]$/);
});
