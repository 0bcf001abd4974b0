import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EvaluationFailure, Overrun, type Predicate } from "../../../src/cel/expression.ts";
import type { RunnableAction } from "../../../src/policy/actions/action.ts";
import type { Outcome } from "../../../src/policy/exchange.ts";
import { CONTINUE, EXPRESSION_FAILED, FAILED } from "../../../src/policy/outcomes.ts";
import {
	evaluatePhase,
	type RunnablePhase,
	resumePhase,
} from "../../../src/policy/rules/evaluate.ts";
import { GuardIndex, ruleGuards } from "../../../src/policy/rules/guard-index.ts";
import { listedPhase } from "../../../src/policy/rules/listed-phase.ts";
import type { ToldRule } from "../../../src/policy/rules/phase-rules.ts";
import { exchangeOf } from "../support.ts";

/** What an expression yields, and what an action does, in a made-up rule. */
type Verdict = true | false | "fails" | "overruns";
type Effect = "goes on" | "denies" | "fails" | "can't be sent";
interface Model {
	readonly verdicts: readonly Verdict[];
	readonly effects: readonly Effect[];
}

const DENIED: Outcome = { kind: "deny", statusCode: 403 };
const OUTCOMES: Readonly<Record<Effect, Outcome>> = {
	"goes on": CONTINUE,
	denies: DENIED,
	fails: EXPRESSION_FAILED,
	"can't be sent": FAILED,
};

type Rule = ToldRule & {
	readonly predicates: readonly Predicate[];
	readonly actions: readonly RunnableAction[];
};

function runnable(models: readonly Model[], trace: string[]): Rule[] {
	return models.map(({ verdicts, effects }, ruleIndex) => ({
		index: ruleIndex,
		name: "",
		reportsOnly: false,
		expressionIndexes: undefined,
		predicates: verdicts.map(
			(verdict, index): Predicate => ({
				source: "",
				constant: undefined,
				isSteady: true,
				canFail: true,
				guards: [],
				evaluate: () => {
					trace.push(`${ruleIndex}?${index}`);
					if (verdict === "overruns") return new Overrun("too long");
					return verdict === "fails" ? new EvaluationFailure("no") : verdict;
				},
			}),
		),
		actions: effects.map(
			(effect, index): RunnableAction => ({
				run: () => {
					trace.push(`${ruleIndex}!${index}`);
					return OUTCOMES[effect];
				},
			}),
		),
	}));
}

const inbound = (
	rules: readonly Rule[],
	expressionErrors: RunnablePhase["expressionErrors"] = "reject",
): RunnablePhase =>
	listedPhase(
		"inbound",
		rules,
		rules.map(({ actions }) => actions),
		expressionErrors,
	);

/** Contract 4 read aloud: rules in order, all expressions, actions in order, a failure ends all or the rule. */
function expected(models: readonly Model[], skip: boolean, trace: string[]): string {
	for (const [rule, { verdicts, effects }] of models.entries()) {
		let applies = true;
		let failed = false;
		for (const [index, verdict] of verdicts.entries()) {
			if (!applies || failed) break;
			trace.push(`${rule}?${index}`);
			failed = verdict === "fails";
			applies = verdict === true;
		}
		if (failed && !skip) return "failed";
		if (failed || !applies) continue;
		for (const [index, effect] of effects.entries()) {
			trace.push(`${rule}!${index}`);
			if (effect === "denies") return "deny";
			if (effect === "can't be sent" || (effect === "fails" && !skip)) return "failed";
			if (effect === "fails") break;
		}
	}
	return "continue";
}

test("does what the contract says, in its order, with and without skipping failures", () => {
	const verdict = fc.constantFrom<Verdict>(true, true, true, false, "fails");
	const effect = fc.constantFrom<Effect>(
		"goes on",
		"goes on",
		"goes on",
		"denies",
		"fails",
		"can't be sent",
	);
	const model = fc.record({
		verdicts: fc.array(verdict, { maxLength: 3 }),
		effects: fc.array(effect, { minLength: 1, maxLength: 3 }),
	});
	fc.assert(
		fc.property(fc.array(model, { maxLength: 5 }), fc.boolean(), (models, skip) => {
			const trace: string[] = [];
			const phase = inbound(runnable(models, trace), skip ? "skip" : "reject");
			const outcome = evaluatePhase(phase, exchangeOf());
			const wanted: string[] = [];
			expect(outcome.kind).toBe(expected(models, skip, wanted));
			expect(trace).toEqual(wanted);
		}),
		{ numRuns: 2000 },
	);
});

