/**
 * Tasks of a worker process on their way to its threads: a bounded queue of two lanes, of which one is served
 * first. Own, because what still waits must be taken out without touching what runs: ending a thread costs
 * some 50 ms, and clients that leave could do it at will. A thread that crashes, or gives no answer for too
 * long, costs its own task and is replaced. Used by `expression-evaluator.ts` and `program-maker.ts`.
 */

/** What runs one task at a time. */
export interface Thread<Task, Answer> {
	/** @throws Error if the thread ended, or the task threw */
	run(task: Task): Promise<Answer>;
	close(): Promise<void>;
}

export type Ended<Answer> =
	| { readonly ok: true; readonly answer: Answer }
	/** the thread crashed, or was ended because it got stuck */
	| { readonly ok: false; readonly message: string };

/** `first` is served before `later` and never waits for more than one task of it. */
export type Lane = "first" | "later";

/** A task that waits or runs. */
export interface Ticket {
	readonly lane: Lane;
}

interface Entry<Task, Answer> extends Ticket {
	readonly task: Task;
	readonly done: (ended: Ended<Answer>) => void;
}

export interface ThreadQueueOptions<Task, Answer> {
	readonly makeThread: () => Thread<Task, Answer>;
	readonly threads: number;
	/** tasks that may wait in each lane */
	readonly room: number;
	/** milliseconds after which a thread is ended that gives no answer */
	readonly stuckMs: number;
}

export class ThreadQueue<Task, Answer> {
	readonly #options: ThreadQueueOptions<Task, Answer>;
	readonly #waiting = {
		first: new Set<Entry<Task, Answer>>(),
		later: new Set<Entry<Task, Answer>>(),
	};
	readonly #idle: Thread<Task, Answer>[] = [];
	readonly #busy = new Set<Thread<Task, Answer>>();
	#closed = false;

	constructor(options: ThreadQueueOptions<Task, Answer>) {
		this.#options = options;
	}

	waiting(lane: Lane): number {
		return this.#waiting[lane].size;
	}

	hasRoom(lane: Lane): boolean {
		return !this.#closed && this.#waiting[lane].size < this.#options.room;
	}

	/**
	 * To be asked for room before. @param done called once, never before this returns, and not at all after
	 * `withdraw` took the task out
	 */
	submit(lane: Lane, task: Task, done: (ended: Ended<Answer>) => void): Ticket {
		const entry = { lane, task, done };
		this.#waiting[lane].add(entry);
		this.#serve();
		return entry;
	}

	/** @returns true if the task still waited and is out; false if it runs or is over */
	withdraw(ticket: Ticket): boolean {
		const waiting: Set<Ticket> = this.#waiting[ticket.lane];
		return waiting.delete(ticket);
	}

	/** Ends the threads, and with them what waits or runs. */
	async close(): Promise<void> {
		this.#closed = true;
		for (let entry = this.#take(); entry !== undefined; entry = this.#take()) {
			entry.done({ ok: false, message: "closed" });
		}
		await Promise.all([...this.#idle, ...this.#busy].map((thread) => thread.close()));
	}

	#serve(): void {
		while (this.#busy.size < this.#options.threads) {
			const entry = this.#take();
			if (entry === undefined) return;
			void this.#run(this.#idle.pop() ?? this.#options.makeThread(), entry);
		}
	}

	#take(): Entry<Task, Answer> | undefined {
		for (const lane of [this.#waiting.first, this.#waiting.later]) {
			for (const entry of lane) {
				lane.delete(entry);
				return entry;
			}
		}
		return undefined;
	}

	async #run(thread: Thread<Task, Answer>, entry: Entry<Task, Answer>): Promise<void> {
		this.#busy.add(thread);
		const stuck = setTimeout(() => void thread.close().catch(() => {}), this.#options.stuckMs);
		let ended: Ended<Answer>;
		try {
			ended = { ok: true, answer: await thread.run(entry.task) };
		} catch (error) {
			ended = { ok: false, message: error instanceof Error ? error.message : String(error) };
		}
		clearTimeout(stuck);
		this.#busy.delete(thread);
		if (ended.ok && !this.#closed) this.#idle.push(thread);
		else void thread.close().catch(() => {});
		// The thread has work again before anything else is done.
		this.#serve();
		entry.done(ended);
	}
}
