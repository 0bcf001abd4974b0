/**
 * What actions have left to be done once the response of a request is known (`PolicyExchange.whenAnswered`): a rate-limit
 * counts failed logins. Made by `policy-effects.ts` for requests that have some, run by `exchange.ts` when the response is
 * about to be sent.
 */
import { beginInline, endInline } from "../../cel/evaluation.ts";
import type { Settled, Suspension } from "../../cel/expression.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { AnswerTask, PolicyExchange } from "../../policy/exchange.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Evaluator } from "../../threads/expression-evaluator.ts";

type Settles = Pick<Evaluator, "evaluate">;

export class AnswerTasks {
	readonly #tasks: AnswerTask[] = [];

	add(task: AnswerTask): void {
		this.#tasks.push(task);
	}

	/** A bug in one of them is logged and costs nobody anything. */
	run(exchange: PolicyExchange, evaluator: Settles, log: Pick<Log, "error">): void {
		for (const task of this.#tasks) {
			try {
				runTask(task, exchange, evaluator, new Map());
			} catch (error) {
				log.error({ err: error, edge: exchange.edgeId, route: exchange.routeId }, "policy threw");
			}
		}
	}
}

/** Nobody waits for it any more, so an expensive expression has the time that a request's own would have. */
function runTask(
	task: AnswerTask,
	exchange: PolicyExchange,
	evaluator: Settles,
	settled: Settled,
): void {
	beginInline(exchange.inlineNanoseconds);
	let suspension: Suspension | undefined;
	try {
		suspension = task.run(exchange, settled);
	} finally {
		exchange.inlineNanoseconds = endInline();
	}
	if (suspension === undefined) return;
	const waited = suspension;
	if (settled.has(waited)) throw new Error("an evaluation was settled and suspends again");
	const deadlineMs = performance.now() + LIMITS.heavyWaitMs;
	evaluator.evaluate(waited, exchange, deadlineMs, (settlement) =>
		runTask(task, exchange, evaluator, new Map(settled).set(waited, settlement)),
	);
}