describe("an expression that fails", () => {
	const models: Model[] = [
		{ verdicts: [true, "fails"], effects: ["goes on"] },
		{ verdicts: [], effects: ["denies"] },
	];
	test.each(["reject", "skip"] as const)(
		"is reported with its place under %s",
		(expressionErrors) => {
			const exchange = exchangeOf();
			const outcome = evaluatePhase(inbound(runnable(models, []), expressionErrors), exchange);
			expect(outcome.kind).toBe(expressionErrors === "skip" ? "deny" : "failed");
			const place = {
				phase: "inbound",
				ruleIndex: 0,
				ruleName: "",
				expressionIndex: 1,
				actionIndex: -1,
			};
			expect(exchange.failures).toEqual([{ place, message: "no" }]);
		},
	);
});

test("one that took too long fails the request under skip too: a client must not get past a rule by its cost", () => {
	const models: Model[] = [
		{ verdicts: [true, "overruns"], effects: ["denies"] },
		{ verdicts: [], effects: ["goes on"] },
	];
	for (const expressionErrors of ["reject", "skip"] as const) {
		const exchange = exchangeOf();
		const outcome = evaluatePhase(inbound(runnable(models, []), expressionErrors), exchange);
		expect(outcome).toBe(FAILED);
		expect(exchange.failures).toMatchObject([{ message: "too long" }]);
	}
});

test("nothing is made for a request that no rule touches", () => {
	const rules = runnable([{ verdicts: [false], effects: ["denies"] }], []);
	expect(evaluatePhase(inbound(rules), exchangeOf())).toBe(CONTINUE);
	expect(evaluatePhase(inbound([]), exchangeOf())).toBe(CONTINUE);
});

describe("an index of the rules", () => {
	const paths = ["/a", "/b", "/c"] as const;
	const rule = fc.record({
		on: fc.option(fc.constantFrom(...paths), { nil: undefined }),
		suspends: fc.boolean(),
		to: fc.option(fc.constantFrom(...paths), { nil: undefined }),
		ending: fc.constantFrom(CONTINUE, CONTINUE, CONTINUE, EXPRESSION_FAILED, DENIED),
	});

	test("changes nothing but the rules that are asked, also where rules rewrite the URL and wait", () => {
		fc.assert(
			fc.property(
				fc.array(rule, { minLength: 1, maxLength: 40 }),
				fc.constantFrom(...paths),
				(models, path) => {
					const applied: number[] = [];
					const suspension = { source: "", phase: "inbound", wants: "bool", reads: [] } as const;
					const rules = models.map(({ on, suspends, to, ending }, index): Rule => {
						const onPath: Predicate = {
							source: "",
							constant: undefined,
							isSteady: true,
							canFail: false,
							guards: on === undefined ? [] : [{ attribute: "path", test: "equals", values: [on] }],
							evaluate: ({ url }) => on === undefined || url.path === on,
						};
						const waits: Predicate = {
							...onPath,
							canFail: true,
							guards: [],
							evaluate: (_, settled) => !suspends || (settled?.has(suspension) ?? suspension),
						};
						const action: RunnableAction = {
							run: (exchange) => {
								applied.push(index);
								if (to !== undefined) exchange.rewriteUrl(`http://h${to}`);
								return ending;
							},
						};
						return {
							index,
							name: "",
							predicates: [onPath, waits],
							expressionIndexes: undefined,
							actions: [action],
							reportsOnly: false,
						};
					});
					const applies = (index: GuardIndex | undefined): unknown[] => {
						applied.length = 0;
						const phase = { ...inbound(rules, "skip"), index };
						const exchange = exchangeOf({ url: `http://h${path}` });
						let outcome = evaluatePhase(phase, exchange);
						while (outcome.kind === "suspended") {
							// Another request comes between.
							evaluatePhase(phase, exchangeOf({ url: "http://h/c" }));
							outcome = resumePhase(phase, exchange, outcome.run, true);
						}
						return [outcome.kind, [...applied]];
					};
					const guards = rules.map(({ predicates }) => ruleGuards(predicates));
					const [kind, indexed] = applies(new GuardIndex(guards));
					const [wantedKind, wanted] = applies(undefined);
					expect([kind, indexed]).toEqual([wantedKind, wanted]);
				},
			),
		);
	});
});
