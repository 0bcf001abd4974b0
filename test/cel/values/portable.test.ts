/** A value that was sent is the value that arrives, of any kind. */
import { expect, test } from "vitest";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { fromPortable, portable } from "../../../src/cel/values/portable.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { compileExpression } from "../compiled.ts";
import { described } from "../values.ts";

test.each([
	"null",
	"true",
	"'text'",
	"5",
	"5u",
	"1.5",
	"b'\\xff'",
	"[1, 'a', [2u]]",
	"{'a': {'b': [1]}, 'c': null}",
	"{1: 'int', true: 'bool', 2u: 'uint', 'x': 'text'}",
	"timestamp('2026-05-04T10:20:31.5Z')",
	"duration('-1.5s')",
	"type(1)",
	"optional.of([1])",
	"optional.none()",
	"getReqCookie('session')",
	"req.cookies",
	"req.headers",
])("%s", (source) => {
	const compiled = compileExpression(source, "outbound");
	if (!compiled.ok) throw new Error(source);
	const value = compiled.value.evaluate(ATTRIBUTES);
	if (value instanceof EvaluationFailure) throw new Error(value.message);
	const arrived = fromPortable(structuredClone(portable(value)));
	expect(described(arrived)).toBe(described(value));
});
