/**
 * One thread, which runs one task at a time of one program; the only importer of piscina. Tasks wait in
 * `thread-queue.ts` and not in piscina, because piscina 5.3 leaves its own queue standing when it ends a thread.
 * Made by `evaluation-thread.ts` and `policy-checker.ts`.
 */
import { Piscina } from "piscina";
import type { Thread } from "./thread-queue.ts";

export class TaskThread<Task, Answer> implements Thread<Task, Answer> {
	readonly #piscina: Piscina<Task, Answer>;

	/**
	 * Starts the thread; its first task waits for what the file imports to be loaded.
	 * @param file compiled; its default export takes a task and returns the answer
	 * @param heapMegabytes beyond which the thread is ended; as Node has it if left out
	 */
	constructor(file: URL, heapMegabytes?: number) {
		this.#piscina = new Piscina({
			filename: file.href,
			minThreads: 1,
			maxThreads: 1,
			// room for the task that waits for its thread to start
			maxQueue: 1,
			recordTiming: false,
			...(heapMegabytes === undefined
				? {}
				: { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
		});
		// A thread that dies without a task; the next task starts another.
		this.#piscina.on("error", () => {});
	}

	run(task: Task): Promise<Answer> {
		return this.#piscina.run(task);
	}

	/** Ends the thread, whatever it does; a task's `run` rejects. */
	close(): Promise<void> {
		return this.#piscina.destroy();
	}
}
