/** Proves that each armed deadline expires once, in order and not early, against a model. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadline, DeadlineList } from "../../../src/upstream/undici/deadlines.ts";

class Recorded extends Deadline {
	readonly name: number;
	readonly log: [number, number][];

	constructor(name: number, log: [number, number][]) {
		super();
		this.name = name;
		this.log = log;
	}

	override expire(): void {
		this.log.push([this.name, performance.now()]);
	}
}

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const step = fc.record({
	what: fc.constantFrom("arm", "disarm", "move"),
	name: fc.nat(5),
	waitMs: fc.nat(40),
});

test("agrees with a map of due times", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const log: [number, number][] = [];
			const lists = [new DeadlineList(100), new DeadlineList(30)] as const;
			const deadlines = [0, 1, 2, 3, 4, 5].map((name) => new Recorded(name, log));
			const due = new Map<number, number>();
			const expected = new Set<string>();
			const pass = (ms: number): void => {
				for (let passed = 0; passed < ms; passed += 1) {
					vi.advanceTimersByTime(1);
					for (const [name, at] of due) {
						if (at > performance.now()) continue;
						expected.add(`${name}`);
						due.delete(name);
					}
				}
			};
			const seen = new Set<string>();
			for (const { what, name, waitMs } of steps) {
				const deadline = deadlines[name];
				if (what === "disarm") {
					deadline?.disarm();
					due.delete(name);
				} else if (deadline !== undefined) {
					lists[what === "arm" ? 0 : 1].arm(deadline);
					due.set(name, performance.now() + (what === "arm" ? 100 : 30));
				}
				pass(waitMs);
				for (const [expired] of log.splice(0)) seen.add(`${expired}`);
				expect(seen).toEqual(expected);
				seen.clear();
				expected.clear();
			}
			pass(200);
			expect(new Set(log.map(([name]) => `${name}`))).toEqual(expected);
		}),
	);
});

test("a deadline may arm itself again when it expires", () => {
	const list = new DeadlineList(10);
	let times = 0;
	class Again extends Deadline {
		override expire(): void {
			times += 1;
			if (times < 5) list.arm(this);
		}
	}
	list.arm(new Again());
	vi.advanceTimersByTime(1000);
	expect(times).toBe(5);
});
