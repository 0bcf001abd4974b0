/** The queue before the threads, with threads whose every answer the test gives. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
	type Ended,
	FIRST_IN_A_ROW,
	type Lane,
	type Thread,
	ThreadQueue,
} from "../../src/threads/thread-queue.ts";

const ROOM = 4;
const STUCK_MS = 1000;
const IDLE_MS = 5000;

class FakeThread implements Thread<number, number> {
	running: number | undefined;
	closed = false;
	#answer: (answer: number) => void = () => {};
	#fail: (error: Error) => void = () => {};

	run(task: number): Promise<number> {
		if (this.closed || this.running !== undefined) throw new Error("not free");
		this.running = task;
		return new Promise((resolve, reject) => {
			this.#answer = resolve;
			this.#fail = reject;
		});
	}
	close(): Promise<void> {
		this.closed = true;
		this.fail("ended");
		return Promise.resolve();
	}
	answer(): void {
		this.#answer((this.running ?? 0) * 2);
		this.running = undefined;
	}
	fail(message: string): void {
		this.#fail(new Error(message));
		this.running = undefined;
	}
}

const open = (threads: number) => {
	const made: FakeThread[] = [];
	const queue = new ThreadQueue<number, number>({
		makeThread: () => {
			const thread = new FakeThread();
			made.push(thread);
			return thread;
		},
		threads,
		room: ROOM,
		stuckMs: STUCK_MS,
		idleMs: IDLE_MS,
	});
	const running = () => made.flatMap((thread) => thread.running ?? []);
	return { made, queue, running };
};

/** Lets promises that are settled be heard of. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a queue before threads", () => {
	type Step =
		| { readonly do: "submit"; readonly lane: Lane }
		| { readonly do: "withdraw" | "answer" | "crash"; readonly which: number };
	const step: fc.Arbitrary<Step> = fc.oneof(
		fc.record({
			do: fc.constant("submit" as const),
			lane: fc.constantFrom<Lane>("first", "later"),
		}),
		fc.record({
			do: fc.constantFrom(
				"withdraw" as const,
				"answer" as const,
				"answer" as const,
				"crash" as const,
			),
			which: fc.nat(20),
		}),
	);

	it("gives each task one end, the first lane before the other, which still gets its turn", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 3 }),
				fc.array(step, { maxLength: 40 }),
				async (threads, steps) => {
					const { made, queue, running } = open(threads);
					const lanes: Record<Lane, number[]> = { first: [], later: [] };
					const expected = new Set<number>();
					const ends: [number, string][] = [];
					const wanted: [number, string][] = [];
					const tickets = new Map<number, ReturnType<typeof queue.submit>>();
					let inARow = 0;
					const serve = (): void => {
						while (expected.size < threads) {
							const turn = lanes.later.length > 0 && inARow >= FIRST_IN_A_ROW;
							const lane = lanes.first.length === 0 || turn ? "later" : "first";
							const next = lanes[lane].shift();
							if (next === undefined) return;
							inARow = lane === "first" ? inARow + 1 : 0;
							expected.add(next);
						}
					};
					for (const [id, each] of steps.entries()) {
						if (each.do === "submit") {
							expect(queue.hasRoom(each.lane)).toBe(lanes[each.lane].length < ROOM);
							if (!queue.hasRoom(each.lane)) continue;
							const done = (ended: Ended<number>): void => {
								ends.push([id, ended.ok ? String(ended.answer) : ended.message]);
							};
							tickets.set(id, queue.submit(each.lane, id, done));
							lanes[each.lane].push(id);
						} else if (each.do === "withdraw") {
							const [id, ticket] = [...tickets][each.which % Math.max(tickets.size, 1)] ?? [];
							if (id === undefined || ticket === undefined) continue;
							const own = lanes[ticket.lane];
							expect(queue.withdraw(ticket)).toBe(own.includes(id));
							if (own.includes(id)) own.splice(own.indexOf(id), 1);
						} else {
							const busy = made.filter((thread) => thread.running !== undefined);
							const thread = busy[each.which % Math.max(busy.length, 1)];
							const task = thread?.running;
							if (thread === undefined || task === undefined) continue;
							expected.delete(task);
							wanted.push([task, each.do === "answer" ? String(task * 2) : "crashed"]);
							if (each.do === "answer") thread.answer();
							else thread.fail("crashed");
							await turn();
							expect(thread.closed).toBe(each.do === "crash");
						}
						serve();
						expect(running().sort()).toEqual([...expected].sort());
						expect(ends).toEqual(wanted);
						expect(queue.waiting("first")).toBe(lanes.first.length);
						expect(queue.waiting("later")).toBe(lanes.later.length);
					}
					await queue.close();
				},
			),
		);
	});

	it("has given the thread its next task before anybody hears of the last one", async () => {
		const { made, queue, running } = open(1);
		const seen: number[][] = [];
		queue.submit("first", 1, () => seen.push(running()));
		queue.submit("first", 2, () => {});
		made[0]?.answer();
		await turn();
		expect(seen).toEqual([[2]]);
		await queue.close();
	});

	it("ends everything when it is closed, and takes nothing more", async () => {
		const { made, queue } = open(1);
		const heard: [number, boolean][] = [];
		queue.submit("first", 1, ({ ok }) => heard.push([1, ok]));
		queue.submit("later", 2, ({ ok }) => heard.push([2, ok]));
		await queue.close();
		await turn();
		expect(heard).toEqual([
			[2, false],
			[1, false],
		]);
		expect(made.map(({ closed }) => closed)).toEqual([true]);
		expect(queue.hasRoom("first")).toBe(false);
	});

	it("serves clients in turn, and leaves a thread to others", async () => {
		const made: FakeThread[] = [];
		const queue = new ThreadQueue<number, number>({
			makeThread: () => {
				made.push(new FakeThread());
				return made.at(-1) as FakeThread;
			},
			threads: 2,
			room: 4,
			roomEach: 3,
			runningEach: 1,
			stuckMs: STUCK_MS,
			idleMs: IDLE_MS,
		});
		const running = () => made.flatMap((thread) => thread.running ?? []).sort();
		const ends: string[] = [];
		const submit = (client: string, id: number) =>
			queue.submit("first", id, (end) => ends.push(`${id} ${end.ok || end.message}`), client);
		for (const id of [1, 2, 3, 4]) submit("a", id);
		expect(running()).toEqual([1]);
		expect(queue.hasRoom("first", "a")).toBe(false);
		submit("b", 11);
		expect(running()).toEqual([1, 11]);
		submit("b", 12);
		submit("c", 21);
		expect(ends).toEqual(["4 too many are waiting"]);
		made.find((thread) => thread.running === 11)?.answer();
		await turn();
		expect(running()).toEqual([1, 12]);
		made.find((thread) => thread.running === 1)?.answer();
		await turn();
		expect(running()).toEqual([12, 2].sort());
		await queue.close();
	});

	describe("with a clock of its own", () => {
		beforeEach(() => {
			vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		});
		afterEach(() => {
			vi.useRealTimers();
		});

		it("ends its threads without work, unless somebody keeps them", async () => {
			const { made, queue } = open(1);
			const finish = async (): Promise<void> => {
				made.at(-1)?.answer();
				await turn();
			};
			const release = queue.keep();
			expect(made).toHaveLength(1);
			queue.submit("first", 1, () => {});
			expect(made[0]?.running).toBe(1);
			await finish();
			const releaseToo = queue.keep();
			vi.advanceTimersByTime(2 * IDLE_MS);
			release();
			vi.advanceTimersByTime(2 * IDLE_MS);
			expect(made.map(({ closed }) => closed)).toEqual([false]);
			releaseToo();
			vi.advanceTimersByTime(IDLE_MS - 1);
			expect(made[0]?.closed).toBe(false);
			queue.submit("first", 2, () => {});
			vi.advanceTimersByTime(1);
			expect(made[0]?.closed).toBe(false);
			await finish();
			vi.advanceTimersByTime(IDLE_MS);
			expect(made.map(({ closed }) => closed)).toEqual([true]);
			queue.submit("first", 3, () => {});
			expect(made[1]?.running).toBe(3);
			await queue.close();
		});

		it("starts a thread anew that has crashed, where somebody keeps it", async () => {
			const { made, queue } = open(1);
			queue.keep();
			queue.submit("first", 1, () => {});
			made[0]?.fail("crashed");
			await turn();
			expect(made.map(({ closed }) => closed)).toEqual([true, false]);
			await queue.close();
		});

		it("ends a thread that gives no answer, and no other", async () => {
			const { made, queue } = open(1);
			const heard: Ended<number>[] = [];
			queue.submit("first", 1, (ended) => heard.push(ended));
			queue.submit("first", 2, (ended) => heard.push(ended));
			vi.advanceTimersByTime(STUCK_MS - 1);
			expect(made[0]?.closed).toBe(false);
			vi.advanceTimersByTime(1);
			await turn();
			expect(heard).toEqual([{ ok: false, message: "ended" }]);
			expect(made[1]?.running).toBe(2);
			made[1]?.answer();
			await turn();
			vi.advanceTimersByTime(2 * STUCK_MS);
			await turn();
			expect(heard).toEqual([
				{ ok: false, message: "ended" },
				{ ok: true, answer: 4 },
			]);
			expect(made[1]?.closed).toBe(false);
			await queue.close();
		});
	});
});

it("tells of a thread that was lost, and not of one that it closes itself", async () => {
	const lost: string[] = [];
	let fail: (error: Error) => void = () => {};
	const queue = new ThreadQueue<number, number>({
		makeThread: () => ({
			run: () =>
				new Promise((_, reject) => {
					fail = reject;
				}),
			close: async () => fail(new Error("closed")),
		}),
		threads: 1,
		room: 4,
		stuckMs: 60_000,
		idleMs: 60_000,
		onLost: (message) => lost.push(message),
	});
	const ended = new Promise((resolve) => queue.submit("first", 1, resolve));
	fail(new Error("no memory"));
	expect(await ended).toEqual({ ok: false, message: "no memory" });
	const closed = new Promise((resolve) => queue.submit("first", 2, resolve));
	await queue.close();
	expect(await closed).toEqual({ ok: false, message: "closed" });
	expect(lost).toEqual(["no memory"]);
});
