/** An attribute is read once by an expression, however often it names it, and only if it comes to that. */
import { expect, test } from "vitest";
import type { Attributes } from "../../../src/cel/attributes.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { compileExpression } from "../compiled.ts";

function readsOf(source: string): readonly string[] {
	const reads: string[] = [];
	const attributes = {
		...ATTRIBUTES,
		get method(): string {
			reads.push("method");
			return ATTRIBUTES.method;
		},
		requestHeaders: {
			names: () => ATTRIBUTES.requestHeaders.names(),
			lines(name: string) {
				reads.push(name);
				return ATTRIBUTES.requestHeaders.lines(name);
			},
		},
	} satisfies Attributes;
	const compiled = compileExpression(source, "inbound");
	if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
	compiled.value.evaluate(attributes);
	return reads;
}

test.each([
	["req.method == 'A' || req.method.startsWith('B') || req.method.size() == 9", ["method"]],
	[
		"req.headers['X-A'] == [] && req.headers['x-a'].size() == 0 && !('x-a' in req.headers)",
		["x-a"],
	],
	["getReqHeader('Accept').exists(v, v == req.headers.accept[0])", ["accept"]],
	["[1, 2, 3].exists(x, x > 5 || req.method == 'x' || 'b' in req.headers)", ["method", "b"]],
	["req.host == 'elsewhere' && req.method == 'x'", []],
	["req.host == 'elsewhere' ? 'a' in req.headers : 'b' in req.headers", ["b"]],
	["[req.host].exists(x, x == 'elsewhere' && 'a' in req.headers)", []],
])("%s", (source, reads) => {
	expect(readsOf(source)).toEqual(reads);
});
