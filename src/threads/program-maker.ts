/**
 * Compiles long expressions in a thread of the worker process, after the evaluations that requests wait for: a
 * document may hold sixty long expressions, at some 50 ms each. The caller compiles the rest itself. Made by
 * process/worker/worker.ts, asked by edge/policies/compilation.ts.
 */
import { LIMITS } from "../limits/limits.ts";
import type { MadeProgram, WantedProgram } from "../policy/programs/program.ts";
import type { ExpressionAnswer, ExpressionTask } from "./expression-task.ts";
import type { ThreadQueue } from "./thread-queue.ts";

export interface ProgramMaker {
	/**
	 * Never rejects; programs may be missing. @param onProgress called after each batch
	 */
	make(wanted: readonly WantedProgram[], onProgress: () => void): Promise<readonly MadeProgram[]>;
}

type Queue = Pick<ThreadQueue<ExpressionTask, ExpressionAnswer>, "hasRoom" | "submit" | "withdraw">;

export class ThreadProgramMaker implements ProgramMaker {
	readonly #queue: Queue;

	constructor(queue: Queue) {
		this.#queue = queue;
	}

	async make(
		wanted: readonly WantedProgram[],
		onProgress: () => void,
	): Promise<readonly MadeProgram[]> {
		const made: MadeProgram[] = [];
		for (const batch of batches(wanted)) {
			made.push(...(await this.#compile(batch)));
			onProgress();
		}
		return made;
	}

	#compile(wanted: readonly WantedProgram[]): Promise<readonly MadeProgram[]> {
		if (!this.#queue.hasRoom("later")) return Promise.resolve([]);
		return new Promise((resolve) => {
			const timer = setTimeout(() => {
				this.#queue.withdraw(ticket);
				resolve([]);
			}, LIMITS.compileMs);
			const ticket = this.#queue.submit("later", { kind: "compile", wanted }, (ended) => {
				clearTimeout(timer);
				resolve(ended.ok && ended.answer.kind === "programs" ? ended.answer.programs : []);
			});
		});
	}
}

/** Few enough for the answer to be read in a fraction of a millisecond, and for requests not to wait long. */
function* batches(wanted: readonly WantedProgram[]): Generator<readonly WantedProgram[]> {
	let batch: WantedProgram[] = [];
	let characters = 0;
	for (const each of wanted) {
		if (batch.length > 0 && characters + each.source.length > LIMITS.compileBatchCharacters) {
			yield batch;
			batch = [];
			characters = 0;
		}
		batch.push(each);
		characters += each.source.length;
	}
	if (batch.length > 0) yield batch;
}
