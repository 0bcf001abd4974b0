import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Heartbeat } from "../../../src/process/supervisor/heartbeat.ts";
import {
	frontOf,
	leadTo,
	ownMetrics,
	readinessOf,
	settleAll,
} from "../../../src/process/supervisor/serving-workers.ts";
import { configOf } from "../../edge/harness.ts";

const NOW = 1_000_000;
const worker = (index: number, state: "listening" | "draining" | "loading", silentMs = 0) => ({
	index,
	state,
	heartbeat: new Heartbeat(NOW - silentMs),
	front: "on" as const,
});
const late = LIMITS.workerLateMs;

it("counts those that listen and answer, of whatever generation", () => {
	const workers = [
		worker(0, "draining"),
		worker(0, "listening"),
		worker(1, "listening", late),
		worker(2, "loading"),
	];
	expect(ownMetrics(workers, NOW).weir_workers).toBe(1);
	expect(readinessOf(workers, NOW)).toBe("1 of 2 workers answer at the moment.");
	expect(readinessOf(workers.slice(0, 2), NOW)).toBe(true);
	expect(readinessOf([], NOW)).toBe(false);
});

it("leads connections to those that accept them", () => {
	const nowMs = performance.now();
	const workers = [
		{ ...worker(0, "draining"), heartbeat: new Heartbeat(nowMs) },
		{ ...worker(1, "listening"), heartbeat: new Heartbeat(nowMs) },
		{ ...worker(2, "listening"), heartbeat: new Heartbeat(nowMs - 2 * late) },
	];
	let led: boolean[] = [];
	leadTo(workers, 3, {
		lead(count, accepts) {
			led = Array.from({ length: count }, (_, index) => accepts(index));
		},
	});
	expect(led).toEqual([false, true, false]);
});

it("the front is what the worst of them has", () => {
	const [one, other] = [worker(0, "listening"), worker(1, "listening")];
	expect(frontOf([one, other])).toBe("on");
	expect(frontOf([one, { ...other, front: "unavailable" as const }])).toBe("unavailable");
});

it("settles with those that stay, and tells each reason once", async () => {
	const settlement = { config: configOf(), listeners: [] };
	const answering = (reasons: readonly string[], drained = false) => ({
		drained,
		settle: async () => reasons,
	});
	const leaving = answering(["not asked"], true);
	expect(await settleAll([leaving, answering([])], 1, 1, settlement)).toEqual([]);
	expect(await settleAll([leaving, answering([])], 2, 1, settlement)).toEqual([
		"a worker is being replaced",
	]);
	const both = [answering(["geo.database"]), answering(["geo.database"])];
	expect(await settleAll(both, 2, 1, settlement)).toEqual(["geo.database"]);
});
