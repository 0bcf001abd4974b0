/** When changes begin: which wait for others, and which never do. Time is the test's. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { CommitDelay } from "../../src/management/commit-delay.ts";

const SMALL = 100;
const WORK_MS = 8;

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** Changes of one server: when each began, and what was asked of it. */
class Changes {
	readonly #delay = new CommitDelay();
	/** names by the millisecond at which they began together */
	readonly groups = new Map<number, string[]>();

	/** Resolves when it is answered, so long after it began. @param workMs told when that was */
	send(
		name: string,
		{ bytes = SMALL, workMs = (_: number): number => WORK_MS } = {},
	): Promise<string> {
		return this.#delay.run(bytes, async () => {
			const now = performance.now();
			this.groups.set(now, [...(this.groups.get(now) ?? []), name]);
			await new Promise((resolve) => setTimeout(resolve, workMs(now)));
			return name;
		});
	}

	/** One by one, each so long after the answer to the one before. */
	async sequence(name: string, count: number, pauseMs: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			await this.send(`${name}${n}`);
			await new Promise((resolve) => setTimeout(resolve, pauseMs));
		}
	}

	get sizes(): number[] {
		return [...this.groups.values()].map(({ length }) => length);
	}
}

/** Resolves so that what the promises of now lead to has happened. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it.each([1, 5, 15, 30, 100])(
	"a client that waits for each answer, and %i ms more, is never delayed",
	async (pauseMs) => {
		const changes = new Changes();
		const began = performance.now();
		let done = false;
		void changes.sequence("a", 50, pauseMs).then(() => {
			done = true;
		});
		await pass(50 * (WORK_MS + pauseMs));
		expect(done).toBe(true);
		expect(changes.sizes).toEqual(Array(50).fill(1));
		expect(performance.now() - began).toBe(50 * (WORK_MS + pauseMs));
	},
);

it("nor, if it sends the next at once, is one beside others that send now and then", async () => {
	const changes = new Changes();
	let done = false;
	void changes.sequence("often", 100, 1).then(() => {
		done = true;
	});
	void changes.sequence("seldom", 100, 70);
	await pass(100 * (WORK_MS + 1));
	expect(done).toBe(true);
	expect([...changes.groups.values()].flat()).toContain("seldom9");
});

it("changes that come at a rate of their own begin in groups, none later than the delay", async () => {
	const changes = new Changes();
	const late: number[] = [];
	for (let n = 0; n < 200; n++) {
		const sent = performance.now();
		// Now and then a group takes longer than until the next comes.
		void changes.send(`${n}`, { workMs: (now) => 3 + ((now * 7) % 15) }).then(() => {
			late.push(performance.now() - sent);
		});
		await pass(10);
	}
	await pass(100);
	expect(late).toHaveLength(200);
	expect(Math.max(...late)).toBeLessThanOrEqual(17 + LIMITS.commitDelayMs);
	expect(changes.groups.size).toBeLessThan(80);
	// in the order in which they came
	expect([...changes.groups.values()].flat()).toEqual(late.map((_, n) => `${n}`));
});

it("several clients that all wait begin together, as soon as the last has come", async () => {
	const changes = new Changes();
	const lanes = ["a", "b", "c"];
	let done = 0;
	for (const lane of lanes) void changes.sequence(lane, 20, 5).then(() => done++);
	await pass(20 * (WORK_MS + 5) + LIMITS.commitDelayMs);
	expect(done).toBe(3);
	// The first came alone; so its client is ready before the others at the end.
	expect(changes.sizes).toEqual([1, ...Array(19).fill(3), 2]);
});

it("a group does not wait for more than it needs", async () => {
	const changes = new Changes();
	const { commitDelayChanges: most } = LIMITS;
	for (let n = 0; n < 3 * most; n++) void changes.send(`${n}`, { workMs: () => 1000 });
	await pass(0);
	// the first of all at once, then whole groups, the rest with the delay
	expect([...changes.groups.values()].flat()).toHaveLength(1 + 2 * most);
	await pass(LIMITS.commitDelayMs);
	expect([...changes.groups.values()].flat()).toHaveLength(3 * most);
});

it("a large change begins at once, and delays nobody", async () => {
	const changes = new Changes();
	const large = { bytes: LIMITS.commitDelayBytes + 1, workMs: () => 5000 };
	void changes.send("large", large);
	void changes.sequence("small", 20, 10);
	await pass(20 * (WORK_MS + 10));
	expect(changes.sizes.reduce((sum, size) => sum + size)).toBe(21);
});

it("is as good after a change that failed", async () => {
	const delay = new CommitDelay();
	const fails = () => {
		throw new Error("refused");
	};
	for (let n = 0; n < 5; n++) {
		await expect(delay.run(SMALL, fails)).rejects.toThrow("refused");
		await expect(delay.run(SMALL, () => n)).resolves.toBe(n);
	}
});
