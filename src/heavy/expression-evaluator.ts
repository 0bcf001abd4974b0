/**
 * Settles suspended evaluations in a thread of the worker process, so that an expensive expression costs the
 * requests that have it and nobody else. Each has a deadline; whoever leaves is taken out of the queue. What
 * can't be settled is a failure like any other of an expression (contract 4). Made by process/worker.ts,
 * asked by edge/.
 */
import type { Attributes } from "../cel/attributes.ts";
import { copyAttributes } from "../cel/attributes-copy.ts";
import { EvaluationFailure, type Settlement, type Suspension } from "../cel/expression.ts";
import { LIMITS } from "../limits.ts";
import { type Metrics, series } from "../metrics.ts";
import type { HeavyAnswer, HeavyTask } from "./heavy-task.ts";
import type { Ended, ThreadQueue, Ticket } from "./thread-queue.ts";

export type { Settlement } from "../cel/expression.ts";

export interface Evaluation {
	/** Nobody wants it any more; what already runs goes on and is forgotten. */
	cancel(): void;
}

export interface Evaluator {
	/** As `ThreadQueue.keep`: to be called for each policy that may suspend. */
	keep(): () => void;
	/** Resolves when a thread has answered, so that no request waits for its start; at the latest after a while. */
	ready(): Promise<void>;
	/**
	 * Copies what it needs of `attributes` before it returns.
	 * @param deadlineMs on the clock of `performance.now()`
	 * @param done called once, after this has returned, unless cancelled before
	 */
	evaluate(
		suspension: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		done: (settlement: Settlement) => void,
	): Evaluation;
}

const outcome = (name: string): string => series("weir_heavy_evaluations_total", { outcome: name });
const SETTLED = outcome("settled");
const FAILED = outcome("failed");
const DEADLINE = outcome("deadline");
const QUEUE_FULL = outcome("queue_full");
const CANCELLED = outcome("cancelled");
const WAITING = series("weir_heavy_evaluations_waiting", {});

const TOO_LATE = new EvaluationFailure("the evaluation was not done in time");
const NO_ROOM = new EvaluationFailure("too many expensive evaluations are waiting");

type Queue = Pick<
	ThreadQueue<HeavyTask, HeavyAnswer>,
	"hasRoom" | "keep" | "submit" | "waiting" | "withdraw"
>;

export class ExpressionEvaluator implements Evaluator {
	readonly #queue: Queue;
	readonly #metrics: Metrics;
	/** those whose programs have gone to the thread */
	readonly #met = new WeakSet<Suspension>();

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
		const pending = new Pending(this.#queue, done, (counted) => {
			// A thread that was lost has lost what it had met.
			if (counted !== SETTLED) this.#met.delete(suspension);
			this.#count(counted);
		});
		if (deadlineMs <= performance.now()) {
			queueMicrotask(() => pending.end(TOO_LATE, DEADLINE));
		} else if (this.#queue.hasRoom("first")) {
			pending.start(suspension, attributes, deadlineMs, this.#met.has(suspension));
			this.#met.add(suspension);
		} else queueMicrotask(() => pending.end(NO_ROOM, QUEUE_FULL));
		this.#count(undefined);
		return pending;
	}

	#count(counted: string | undefined): void {
		if (counted !== undefined) this.#metrics.add(counted);
		this.#metrics.set(WAITING, this.#queue.waiting("first"));
	}
}

function isWanted(value: Settlement, wants: Suspension["wants"]): boolean {
	if (wants === "matches") return Array.isArray(value);
	return typeof value === (wants === "bool" ? "boolean" : "string");
}

/** One evaluation until the first of: its answer, its deadline, its cancellation. */
class Pending implements Evaluation {
	readonly #queue: Queue;
	readonly #done: (settlement: Settlement) => void;
	readonly #count: (counted: string) => void;
	#ticket: Ticket | undefined;
	#timer: NodeJS.Timeout | undefined;
	#over = false;

	constructor(
		queue: Queue,
		done: (settlement: Settlement) => void,
		count: (counted: string) => void,
	) {
		this.#queue = queue;
		this.#done = done;
		this.#count = count;
	}

	start(
		{ source, phase, wants, reads, program }: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		isMet: boolean,
	): void {
		const copy = copyAttributes(attributes, reads);
		const task: HeavyTask = {
			kind: "evaluate",
			source,
			phase,
			wants,
			attributes: copy,
			...(isMet || program === undefined ? {} : { program }),
		};
		this.#ticket = this.#queue.submit("first", task, (ended) => this.#ended(ended, wants));
		const leftMs = Math.max(deadlineMs - performance.now(), 0);
		this.#timer = setTimeout(() => this.end(TOO_LATE, DEADLINE), leftMs);
	}

	cancel(): void {
		this.#close(CANCELLED);
	}

	end(settlement: Settlement, counted: string): void {
		if (this.#close(counted)) this.#done(settlement);
	}

	#ended(ended: Ended<HeavyAnswer>, wants: Suspension["wants"]): void {
		if (!ended.ok) {
			this.end(new EvaluationFailure(`the evaluation's thread ended: ${ended.message}`), FAILED);
		} else if (ended.answer.kind === "failure") {
			this.end(new EvaluationFailure(ended.answer.message), FAILED);
		} else if (ended.answer.kind !== "value" || !isWanted(ended.answer.value, wants)) {
			this.end(new EvaluationFailure("the evaluation gave another type than expected"), FAILED);
		} else {
			this.end(ended.answer.value, SETTLED);
		}
	}

	/** @returns false if it was over already */
	#close(counted: string): boolean {
		if (this.#over) return false;
		this.#over = true;
		clearTimeout(this.#timer);
		if (this.#ticket !== undefined) this.#queue.withdraw(this.#ticket);
		this.#count(counted);
		return true;
	}
}
