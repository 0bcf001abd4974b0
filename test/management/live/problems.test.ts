/** What is wrong: the worst first, each since it began, with a remedy; nothing where all is well. */
import { describe, expect, it } from "vitest";
import { Problems, type Situation } from "../../../src/management/live/problems.ts";
import type { LiveUpstream, LiveWorker } from "../../../src/management/live/shapes.ts";

const worker = (id: number, state: LiveWorker["state"]): LiveWorker => ({
	...{ id, state, pid: 1, policy_version: 0, cpu: 0, rss_bytes: 0 },
	...{ requests_per_second: 0, started: 0 },
});
const upstream = (fields: Partial<LiveUpstream>): LiveUpstream => ({
	...{ address: "http://b:1", state: "up", requests_per_second: 10, failures_per_second: 0 },
	...{ set_aside_ms: 0, requests: 0, failures: 0 },
	...fields,
});
const point = (requests: number, errors: number) => ({
	...{ ts: 0, requests_per_second: requests, errors_per_second: errors, refusals_per_second: 0 },
	...{ p50_ms: null, p99_ms: null },
});
const WELL: Situation = {
	...{ workers: [worker(0, "serving")], upstreams: [upstream({})] },
	...{ points: [point(100, 1)], conditions: [] },
};
const of = (situation: Partial<Situation>) => new Problems().of({ ...WELL, ...situation }, 7);

describe("problems", () => {
	it("are none where all is well, a worker being replaced by another included", () => {
		expect(of({})).toEqual([]);
		expect(of({ workers: [worker(0, "leaving"), worker(0, "serving")] })).toEqual([]);
		expect(of({ points: Array(10).fill(point(0.1, 0.1)) })).toEqual([]);
	});

	it.each<[Partial<Situation>, string, string]>([
		[{ workers: [worker(0, "missing"), worker(1, "serving")] }, "worker-0-missing", "warning"],
		[{ workers: [worker(0, "starting"), worker(1, "serving")] }, "worker-0-missing", "warning"],
		[{ workers: [worker(0, "late"), worker(1, "serving")] }, "worker-0-late", "warning"],
		[{ workers: [worker(0, "missing")] }, "no-worker", "critical"],
		[{ upstreams: [upstream({ state: "set_aside" })] }, "upstream-http://b:1", "warning"],
		[
			{ upstreams: [upstream({ state: "failing", failures_per_second: 2 })] },
			...(["upstream-http://b:1", "warning"] as const),
		],
		[{ points: Array(10).fill(point(100, 10)) }, "errors", "warning"],
		[{ points: Array(10).fill(point(100, 60)) }, "errors", "critical"],
	])("%j is %s", (situation, id, severity) => {
		const [first] = of(situation);
		expect(first).toMatchObject({ id, severity, since: 7 });
		expect(first?.sentence).toMatch(/^[A-Z].*[.]$/);
	});

	it("keep the time since when, until they are over", () => {
		const problems = new Problems();
		const bad = { ...WELL, workers: [worker(0, "late"), worker(1, "serving")] };
		const wrong = { id: "store-lost", severity: "critical", sentence: "Lost." } as const;
		expect(problems.of(bad, 1)).toMatchObject([{ since: 1 }]);
		expect(problems.of({ ...bad, conditions: [wrong] }, 2)).toMatchObject([
			{ id: "store-lost", since: 2 },
			{ id: "worker-0-late", since: 1 },
		]);
		expect(problems.of(WELL, 3)).toEqual([]);
		expect(problems.of(bad, 4)).toMatchObject([{ since: 4 }]);
	});
});
