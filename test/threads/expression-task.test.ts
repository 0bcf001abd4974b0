/** What the thread answers can cross to the one that asked. */
import { expect, it } from "vitest";
import { copyAttributes } from "../../src/cel/attributes-copy.ts";
import type { Suspension } from "../../src/cel/expression.ts";
import task, { type ExpressionAnswer } from "../../src/threads/expression-task.ts";
import { ATTRIBUTES } from "../cel/attributes.ts";

const answer = (source: string, wants: Suspension["wants"]): ExpressionAnswer => {
	const attributes = copyAttributes(ATTRIBUTES, ["method", "url.full"]);
	const asked = { kind: "evaluate", source, phase: "inbound", wants, attributes } as const;
	return structuredClone(task(structuredClone(asked)));
};

it("settles an evaluation, or says why not", () => {
	expect(answer("req.method == 'POST'", "bool")).toEqual({ kind: "value", value: true });
	expect(answer("req.method + '!'", "text")).toEqual({ kind: "value", value: "POST!" });
	expect(answer("^(?:(h)|(x))", "matches")).toEqual({ kind: "value", value: [0, 1, 0, 1, -1, -1] });
	expect(answer("[true][5]", "bool")).toMatchObject({ kind: "failure" });
});
