/** Encodings come back as they went, and refuse what is none; chance stays in its range. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../../../src/cel/compile.ts";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { LIMITS } from "../../../src/limits.ts";

function value(source: string): unknown {
	const compiled = compileExpression(source, "inbound", () => undefined);
	if (!compiled.ok) throw new Error(`${source}: ${compiled.error[0]?.message}`);
	const result = compiled.value.evaluate(undefined);
	return result instanceof EvaluationFailure ? `failure: ${result.message}` : result;
}

test("property: base64 of a text decodes to the text, padded or not", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), (text) => {
			const encoded = Buffer.from(text).toString("base64");
			expect(value(`base64.encode(${JSON.stringify(text)})`)).toBe(encoded);
			for (const each of [encoded, encoded.replace(/=+$/, "")]) {
				expect(value(`string(base64.decode('${each}'))`)).toBe(text);
			}
		}),
	);
});

test.each(["a", "!!!!", "YQ=", "YQ===", "Y Q=", "_-_-"])("%s is no base64", (text) => {
	expect(value(`base64.decode('${text}')`)).toContain("failure: not the text of base64");
});

test("property: rand.int yields every value of a small range, ends included, and no other", () => {
	const seen = new Set(Array.from({ length: 200 }, () => value("rand.int(-1, 1)")));
	expect([...seen].toSorted()).toEqual([-1n, 0n, 1n].toSorted());
	expect(typeof value("rand.int(-9223372036854775807 - 1, 9223372036854775807)")).toBe("bigint");
});

test("JSON is decoded, and refused where it is none or too deep", () => {
	expect(value("json.decode('[1, \"a\", {\"b\": null}]') == [1.0, 'a', {'b': null}]")).toBe(true);
	expect(value("json.decode('{')")).toBe("failure: not the text of a JSON value");
	const deep = "[".repeat(LIMITS.jsonDepth + 2) + "]".repeat(LIMITS.jsonDepth + 2);
	expect(value(`json.decode('${deep}')`)).toContain("failure: JSON nested deeper");
	expect(value("json.decode('{\"__proto__\": 1}')['__proto__'] == 1.0")).toBe(true);
});
