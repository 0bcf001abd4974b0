/**
 * Settles suspended evaluations in threads of the worker process, so that an expensive expression delays only the
 * requests that have it. An evaluation waits for a thread until its deadline, and clients take turns. Once it has
 * begun, only its own processor time counts (`evaluation-thread.ts`). An evaluation whose client leaves is taken
 * out of the queue; one that can't be settled ends with an `Overrun`. Made by process/worker/worker.ts, used by the
 * edge's phases.
 */
import type { Attributes } from "../cel/attributes.ts";
import { copyAttributes } from "../cel/attributes-copy.ts";
import { EvaluationFailure, Overrun, type Settlement, type Suspension } from "../cel/expression.ts";
import { LIMITS } from "../limits/limits.ts";
import { type CounterSeries, type Metrics, series } from "../telemetry/metrics.ts";
import { clientKey } from "./client-key.ts";
import type { ExpressionAnswer, ExpressionTask } from "./expression-task.ts";
import type { Ended, ThreadQueue, Ticket } from "./thread-queue.ts";

export type { Settlement } from "../cel/expression.ts";

export interface Evaluation {
	/** The settlement is not wanted any more. An evaluation that already runs goes on; its result is dropped. */
	cancel(): void;
}

export interface Evaluator {
	/** As `ThreadQueue.keep`: to be called for each policy that may suspend. */
	keep(): () => void;
	/** Resolves when a thread has answered, so that no request waits for its start; at the latest after a while. */
	ready(): Promise<void>;
	/**
	 * Copies what it needs of `attributes` before it returns.
	 * @param deadlineMs until which a thread must have begun, on the clock of `performance.now()`
	 * @param done called once, after this has returned, unless cancelled before
	 */
	evaluate(
		suspension: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		done: (settlement: Settlement) => void,
	): Evaluation;
}

const OUTCOMES = "weir_heavy_evaluations_total";
const SETTLED = series(OUTCOMES, { outcome: "settled" });
const FAILED = series(OUTCOMES, { outcome: "failed" });
/** no thread was free until the deadline */
const WAITED = series(OUTCOMES, { outcome: "waited" });
/** it took more than it may */
const OVERRUN = series(OUTCOMES, { outcome: "overrun" });
const QUEUE_FULL = series(OUTCOMES, { outcome: "queue_full" });
const CANCELLED = series(OUTCOMES, { outcome: "cancelled" });

const TOO_LATE = new Overrun("no thread was free in time");
const NO_ROOM = new Overrun("too many expensive evaluations are waiting");

type Queue = Pick<
	ThreadQueue<ExpressionTask, ExpressionAnswer>,
	"hasRoom" | "keep" | "submit" | "waiting" | "withdraw"
>;

export class ExpressionEvaluator implements Evaluator {
	readonly #queue: Queue;
	readonly #metrics: Metrics;

	constructor(queue: Queue, metrics: Metrics) {
		this.#queue = queue;
		this.#metrics = metrics;
	}

	keep(): () => void {
		return this.#queue.keep();
	}

	ready(): Promise<void> {
		if (!this.#queue.hasRoom("later")) return Promise.resolve();
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, LIMITS.compileMs);
			this.#queue.submit("later", { kind: "compile", wanted: [] }, () => {
				clearTimeout(timer);
				resolve();
			});
		});
	}

	evaluate(
		suspension: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		done: (settlement: Settlement) => void,
	): Evaluation {
		const pending = new Pending(this.#queue, done, (counted) => this.#count(counted));
		const client = clientKey(attributes.clientIp);
		if (deadlineMs <= performance.now()) {
			queueMicrotask(() => pending.end(TOO_LATE, WAITED));
		} else if (this.#queue.hasRoom("first", client)) {
			pending.start(suspension, attributes, deadlineMs, client);
		} else queueMicrotask(() => pending.end(NO_ROOM, QUEUE_FULL));
		this.#count(undefined);
		return pending;
	}

	#count(counted: CounterSeries | undefined): void {
		if (counted !== undefined) this.#metrics.add(counted);
		this.#metrics.set("weir_heavy_evaluations_waiting", this.#queue.waiting("first"));
	}
}

function isWanted(value: Settlement, wants: Suspension["wants"]): boolean {
	if (wants === "matches") return Array.isArray(value);
	if (wants === "value") return typeof value === "object" && "value" in value;
	return typeof value === (wants === "bool" ? "boolean" : "string");
}

/** One evaluation until the first of: its answer, its deadline, its cancellation. */
class Pending implements Evaluation {
	readonly #queue: Queue;
	readonly #done: (settlement: Settlement) => void;
	readonly #count: (counted: CounterSeries) => void;
	#ticket: Ticket | undefined;
	#timer: NodeJS.Timeout | undefined;
	#over = false;

	constructor(
		queue: Queue,
		done: (settlement: Settlement) => void,
		count: (counted: CounterSeries) => void,
	) {
		this.#queue = queue;
		this.#done = done;
		this.#count = count;
	}

	start(
		{ source, phase, wants, reads, program }: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		client: string,
	): void {
		const copy = copyAttributes(attributes, reads);
		const task: ExpressionTask = {
			kind: "evaluate",
			source,
			phase,
			wants,
			attributes: copy,
			...(program === undefined ? {} : { program }),
		};
		const ended = (end: Ended<ExpressionAnswer>): void => this.#ended(end, wants);
		const ticket = this.#queue.submit("first", task, ended, client);
		this.#ticket = ticket;
		const leftMs = Math.max(deadlineMs - performance.now(), 0);
		this.#timer = setTimeout(() => {
			// what has begun has its own deadline
			if (this.#queue.withdraw(ticket)) this.end(TOO_LATE, WAITED);
		}, leftMs);
	}

	cancel(): void {
		this.#close(CANCELLED);
	}

	end(settlement: Settlement, counted: CounterSeries): void {
		if (this.#close(counted)) this.#done(settlement);
	}

	#ended(ended: Ended<ExpressionAnswer>, wants: Suspension["wants"]): void {
		if (!ended.ok && ended.isDisplaced) {
			this.end(NO_ROOM, QUEUE_FULL);
		} else if (!ended.ok) {
			this.end(new Overrun(`the evaluation's thread ended: ${ended.message}`), FAILED);
		} else if (ended.answer.kind === "overrun") {
			this.end(new Overrun(ended.answer.message), OVERRUN);
		} else if (ended.answer.kind === "failure") {
			this.end(new EvaluationFailure(ended.answer.message), FAILED);
		} else if (ended.answer.kind !== "value" || !isWanted(ended.answer.value, wants)) {
			this.end(new EvaluationFailure("the evaluation gave another type than expected"), FAILED);
		} else {
			this.end(ended.answer.value, SETTLED);
		}
	}

	/** @returns false if it was over already */
	#close(counted: CounterSeries): boolean {
		if (this.#over) return false;
		this.#over = true;
		clearTimeout(this.#timer);
		if (this.#ticket !== undefined) this.#queue.withdraw(this.#ticket);
		this.#count(counted);
		return true;
	}
}
