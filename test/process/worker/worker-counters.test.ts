/** A worker shares the supervisor's counters, or counts for itself and says so; touching goes on all the time. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Counters } from "../../../src/limiter/binding.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import {
	keepTouched,
	openWorkerCounters,
	reportGrowth,
} from "../../../src/process/worker/worker-counters.ts";
import { recordedLog } from "../recorded-log.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-worker-counters-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened: Counters[] = [];
const closedLater = (counters: Counters): Counters => {
	opened.push(counters);
	return counters;
};
afterEach(() => {
	for (const counters of opened.splice(0)) counters.close();
	vi.useRealTimers();
});

/** @returns the milliseconds to wait, of the only key of a limit of one */
const admit = (counters: Counters): number =>
	counters.open("name", 1, 60_000, 8)?.admit([]) ?? Number.NaN;

const never = (): void => {
	throw new Error("it counts alone");
};

describe("openWorkerCounters", () => {
	it("shares the file that the supervisor opened", () => {
		const path = join(folder, "shared");
		const { log, lines } = recordedLog();
		expect(admit(closedLater(new Counters({ path, owner: true })))).toBe(0);
		expect(admit(closedLater(openWorkerCounters(path, log, never)))).toBeGreaterThan(0);
		expect(lines).toEqual([]);
	});

	it("counts for itself where the supervisor has no file, without another word", () => {
		const { log, lines } = recordedLog();
		expect(admit(closedLater(openWorkerCounters(null, log, never)))).toBe(0);
		expect(admit(closedLater(openWorkerCounters(null, log, never)))).toBe(0);
		expect(lines).toEqual([]);
	});

	it("counts for itself where the file is gone or another one, and says so", () => {
		const foreign = join(folder, "foreign");
		writeFileSync(foreign, "not this");
		for (const [path, reason] of [
			[join(folder, "missing"), /No such file/],
			[foreign, /no counters file/],
		] as const) {
			const { log, lines } = recordedLog();
			let alone = 0;
			const onAlone = () => {
				alone++;
			};
			const counters = closedLater(openWorkerCounters(path, log, onAlone));
			expect(alone).toBe(1);
			expect(admit(counters)).toBe(0);
			expect(admit(counters)).toBeGreaterThan(0);
			expect(lines).toEqual([
				{
					level: "error",
					fields: { file: path, reason: expect.stringMatching(reason) },
					message: "this worker counts rate-limits for itself",
				},
			]);
		}
	});
});

describe("reportGrowth", () => {
	const EFBIG = 27;
	const ENOSPC = 28;

	function reporting() {
		const statistics = {
			limiters: 0,
			live: 0,
			evicted: 0,
			full: 0,
			bytes: 2_097_152,
		};
		const counters = { growthError: 0, statistics: () => statistics };
		const { log, lines } = recordedLog();
		return { counters, lines, report: reportGrowth(counters, log) };
	}

	it("says nothing while the counters can grow", () => {
		const { report, lines } = reporting();
		report();
		report();
		expect(lines).toEqual([]);
	});

	it("says once what keeps them from it, and again what else does", () => {
		const { report, lines, counters } = reporting();
		const reasons = () => lines.map(({ fields }) => (fields as { reason: string }).reason);
		counters.growthError = ENOSPC;
		for (let round = 0; round < 3; round++) report();
		expect(lines).toEqual([
			{
				level: "error",
				fields: { reason: "ENOSPC", bytes: 2_097_152 },
				message: expect.stringContaining("the counters file can't grow"),
			},
		]);
		counters.growthError = EFBIG;
		for (let round = 0; round < 3; round++) report();
		expect(reasons()).toEqual(["ENOSPC", "EFBIG"]);
	});

	it("says it again when it was over in between", () => {
		const { report, lines, counters } = reporting();
		for (const growthError of [ENOSPC, 0, ENOSPC, ENOSPC]) {
			counters.growthError = growthError;
			report();
		}
		expect(lines).toHaveLength(2);
	});

	it("reads it from counters that are as large as they may be", () => {
		const counters = closedLater(new Counters({ bytesMax: 2_097_152 }));
		const { log, lines } = recordedLog();
		const report = reportGrowth(counters, log);
		report();
		expect(lines).toEqual([]);
		let number = 0;
		while (counters.open(`name ${number}`, 1, 60_000, 8) !== undefined) number += 1;
		report();
		report();
		expect(lines.map(({ fields }) => fields)).toEqual([{ reason: "EFBIG", bytes: 2_097_152 }]);
	});
});

describe("keepTouched", () => {
	it("touches all parts within every period, and tells of each round once", () => {
		vi.useFakeTimers();
		const parts: (readonly (number | undefined)[])[] = [];
		const onRound = vi.fn();
		keepTouched({ touch: (...part) => void parts.push(part) }, onRound);
		for (let round = 1; round <= 3; round++) {
			parts.length = 0;
			vi.advanceTimersByTime(LIMITS.limiterTouchMs);
			const of = parts[0]?.[1] ?? 0;
			expect(of).toBeGreaterThan(1);
			expect(parts).toEqual(Array.from({ length: of }, (_, part) => [part, of]));
			expect(onRound).toHaveBeenCalledTimes(round);
		}
	});
});
