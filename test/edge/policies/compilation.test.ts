/** What a policy's preparation takes of the event loop, by a clock of the test's own. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
	Compilation,
	isLong,
	mayBeLong,
	Slices,
	TurnBudget,
} from "../../../src/edge/policies/compilation.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { PolicyDocument } from "../../../src/policy/document/schema.ts";
import type { PolicySteps, PreparedPolicy } from "../../../src/policy/rules/compile.ts";
import type { ProgramMaker } from "../../../src/threads/program-maker.ts";

let nowMs = 0;
beforeEach(() => {
	nowMs = 0;
	vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
	vi.restoreAllMocks();
});

const DONE = {} as PreparedPolicy;
const WANTED = [{ kind: "predicate", source: "long", phase: "inbound" }] as const;
const NO_PROGRAMS: ProgramMaker = { make: () => Promise.resolve([]) };

/** Takes so many steps of a millisecond each; asks for a program in step `asksIn`. */
function* steps(count: number, asksIn = -1): PolicySteps {
	for (let step = 0; step < count; step++) {
		nowMs += 1;
		yield step === asksIn ? WANTED : undefined;
	}
	return DONE;
}

const DOCUMENT: PolicyDocument = { enabled: true, inbound: [], outbound: [] };
const compiling = (made: PolicySteps): Compilation => new Compilation(DOCUMENT, () => made);

describe("Compilation", () => {
	it("is done within a turn if it fits into it", () => {
		expect(compiling(steps(3)).continue(4)).toBe(DONE);
	});

	it("goes on where it stopped, a slice in each turn", async () => {
		const preparation = compiling(steps(10));
		expect(preparation.continue(2)).toBeUndefined();
		expect(nowMs).toBe(2);
		let turns = 0;
		const prepared = await preparation.finish(
			NO_PROGRAMS,
			new Slices(() => {
				turns += 1;
			}),
		);
		expect(prepared).toBe(DONE);
		expect([nowMs, turns]).toEqual([10, Math.floor(8 / LIMITS.policySliceMs)]);
	});

	it("tells who prepares when its time is over", () => {
		const asked: boolean[] = [];
		const preparation = new Compilation(DOCUMENT, function* (_document, pace) {
			for (let step = 0; step < 4; step++) {
				nowMs += 1;
				asked.push(pace?.isDue() ?? true);
				if (asked.at(-1)) yield undefined;
			}
			return DONE;
		});
		expect(preparation.continue(3)).toBeUndefined();
		expect(preparation.continue(9)).toBe(DONE);
		expect(asked).toEqual([false, false, true, false]);
	});

	it("leaves to the thread what it asks for, whatever time is left", async () => {
		const preparation = compiling(steps(3, 1));
		expect(preparation.continue(1000)).toBeUndefined();
		expect(preparation.continue(1000)).toBeUndefined();
		expect(nowMs).toBe(2);
		const asked: unknown[] = [];
		const programs: ProgramMaker = {
			make(wanted) {
				asked.push(wanted);
				return Promise.resolve([]);
			},
		};
		expect(await preparation.finish(programs, new Slices(() => {}))).toBe(DONE);
		expect(asked).toEqual([WANTED]);
	});
});

describe("isLong", () => {
	const rules = (count: number, size: number) =>
		Array.from({ length: count }, () => ({
			name: "",
			expressions: Array.from({ length: size - 1 }, () => "true"),
			actions: [{ type: "deny", config: {} }],
		}));
	const document = (inbound: unknown[], outbound: unknown[] = []) =>
		({ enabled: true, inbound, outbound }) as unknown as PolicyDocument;
	const most = LIMITS.policyPartsWithinRequest;

	it("counts expressions and actions of a phase", () => {
		expect(isLong(document(rules(most / 2, 2), rules(most / 2, 2)))).toBe(false);
		expect(isLong(document(rules(most / 2 + 1, 2)))).toBe(true);
		expect(isLong(document([], rules(1, most + 1)))).toBe(true);
	});
});

it("a policy that is long may be long by its text", () => {
	const rule = fc.record({
		name: fc.string({ maxLength: 2 }),
		expressions: fc.array(fc.constantFrom("a", "[1,2]"), { maxLength: 12 }),
		actions: fc.array(fc.constant({ type: "deny", config: {} }), { minLength: 1, maxLength: 12 }),
	});
	// Few of those with many rules are short.
	const rules = fc.oneof(fc.array(rule, { maxLength: 1 }), fc.array(rule, { maxLength: 6 }));
	let short = 0;
	fc.assert(
		fc.property(rules, rules, (one, other) => {
			const document = { enabled: true, inbound: one, outbound: other };
			if (mayBeLong(JSON.stringify(document))) return;
			short++;
			expect(isLong(document as unknown as PolicyDocument)).toBe(false);
		}),
	);
	expect(short).toBeGreaterThan(5);
});

/** Takes the loop until a turn's share is over. */
const endless = (): Compilation => {
	const steps = (function* (): PolicySteps {
		for (;;) yield [];
	})();
	const preparation = compiling(steps);
	preparation.continue = (endMs) => {
		while (performance.now() < endMs) nowMs += 1;
		return undefined;
	};
	return preparation;
};

it("the budget of a turn is spent once, and whole again in the next", async () => {
	const budget = new TurnBudget();
	expect(budget.left).toBe(LIMITS.policySliceMs);
	expect(budget.spend(endless())).toBeUndefined();
	expect(budget.left).toBeLessThanOrEqual(0);
	await new Promise((resolve) => setImmediate(resolve));
	expect(budget.left).toBe(LIMITS.policySliceMs);
});
