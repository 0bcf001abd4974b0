/** One bound of body memory: who may hold how much of it, who is held back and goes on. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyMemory, type HeldUpload } from "../../../src/edge/slow/body-memory.ts";

const LIMIT = 12_000_000;
const READ = 400_000;

class Gauge {
	bodyBytes = 0;
}
class Upload implements HeldUpload {
	isHeldBack = false;
	readonly hasBegun: boolean;
	constructor(hasBegun = true) {
		this.hasBegun = hasBegun;
	}
	holdBack(isHeldBack: boolean): void {
		this.isHeldBack = isHeldBack;
	}
}

/** Time goes on with each question. */
const scene = () => {
	const memory = new BodyMemory(LIMIT);
	let now = 0;
	return { memory, tick: () => (now += 10) };
};

describe("body memory", () => {
	it.each([1, 2, 3, 8])(
		"%i backends that don't read get equal parts of it and leave as much to others",
		(hogs) => {
			const { memory, tick } = scene();
			const gauges = Array.from({ length: hogs }, () => new Gauge());
			const shares = gauges.map((gauge) => memory.share(gauge));
			for (const share of shares) share.enter();
			for (let round = 0; round < 10_000; round++) {
				const index = round % hogs;
				const share = shares[index];
				const gauge = gauges[index];
				if (share?.isFull(tick()) === false && gauge !== undefined) gauge.bodyBytes += 10_000;
			}
			const part = LIMIT / (hogs + 1);
			for (const { bodyBytes } of gauges) {
				expect(Math.abs(bodyBytes - part)).toBeLessThan(part / 20);
			}
			const other = memory.share(new Gauge());
			other.enter();
			expect(other.isFull(tick())).toBe(false);
		},
	);

	it("counts what the edge holds like what the upstream holds", () => {
		const { memory, tick } = scene();
		const share = memory.share(new Gauge());
		share.enter();
		share.keep(LIMIT / 2);
		expect([share.isFull(tick()), memory.bytes(tick())]).toEqual([true, LIMIT / 2]);
		share.keep(-LIMIT / 2);
		expect([share.isFull(tick()), memory.bytes(tick())]).toEqual([false, 0]);
	});

	it("holds all uploads of a backend back at half its part, and none of others", () => {
		const { memory, tick } = scene();
		const gauge = new Gauge();
		const share = memory.share(gauge);
		const other = memory.share(new Gauge());
		const uploads = Array.from({ length: 10 }, () => new Upload());
		const elsewhere = new Upload();
		for (const upload of uploads) {
			share.enter();
			share.grew(upload, tick());
		}
		other.enter();
		other.grew(elsewhere, tick());
		gauge.bodyBytes = LIMIT / 3 - 1;
		const [first = new Upload(), ...rest] = uploads;
		share.grew(first, tick());
		expect(uploads.some(({ isHeldBack }) => isHeldBack)).toBe(false);
		gauge.bodyBytes = LIMIT / 3;
		share.grew(first, tick());
		other.grew(elsewhere, tick());
		expect(uploads.every(({ isHeldBack }) => isHeldBack)).toBe(true);
		expect(elsewhere.isHeldBack).toBe(false);

		// One whose bytes the backend has taken goes on by itself, the others as there is room for a read each.
		share.drained(first, tick());
		expect([first.isHeldBack, rest.some(({ isHeldBack }) => !isHeldBack)]).toEqual([false, false]);
		memory.relax(tick());
		expect(rest.some(({ isHeldBack }) => !isHeldBack)).toBe(false);
		gauge.bodyBytes = LIMIT / 3 - READ;
		memory.relax(tick());
		expect(rest.filter(({ isHeldBack }) => !isHeldBack)).toHaveLength(2);
		gauge.bodyBytes = 0;
		memory.relax(tick());
		expect(rest.some(({ isHeldBack }) => isHeldBack)).toBe(false);
	});

	it("holds those that have begun back for what the upstream has not taken, not for what waits", () => {
		const { memory, tick } = scene();
		const gauge = new Gauge();
		const share = memory.share(gauge);
		const begun = [new Upload(), new Upload()] as const;
		const waiting = [new Upload(false), new Upload(false)] as const;
		const all = [...begun, ...waiting];
		const states = () => all.map(({ isHeldBack }) => isHeldBack);
		for (const upload of all) {
			share.enter();
			share.grew(upload, tick());
		}
		share.keep(LIMIT / 2 - READ);
		share.grew(waiting[0], tick());
		expect(states()).toEqual([false, false, true, true]);

		gauge.bodyBytes = LIMIT / 4;
		for (const upload of begun) share.grew(upload, tick());
		expect(states()).toEqual([true, true, true, true]);

		// There is room for a read of one: of one that makes room.
		gauge.bodyBytes = LIMIT / 8;
		memory.relax(tick());
		expect(states().slice(2)).toEqual([true, true]);
		expect(begun.some(({ isHeldBack }) => !isHeldBack)).toBe(true);
		gauge.bodyBytes = 0;
		memory.relax(tick());
		expect(states()).toEqual([false, false, true, true]);
		share.keep(READ - LIMIT / 2);
		memory.relax(tick());
		expect(states()).toEqual([false, false, false, false]);
	});

	it("forgets uploads that are over or complete, and counts only backends in use", () => {
		const { memory, tick } = scene();
		const gauge = new Gauge();
		const share = memory.share(gauge);
		const uploads = [new Upload(), new Upload()] as const;
		for (const upload of uploads) {
			share.enter();
			share.grew(upload, tick());
		}
		gauge.bodyBytes = LIMIT;
		share.finish(uploads[0]);
		const last = new Upload();
		share.enter();
		share.grew(last, tick());
		expect([uploads[0].isHeldBack, uploads[1].isHeldBack, last.isHeldBack]).toEqual([
			false,
			true,
			true,
		]);
		for (const upload of [...uploads, last]) share.leave(upload);
		expect(memory.bytes(tick())).toBe(0);
	});

	it("a small backend's uploads are never refused, whatever the others hold", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 400 }), (steps) => {
				const { memory, tick } = scene();
				const gauges = Array.from({ length: 9 }, () => new Gauge());
				const shares = gauges.map((gauge) => memory.share(gauge));
				for (const share of shares) share.enter();
				for (const step of steps) {
					const gauge = gauges[step];
					if (shares[step]?.isFull(tick()) === false && gauge !== undefined) {
						gauge.bodyBytes += READ / 4;
					}
				}
				expect(shares[0]?.isFull(tick())).toBe(false);
				expect(memory.bytes(tick())).toBeLessThan(LIMIT);
			}),
		);
	});
});
