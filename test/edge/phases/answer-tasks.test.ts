import { expect, it } from "vitest";
import type { Suspension } from "../../../src/cel/expression.ts";
import { AnswerTasks } from "../../../src/edge/phases/answer-tasks.ts";
import type { Evaluator } from "../../../src/threads/expression-evaluator.ts";
import { exchangeOf } from "../../policy/support.ts";

const suspension: Suspension = { source: "x", phase: "outbound", wants: "bool", reads: [] };
const evaluator: Pick<Evaluator, "evaluate"> = {
	evaluate(_asked, _exchange, _deadlineMs, settle) {
		settle(true);
		return { cancel() {} };
	},
};

it("runs every task, again when what it waits for is settled, and survives one that throws", () => {
	const done: unknown[] = [];
	const logged: unknown[] = [];
	const tasks = new AnswerTasks();
	tasks.add({
		run() {
			throw new Error("a bug");
		},
	});
	tasks.add({
		run(_exchange, settled) {
			const known = settled?.get(suspension);
			if (known === undefined) return suspension;
			done.push(known);
			return undefined;
		},
	});
	// biome-ignore lint/suspicious/noExplicitAny: of a log only what is called here
	const log: any = { error: (fields: unknown) => logged.push(fields) };
	tasks.run(exchangeOf(), evaluator, log);
	expect(done).toEqual([true]);
	expect(logged).toHaveLength(1);
});
