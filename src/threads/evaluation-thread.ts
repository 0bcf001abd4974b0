/**
 * A thread for expensive expressions: gives each evaluation its deadline, and ends the thread under one that
 * overruns it; the next task finds a fresh one. Knows which programs the thread has been sent, so that each goes
 * there once. Made by `expression-threads.ts`.
 */
import type { ExpressionProgram } from "../cel/expression-program.ts";
import { LIMITS } from "../limits/limits.ts";
import type { ExpressionAnswer, ExpressionTask } from "./expression-task.ts";
import { TaskThread } from "./task-thread.ts";
import type { Thread } from "./thread-queue.ts";
import { WorkWatch } from "./work-watch.ts";

const OVERRUN: ExpressionAnswer = { kind: "overrun", message: "the evaluation takes too long" };

export class EvaluationThread implements Thread<ExpressionTask, ExpressionAnswer> {
	readonly #file: URL;
	readonly #deadlineMs: number;
	readonly #onReplaced: () => void;
	#pool: TaskThread<ExpressionTask, ExpressionAnswer>;
	#watch: WorkWatch;
	/** programs that the thread in use has */
	#sent = new WeakSet<ExpressionProgram>();

	/**
	 * @param deadlineMs of work, for one evaluation
	 * @param onReplaced called when a thread is ended because of what it evaluates
	 */
	constructor(file: URL, deadlineMs: number, onReplaced: () => void) {
		this.#file = file;
		this.#deadlineMs = deadlineMs;
		this.#onReplaced = onReplaced;
		this.#watch = new WorkWatch(deadlineMs);
		this.#pool = new TaskThread(file, LIMITS.heavyHeapMegabytes);
	}

	run(task: ExpressionTask): Promise<ExpressionAnswer> {
		if (task.kind === "compile") return this.#pool.run(task);
		const { program, ...rest } = task;
		const isKnown = program === undefined || this.#sent.has(program);
		if (program !== undefined) this.#sent.add(program);
		const { watched } = this.#watch;
		const answer = this.#pool.run(isKnown ? { ...rest, watched } : { ...rest, program, watched });
		return this.#withinDeadline(answer);
	}

	close(): Promise<void> {
		return this.#pool.close();
	}

	#withinDeadline(answer: Promise<ExpressionAnswer>): Promise<ExpressionAnswer> {
		return new Promise((resolve, reject) => {
			const look = (): void => {
				const leftMs = this.#watch.leftMs();
				if (leftMs > 0) {
					timer = setTimeout(look, leftMs);
					return;
				}
				this.#replace();
				resolve(OVERRUN);
			};
			let timer = setTimeout(look, this.#deadlineMs);
			answer.then(resolve, reject).finally(() => clearTimeout(timer));
		});
	}

	#replace(): void {
		this.#pool.close().catch(() => {});
		this.#onReplaced();
		this.#pool = new TaskThread(this.#file, LIMITS.heavyHeapMegabytes);
		this.#watch = new WorkWatch(this.#deadlineMs);
		this.#sent = new WeakSet();
	}
}
