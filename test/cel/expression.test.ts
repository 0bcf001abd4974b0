/** A failure is told from every result by its class. */
import { expect, test } from "vitest";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { compilePredicate, compileTemplate } from "./compiled.ts";

test("what fails yields a failure with its reason, from predicates and from templates", () => {
	const predicate = compilePredicate("1 / 0 == 1", "inbound");
	const template = compileTemplate("a${[1][5]}", "inbound");
	const reasons = [
		predicate.ok && predicate.value.evaluate(ATTRIBUTES),
		template.ok && template.value.render(ATTRIBUTES),
	].map((result) => (result instanceof EvaluationFailure ? result.message : result));
	expect(reasons).toEqual([
		"division by zero: 1 / 0",
		"index 5 is outside of the list's 1 element",
	]);
});
