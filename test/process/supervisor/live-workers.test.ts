/** Workers as the live feed sees them: all that they tell is collected once, and which changes they serve is known. */
import { describe, expect, it, vi } from "vitest";
import { LiveWorkers } from "../../../src/process/supervisor/live-workers.ts";
import type { WorkerState } from "../../../src/process/supervisor/worker-handle.ts";
import { reportOf, trafficOf } from "../../management/live/source.ts";

class FakeWorker {
	readonly index: number;
	readonly startedMs = 1;
	readonly pid: number | undefined;
	state: WorkerState = "listening";
	isLate = false;
	readonly heartbeat = { isLate: () => this.isLate } as never;
	/** what is done when it is asked */
	answer: () => Promise<unknown> = async () => {};
	readonly live = (): Promise<unknown> => this.answer();
	readonly watched: unknown[] = [];
	readonly watch = async (tokens: unknown): Promise<void> => {
		await this.answer();
		this.watched.push(tokens);
	};

	constructor(index: number, pid: number | undefined = 100 + index) {
		this.index = index;
		this.pid = pid;
	}
	get mustAcknowledge(): boolean {
		return this.state !== "loading" && this.state !== "dead";
	}
}

function start(...workers: FakeWorker[]) {
	const totals = { add: vi.fn() };
	const live = new LiveWorkers<FakeWorker>(workers, totals, () => workers.length);
	return { live, totals };
}

describe("what workers tell", () => {
	it("is collected, whatever it came with", async () => {
		const [one, other] = [new FakeWorker(0), new FakeWorker(1)];
		const { live, totals } = start(one, other);
		const scraped = trafficOf({});
		live.add(one, scraped);
		one.answer = async () => live.add(one, trafficOf({}), reportOf({ refusals: 2 }));
		const reported = await live.collect();
		expect(reported).toHaveLength(1);
		expect(reported[0]).toMatchObject({ index: 0, pid: 100, report: { refusals: 2 } });
		expect(reported[0]?.traffic).toHaveLength(2);
		const [first, second] = reported[0]?.traffic ?? [];
		expect(first).toEqual({ ...scraped, toldAt: expect.any(Number) });
		expect(first?.toldAt).toBeLessThanOrEqual(second?.toldAt ?? 0);
		expect(totals.add).toHaveBeenCalledTimes(2);
		one.answer = async () => {};
		expect(await live.collect()).toEqual([]);
	});

	it("is not lost if it comes late", async () => {
		const worker = new FakeWorker(0);
		const { live } = start(worker);
		expect(await live.collect()).toEqual([]);
		live.add(worker, trafficOf({}), reportOf({ refusals: 1 }));
		worker.answer = async () => live.add(worker, trafficOf({}), reportOf({ refusals: 5 }));
		const [reported] = await live.collect();
		expect(reported?.report.refusals).toBe(6);
		expect(reported?.traffic).toHaveLength(2);
	});

	it("is not lost if the worker ends before it is collected, and comes before who has its place then", async () => {
		const [old, silent, next] = [new FakeWorker(0), new FakeWorker(1, 200), new FakeWorker(0, 300)];
		const workers = [old, silent, next];
		const { live } = start(...workers);
		live.add(old, trafficOf({}), reportOf({ refusals: 3 }));
		live.add(silent, trafficOf({}));
		next.answer = async () => live.add(next, trafficOf({}), reportOf({ refusals: 1 }));
		for (const worker of [old, silent]) worker.state = "dead";
		const reported = await live.collect();
		expect(reported.map(({ pid, report }) => [pid, report.refusals])).toEqual([
			[100, 3],
			[200, 0],
			[300, 1],
		]);
		expect(reported.map(({ traffic }) => traffic.length)).toEqual([1, 1, 1]);
		next.answer = async () => {};
		expect(await live.collect()).toEqual([]);
	});
});

describe("workers", () => {
	it("have their states", () => {
		const workers = Array.from({ length: 5 }, (_, index) => new FakeWorker(index));
		const states: WorkerState[] = ["loading", "loaded", "listening", "draining", "dead"];
		for (const [index, state] of states.entries()) Object.assign(workers[index] ?? {}, { state });
		const { live } = start(...workers);
		expect(live.workers().map(({ state }) => state)).toEqual([
			...["starting", "starting", "serving", "leaving"],
		]);
		Object.assign(workers[2] ?? {}, { isLate: true });
		expect(live.workers()[2]?.state).toBe("late");
		expect(live.workersWanted).toBe(5);
	});

	it("all know the tokens of explanations before anybody has one", async () => {
		const workers = [new FakeWorker(0), new FakeWorker(1)];
		const { live } = start(...workers);
		const token = { hash: "h", untilMs: 1 };
		await live.watch([token]);
		expect(workers.map(({ watched }) => watched)).toEqual([[[token]], [[token]]]);
	});

	it("serve what they have acknowledged, and the rest is known of when all have", async () => {
		const [quick, slow, loading] = [new FakeWorker(0), new FakeWorker(1), new FakeWorker(2)];
		loading.state = "loading";
		const { live } = start(quick, slow, loading);
		const versions = () => live.workers().map(({ policyVersion }) => policyVersion);
		expect(versions()).toEqual([0, 0, undefined]);
		let release = () => {};
		const published = live.publish(3, (worker) =>
			worker === slow
				? new Promise((resolve) => {
						release = resolve;
					})
				: Promise.resolve(),
		);
		await vi.waitUntil(() => versions()[0] === 3);
		expect([versions(), live.revision]).toEqual([[3, 0, undefined], 0]);
		release();
		await published;
		loading.state = "listening";
		expect([versions(), live.revision]).toEqual([[3, 3, 3], 3]);
	});
});
