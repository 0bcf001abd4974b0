/** What is written reads back as the same value; comments stay with what they are about. */
import { expect, it } from "vitest";
import { parseYaml } from "../../src/documents/yaml.ts";
import { canonical, yamlText, yamlTextOver } from "../../src/documents/yaml-text.ts";

const read = (text: string): unknown => {
	const parsed = parseYaml(Buffer.from(text));
	if (!parsed.ok) throw new Error(parsed.error.message);
	return parsed.value.value;
};

it("writes texts that look like something else in quotes", () => {
	const value = {
		a: ["1", "true", "null", "no", "~", "2024-01-01", "", " x", "a: b", "# c", "*d", "é"],
		"b\n": { c: 1, d: false, e: null, f: "two\nlines\n", g: [], h: {} },
	};
	expect(read(yamlText(value))).toEqual(value);
	expect(read(yamlText({ x: value, y: value }))).toEqual({ x: value, y: value });
});

it("keeps comments, order and layout of what stays, and takes the rest over", () => {
	const before = [
		"# the shop",
		"edges: # all of them",
		"  b: {hostports: [b]} # second",
		"  # the first",
		"  a:",
		"    hostports: [a, 'c'] # hosts",
		"rules:",
		"  # one",
		"  - name: one",
		"    size: 1 # small",
		"  # two",
		"  - name: two",
		"",
	].join("\n");
	const value = {
		edges: { a: { hostports: ["a", "d"] }, b: { hostports: ["b"] }, n: { hostports: ["n"] } },
		rules: [{ name: "new" }, { name: "two" }, { name: "one", size: "2" }],
	};
	const text = yamlTextOver(before, value);
	expect(canonical(read(text))).toBe(canonical(value));
	for (const comment of ["# the shop", "# all of them", "# second", "# the first", "# hosts"])
		expect(text).toContain(comment);
	expect(text).toMatch(/# two\n +- name: two/);
	expect(text).toMatch(/# one\n +- name: one\n +size: "2" # small/);
	expect(yamlTextOver(text, value)).toBe(text);
	expect(yamlTextOver("", { a: 1 })).toBe("a: 1\n");
	expect(read(yamlTextOver("a: 1", { a: { b: [1] } }))).toEqual({ a: { b: [1] } });
});

it("tells values apart, and not the order of members", () => {
	expect(canonical({ a: 1, b: [1, "1"] })).toBe(canonical({ b: [1, "1"], a: 1 }));
	expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
	expect(canonical({ a: undefined })).toBe("{}");
});
