/**
 * The instructions of guards, run here in the plainest way, decide as the rules that they are made of; every step leads
 * forward; and what would be too large is left out or refused.
 */
import { describe, expect, it } from "vitest";
import type { Test } from "../../../src/cel/guard/test-tree.ts";
import { type GuardCode, guardCode } from "../../../src/edge/standing/guard-code.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { Place, StandingRule, StandingStep } from "../../../src/policy/exchange.ts";
import { randomOf } from "../../e2e/standing-generator.ts";

const WORDS = 10;
const [ASK, REFUSE, LIMIT, PASSED, TEXT] = [0, 1, 2, 3, 4];

const place = { phase: "inbound", ruleIndex: 0, ruleName: "", expressionIndex: -1 } as const;
const at = (actionIndex: number): Place => ({ ...place, actionIndex });
const deny = (statusCode = 403): StandingStep => ({
	does: { kind: "deny", statusCode },
	place: at(0),
});
const limited: StandingStep = {
	does: { kind: "limited", name: "l", windowMs: 1000, elements: [], ipv6Prefix: 64, limiter: 3 },
	place: at(0),
};

const text = (method: string): Test => ({
	kind: "text",
	subject: { kind: "method", name: "", absent: "empty", folds: false },
	comparison: "equals",
	texts: [method],
});

/** What becomes of a request of this method. */
function run({ code, texts }: GuardCode, method: string): string {
	const passed: number[] = [];
	for (let index = 0; ; ) {
		const [kind, , , , , , first = 0, count = 0, yes = 0, no = 0] = code.subarray(index * WORDS);
		const told = passed.length > 0 ? ` behind ${passed}` : "";
		if (kind === ASK) return `asked${told}`;
		if (kind === REFUSE || kind === LIMIT)
			return `${kind === LIMIT ? "limited" : "refused"} ${first}${told}`;
		if (kind === PASSED) passed.push(first);
		else expect(kind).toBe(TEXT);
		const next = kind === PASSED || texts.slice(first, first + count).includes(method) ? yes : no;
		expect(next).toBeGreaterThan(index);
		index = next;
	}
}

const decided = (rules: StandingRule[], method: string): string => {
	const code = guardCode(rules);
	return code === undefined ? "none" : run(code, method);
};

/** @returns undefined where it can't be told */
function truth(test: Test, method: string): boolean | undefined {
	if (test.kind === "constant") return test.value;
	if (test.kind === "text") return test.texts.includes(method);
	if (test.kind === "not") {
		const inner = truth(test.of, method);
		return inner === undefined ? undefined : !inner;
	}
	if (test.kind !== "all" && test.kind !== "any") return undefined;
	for (const each of test.of) {
		const one = truth(each, method);
		if (one === undefined || one === (test.kind === "any")) return one;
	}
	return test.kind === "all";
}

describe("guards", () => {
	it("decide as their rules do, one after the other", () => {
		const random = randomOf(3);
		const randomTest = (depth = 0): Test => {
			const kind = random(["text", "text", "not", "all", "any", "constant", "unknown"] as const);
			if (depth > 3 || kind === "text") return text(random(["A", "B", "C"]));
			if (kind === "constant") return { kind, value: random([true, false]) };
			if (kind === "unknown") return random([true, false]) ? { kind } : text("A");
			if (kind === "not") return { kind, of: randomTest(depth + 1) };
			return {
				kind,
				of: Array.from({ length: random([1, 2, 3]) }, () => randomTest(depth + 1)),
			};
		};
		for (let round = 0; round < 2000; round++) {
			const rules = Array.from({ length: random([1, 2, 3]) }, (_, index) => ({
				index,
				tests: Array.from({ length: random([0, 1, 2]) }, () => randomTest()),
				steps: random<(StandingStep | undefined)[]>([[deny()], [undefined], [limited], []]),
			}));
			const code = guardCode(rules);
			if (code === undefined) {
				expect(rules.every(({ steps }) => steps[0] === undefined)).toBe(true);
				continue;
			}
			for (const method of ["A", "B", "C"]) {
				let wanted = "asked";
				const passed: number[] = [];
				for (const { index, tests, steps } of rules) {
					let applies: boolean | undefined = true;
					for (const test of tests) if (applies === true) applies = truth(test, method);
					if (applies === false) continue;
					if (applies === true && steps.length === 0) {
						passed.push(index);
						continue;
					}
					const [step] = steps;
					if (applies === true && step !== undefined) {
						const number = code.refusals.findIndex(({ rule }) => rule === index);
						wanted = `${step === limited ? "limited" : "refused"} ${number}`;
					}
					break;
				}
				const behind = passed.length > 0 ? ` behind ${passed}` : "";
				expect(run(code, method), JSON.stringify(rules)).toBe(`${wanted}${behind}`);
			}
		}
	});

	it("ask where the front could not send the answer", () => {
		const rules = [
			{ index: 0, tests: [text("A")], steps: [deny(204)] },
			{ index: 1, tests: [], steps: [deny(404)] },
		];
		expect(decided(rules, "A")).toBe("asked");
		expect(decided(rules, "B")).toBe("refused 0");
		expect(decided([rules[0] as StandingRule], "A")).toBe("none");
	});

	it("join texts that are compared alike, and keep within bounds", () => {
		const many = (count: number): StandingRule => ({
			index: 0,
			tests: [{ kind: "any", of: Array.from({ length: count }, (_, n) => text(`${n}`)) }],
			steps: [deny()],
		});
		const code = guardCode([many(100)]);
		expect(code?.code.length).toBe(3 * WORDS);
		expect(code?.texts.length).toBe(100);
		expect(guardCode([many(LIMITS.standingTexts + 1)])).toBeUndefined();
		const short = { ...many(1), index: 1 };
		// The second half is left to be asked.
		expect(decided([short, many(LIMITS.standingTexts)], "0")).toBe("refused 0");
	});
});
