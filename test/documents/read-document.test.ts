/** Which of its two formats a document is read in, and whose mistake is told. */
import { expect, it } from "vitest";
import { readDocument } from "../../src/documents/read-document.ts";

const read = (name: string, text: string) => readDocument(name, new TextEncoder().encode(text));
const refusal = (name: string, text: string): string => {
	const parsed = read(name, text);
	return parsed.ok ? "" : parsed.error.message;
};

it.each([
	["a.json", '{"a": 1}'],
	["a.yaml", '{"a": 1}'],
	["a.yaml", '{\n\t"a": 1\n}'],
	["a.yml", "{a: 1}"],
	["a", "{a: 1}"],
	["a.conf", "a: 1"],
])("%s with %j is read", (name, text) => {
	expect(read(name, text)).toMatchObject({ ok: true, value: { value: { a: 1 } } });
});

it("of a text that is neither, the mistake is that of the format that was meant", () => {
	expect(refusal("a.json", '{"a": }')).toBe("expected a value");
	expect(refusal("a.json", "a: 1")).toBe("this is no JSON value");
	expect(refusal("a", ' {"a": [}')).toBe("expected a value");
	expect(refusal("a.yaml", '{"a": [}')).toMatch(/^this is no YAML: /);
	expect(refusal("a.json", '{"a": 1, "a": 2}')).toBe('duplicate key "a"');
	expect(refusal("a", '{"a": 1, "a": 2}')).toBe('duplicate key "a"');
	expect(refusal("a.json", "")).toBe("the document is empty");
});
