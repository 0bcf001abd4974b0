/** What the supervisor does about the counters: says what is wrong, collects in slices, measures, closes. */
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { Counters } from "../../../src/limiter/binding.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { CountersKeeper } from "../../../src/process/supervisor/counters-keeper.ts";
import { familyOf } from "../../../src/telemetry/metric-families.ts";
import { recordedLog } from "../recorded-log.ts";

/** Where substitutes may be made; undefined: where they usually are. */
const place = vi.hoisted((): { substitutes: readonly string[] | undefined } => ({
	substitutes: undefined,
}));
vi.mock("../../../src/limiter/counters-file.ts", async (original) => {
	const actual = await original<typeof import("../../../src/limiter/counters-file.ts")>();
	return {
		...actual,
		openCountersFile: (path: string) => actual.openCountersFile(path, place.substitutes),
	};
});

const root = mkdtempSync(join(tmpdir(), "weir-keeper-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
let path = "";
const keepers: CountersKeeper[] = [];

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setImmediate", "clearImmediate"] });
	const folder = join(root, `case-${folders++}`);
	mkdirSync(folder);
	path = join(folder, "counters");
	place.substitutes = [folder];
});
afterEach(() => {
	for (const keeper of keepers.splice(0)) keeper.close();
	vi.restoreAllMocks();
	vi.useRealTimers();
});

function start() {
	const { log, lines } = recordedLog();
	const keeper = new CountersKeeper(path, log);
	keepers.push(keeper);
	return { keeper, lines };
}

/** As many requests of one key as a worker counts. */
function count(counters: Counters, requests: number): void {
	const limiter = counters.open("name", 1, 60_000, 8);
	for (let request = 0; request < requests; request++) {
		limiter?.admit([`request ${request}`]);
	}
}

it("says nothing about a file that is fine, and tells the workers where it is", () => {
	const { keeper, lines } = start();
	expect(lines).toEqual([]);
	const worker = new Counters({ path: keeper.path ?? "" });
	count(worker, 1);
	worker.close();
	expect(new Counters({ path }).statistics()).toMatchObject({ limiters: 1, live: 1 });
});

it("logs every warning with the file that was wanted", () => {
	writeFileSync(path, "not this");
	const first = start();
	expect(first.lines).toHaveLength(1);
	expect(first.lines[0]).toMatchObject({ level: "warn", fields: { file: path } });
	expect(first.lines[0]?.message).toMatch(/set aside/);

	path = join(path, "below-a-file");
	const second = start();
	expect(second.lines.map(({ level }) => level)).toEqual(["warn", "warn"]);
});

it("says once that the file was removed or replaced", () => {
	for (const trouble of [
		() => rmSync(path),
		() => {
			copyFileSync(path, `${path}.copy`);
			renameSync(`${path}.copy`, path);
		},
	]) {
		path += "-";
		const { lines } = start();
		vi.advanceTimersByTime(LIMITS.countersCollectMs);
		expect(lines).toEqual([]);
		trouble();
		vi.advanceTimersByTime(3 * LIMITS.countersCollectMs);
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatchObject({ level: "error", fields: { file: path } });
		expect(lines[0]?.message).toMatch(/removed or replaced/);
	}
});

it("measures what the workers counted, under names that are printed", () => {
	const { keeper } = start();
	expect(keeper.metrics()).toEqual({
		weir_rate_limits: 0,
		weir_rate_limit_live_keys: 0,
		weir_rate_limit_evicted_keys_total: 0,
		weir_rate_limit_full_total: 0,
		weir_counters_bytes: 2_097_152,
	});
	const worker = new Counters({ path: keeper.path ?? "" });
	count(worker, 11);
	expect(keeper.metrics()).toEqual({
		weir_rate_limits: 1,
		weir_rate_limit_live_keys: 8,
		weir_rate_limit_evicted_keys_total: 0,
		weir_rate_limit_full_total: 3,
		weir_counters_bytes: 2_097_152,
	});
	worker.close();
	for (const name of Object.keys(keeper.metrics())) expect(familyOf(name)).toBeDefined();
});

it.each([0, 4096])("never touches a file again that was cut to %i bytes", (bytes) => {
	const collect = vi.spyOn(Counters.prototype, "collect");
	const { keeper, lines } = start();
	const before = collect.mock.calls.length;
	truncateSync(path, bytes);
	expect(keeper.metrics()).toEqual({});
	vi.advanceTimersByTime(3 * LIMITS.countersCollectMs);
	expect(collect.mock.calls.length).toBe(before);
	const said = lines.filter(({ message }) => message.includes("cut short"));
	expect(said).toHaveLength(1);
	keeper.close();
});

it("measures nothing where each worker counts for itself", () => {
	place.substitutes = [];
	path = join(path, "in a folder that is missing");
	const { keeper, lines } = start();
	expect(keeper.path).toBeNull();
	expect(keeper.metrics()).toEqual({});
	expect(lines).toHaveLength(2);
});

it("collects once per round", () => {
	const collect = vi.spyOn(Counters.prototype, "collect");
	start();
	const before = collect.mock.calls.length;
	for (let round = 1; round <= 3; round++) {
		vi.advanceTimersByTime(LIMITS.countersCollectMs);
		expect(collect.mock.calls.length - before).toBe(round);
	}
	expect(collect.mock.calls.at(-1)).toEqual([LIMITS.countersCellsPerSlice]);
});

it("collects in slices, and begins no round before the last one has ended", () => {
	const { keeper } = start();
	const collect = vi.spyOn(Counters.prototype, "collect").mockReturnValue(false);
	vi.advanceTimersByTime(LIMITS.countersCollectMs);
	expect(collect).toHaveBeenCalledTimes(1);
	for (let slice = 2; slice <= 5; slice++) {
		vi.advanceTimersToNextTimer();
		expect(collect).toHaveBeenCalledTimes(slice);
		expect(vi.getTimerCount(), "the round's timer and one slice").toBe(2);
	}
	collect.mockReturnValue(true);
	vi.advanceTimersToNextTimer();
	expect(collect).toHaveBeenCalledTimes(6);
	expect(vi.getTimerCount()).toBe(1);
	vi.advanceTimersByTime(LIMITS.countersCollectMs);
	expect(collect).toHaveBeenCalledTimes(7);
	keeper.close();
});

it("closes once, in the middle of a round too, and does nothing after it", () => {
	const { keeper } = start();
	const collect = vi.spyOn(Counters.prototype, "collect").mockReturnValue(false);
	const close = vi.spyOn(Counters.prototype, "close");
	vi.advanceTimersByTime(LIMITS.countersCollectMs);
	keeper.close();
	keeper.close();
	expect(close).toHaveBeenCalledTimes(1);
	expect(vi.getTimerCount()).toBe(0);
	vi.advanceTimersByTime(10 * LIMITS.countersCollectMs);
	expect(collect).toHaveBeenCalledTimes(1);
});
