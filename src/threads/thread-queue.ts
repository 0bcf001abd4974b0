/**
 * The queue of a process's threads: bounded, with two lanes, of which one is served first; in each lane clients take
 * turns (`fair-queue.ts`). It is weir's own because a waiting task must be withdrawn without a touch to the running
 * ones: ending a thread costs some 50 ms, and clients could cause that by leaving. A thread that crashes, or gives
 * no answer for too long, costs its own task and is replaced. Idle threads end, unless a caller of `keep` keeps them. Used by `policy-checker.ts`, `expression-evaluator.ts` and `program-maker.ts`.
 */
import { FairQueue } from "./fair-queue.ts";

/** What runs one task at a time. */
export interface Thread<Task, Answer> {
	/** @throws Error if the thread ended, or the task threw */
	run(task: Task): Promise<Answer>;
	close(): Promise<void>;
}

export type Ended<Answer> =
	| { readonly ok: true; readonly answer: Answer }
	/** the thread crashed, or was ended because it got stuck; or the place went to another client */
	| { readonly ok: false; readonly message: string; readonly isDisplaced?: true };

/** Of `later`, one task is served after `FIRST_IN_A_ROW` of `first`, or when none of those waits. */
export type Lane = "first" | "later";
export const FIRST_IN_A_ROW = 8;

/** A task that waits or runs. */
export interface Ticket {
	readonly lane: Lane;
	readonly client: string;
}

interface Entry<Task, Answer> extends Ticket {
	readonly task: Task;
	readonly done: (ended: Ended<Answer>) => void;
}

export interface ThreadQueueOptions<Task, Answer> {
	readonly makeThread: () => Thread<Task, Answer>;
	readonly threads: number;
	/** of these, those that are there without work where somebody keeps them; one, if left out */
	readonly kept?: number;
	/** tasks that may wait in each lane, and those of one client there; as many as all, if left out */
	readonly room: number;
	readonly roomEach?: number;
	/** tasks of one client that may run at a time in the first lane; as many as there are threads, if left out */
	readonly runningEach?: number;
	/** milliseconds after which a thread is ended that gives no answer */
	readonly stuckMs: number;
	/** milliseconds without work after which threads end that nobody keeps */
	readonly idleMs: number;
	/** a thread ended that nobody had told to, or a task threw: a bug, or no memory left */
	readonly onLost?: (message: string) => void;
}

const ANY = (): boolean => true;

export class ThreadQueue<Task, Answer> {
	readonly #options: ThreadQueueOptions<Task, Answer>;
	readonly #waiting: Readonly<Record<Lane, FairQueue<Entry<Task, Answer>>>>;
	/** tasks of the first lane that run, by client */
	readonly #running = new Map<string, number>();
	readonly #idle: Thread<Task, Answer>[] = [];
	readonly #busy = new Set<Thread<Task, Answer>>();
	#inARow = 0;
	#keepers = 0;
	#idleTimer: NodeJS.Timeout | undefined;
	#closed = false;

	constructor(options: ThreadQueueOptions<Task, Answer>) {
		this.#options = options;
		const { room, roomEach = room } = options;
		this.#waiting = { first: new FairQueue(room, roomEach), later: new FairQueue(room, room) };
	}

	waiting(lane: Lane): number {
		return this.#waiting[lane].size;
	}

	hasRoom(lane: Lane, client = ""): boolean {
		return !this.#closed && this.#waiting[lane].hasRoom(client);
	}

	/**
	 * To be asked for room before. @param done called once, never before this returns, and not at all after
	 * `withdraw` took the task out @param client whose task it is, if clients take turns
	 */
	submit(lane: Lane, task: Task, done: (ended: Ended<Answer>) => void, client = ""): Ticket {
		const entry = { lane, client, task, done };
		const displaced = this.#waiting[lane].add(client, entry);
		displaced?.done({ ok: false, message: "too many are waiting", isDisplaced: true });
		this.#serve();
		return entry;
	}

	/** @returns true if the task still waited and is out; false if it runs or is over */
	withdraw(ticket: Ticket): boolean {
		return this.#waiting[ticket.lane].delete(ticket.client, ticket as Entry<Task, Answer>);
	}

	/**
	 * Starts threads if there are none, and lets them live without work until the returned function is called:
	 * the first tasks don't wait for their start.
	 */
	keep(): () => void {
		this.#keepers += 1;
		this.#haveThreads();
		return () => {
			this.#keepers -= 1;
			this.#endWhenIdle();
		};
	}

	/** Ends the threads, and with them what waits or runs. */
	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#idleTimer);
		for (const lane of [this.#waiting.first, this.#waiting.later]) {
			for (let entry = lane.take(ANY); entry !== undefined; entry = lane.take(ANY)) {
				entry.done({ ok: false, message: "closed" });
			}
		}
		await Promise.all([...this.#idle, ...this.#busy].map((thread) => thread.close()));
	}

	#haveThreads(): void {
		if (this.#closed || this.#keepers === 0) return;
		const { kept = 1, makeThread } = this.#options;
		while (this.#idle.length + this.#busy.size < kept) this.#idle.push(makeThread());
	}

	#serve(): void {
		while (this.#busy.size < this.#options.threads) {
			const entry = this.#take();
			if (entry === undefined) return;
			void this.#run(this.#idle.pop() ?? this.#options.makeThread(), entry);
		}
	}

	#take(): Entry<Task, Answer> | undefined {
		const { first, later } = this.#waiting;
		const isPassedOver = this.#inARow >= FIRST_IN_A_ROW && later.size > 0;
		const entry = isPassedOver ? undefined : first.take(this.#isFree);
		if (entry !== undefined) {
			this.#inARow += 1;
			return entry;
		}
		const other = later.take(ANY);
		if (other !== undefined) this.#inARow = 0;
		return other;
	}

	readonly #isFree = (client: string): boolean =>
		(this.#running.get(client) ?? 0) < (this.#options.runningEach ?? this.#options.threads);

	#count({ lane, client }: Ticket, by: number): void {
		if (lane === "later") return;
		const running = (this.#running.get(client) ?? 0) + by;
		if (running === 0) this.#running.delete(client);
		else this.#running.set(client, running);
	}

	#endWhenIdle(): void {
		clearTimeout(this.#idleTimer);
		if (this.#keepers > 0 || this.#idle.length === 0) return;
		this.#idleTimer = setTimeout(() => {
			if (this.#keepers > 0 || this.#busy.size > 0) return;
			for (const thread of this.#idle.splice(0)) void thread.close().catch(() => {});
		}, this.#options.idleMs).unref();
	}

	async #run(thread: Thread<Task, Answer>, entry: Entry<Task, Answer>): Promise<void> {
		this.#busy.add(thread);
		this.#count(entry, 1);
		const stuck = setTimeout(() => void thread.close().catch(() => {}), this.#options.stuckMs);
		let ended: Ended<Answer>;
		try {
			ended = { ok: true, answer: await thread.run(entry.task) };
		} catch (error) {
			ended = { ok: false, message: error instanceof Error ? error.message : String(error) };
		}
		clearTimeout(stuck);
		this.#busy.delete(thread);
		this.#count(entry, -1);
		if (!ended.ok && !this.#closed) this.#options.onLost?.(ended.message);
		if (ended.ok && !this.#closed) this.#idle.push(thread);
		else void thread.close().catch(() => {});
		// The thread has work again before anything else is done.
		this.#serve();
		this.#haveThreads();
		if (this.#busy.size === 0) this.#endWhenIdle();
		entry.done(ended);
	}
}
