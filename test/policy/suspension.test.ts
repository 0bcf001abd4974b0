/**
 * A phase that stops for expensive expressions ends as if it had never stopped: same outcome, same effects in
 * the same order, nothing done twice. Real actions, made-up expressions, two exchanges at a time.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attributes } from "../../src/cel/attributes.ts";
import {
	EvaluationFailure,
	type Predicate,
	type Settled,
	type Suspension,
	type Template,
} from "../../src/cel/expression.ts";
import { ok } from "../../src/errors.ts";
import { ACTIONS } from "../../src/policy/actions/table.ts";
import type { OpenedLimits } from "../../src/policy/admission.ts";
import type { Outcome } from "../../src/policy/exchange.ts";
import { Compiler } from "../../src/policy/programs/compiler.ts";
import { evaluatePhase, type RunnablePhase, resumePhase } from "../../src/policy/rules/evaluate.ts";
import { listedPhase } from "../../src/policy/rules/listed-phase.ts";
import { actionAt, actionsIn } from "../../src/policy/rules/rule-row.ts";
import { CountingLimiters, exchangeOf, type FakeExchange } from "./support.ts";

/** What an expression is: its text says how it comes out, and whether another thread settles it. */
interface Made {
	readonly heavy: boolean;
	/** of a predicate; a template has text or fails */
	readonly yields: "true" | "false" | "on /b" | "fails";
}

const suspensions = new Map<Suspension, (attributes: Attributes) => string | boolean>();

function madeUp<T extends string | boolean>(
	{ heavy, yields }: Made,
	wants: "bool" | "text",
	value: (attributes: Attributes) => T,
) {
	const suspension: Suspension = { source: "", phase: "inbound", wants, reads: [] };
	const own = (attributes: Attributes): T | EvaluationFailure =>
		yields === "fails" ? new EvaluationFailure("no") : value(attributes);
	suspensions.set(suspension, value);
	failing.set(suspension, yields === "fails");
	return (attributes: Attributes, settled?: Settled): T | EvaluationFailure | Suspension => {
		if (!heavy) return own(attributes);
		const known = settled?.get(suspension);
		return known === undefined ? suspension : (known as T);
	};
}
const failing = new Map<Suspension, boolean>();

const predicateOf = (made: Made): Predicate => ({
	source: "",
	constant: undefined,
	isSteady: true,
	canFail: true,
	guards: [],
	evaluate: madeUp(made, "bool", ({ url }) =>
		made.yields === "on /b" ? url.path.includes("/b") : made.yields === "true",
	),
});

/** Templates whose text names their parts: `${heavy}`, `${light}`, `${heavy fails}` … */
class MadeUpCompiler extends Compiler {
	override template(source: string): ReturnType<Compiler["template"]> {
		const parts = source
			.split(",")
			.map((text) =>
				madeUp<string>(
					{ heavy: text.includes("heavy"), yields: text.includes("fails") ? "fails" : "true" },
					"text",
					({ url, method }) => `${method}${url.path}`,
				),
			);
		const template: Template = {
			literal: undefined,
			render(attributes, settled) {
				let text = "";
				for (const part of parts) {
					const rendered = part(attributes, settled);
					if (typeof rendered !== "string") return rendered;
					text += rendered;
				}
				return text;
			},
		};
		return ok(template);
	}
}

interface Model {
	readonly predicates: readonly Made[];
	readonly actions: readonly (readonly [
		type: keyof typeof ACTIONS,
		config: Record<string, unknown>,
	])[];
}

function phaseOf(models: readonly Model[], limiters: CountingLimiters, skip: boolean) {
	const compiler = new MadeUpCompiler();
	const limits: OpenedLimits = { last: undefined };
	const rules = models.map(({ predicates, actions }, ruleIndex) => ({
		index: ruleIndex,
		name: "",
		reportsOnly: false,
		predicates: predicates.map(predicateOf),
		expressionIndexes: undefined,
		actions: actions.map(([type, config], actionIndex) => {
			const prepared = ACTIONS[type].prepare(config, "inbound", compiler);
			if (!prepared.ok) throw new Error(JSON.stringify(prepared.error));
			const place = {
				phase: "inbound" as const,
				ruleIndex,
				ruleName: "",
				expressionIndex: -1,
				actionIndex,
			};
			return prepared.value({
				place,
				edgeId: "e",
				routeId: "r",
				limiters,
				limits,
				resultsRead: new Set<string>(),
			});
		}),
	}));
	const actions = rules.map((rule) => rule.actions);
	return listedPhase("inbound", rules, actions, skip ? "skip" : "reject");
}

const settle = (suspension: Suspension, exchange: FakeExchange) =>
	failing.get(suspension)
		? new EvaluationFailure("no")
		: (suspensions.get(suspension)?.(exchange) ?? new EvaluationFailure("unknown"));

/** Runs both exchanges to their ends; `turns` says whose turn it is to go on. */
function run(phase: RunnablePhase, exchanges: readonly FakeExchange[], turns: readonly number[]) {
	const outcomes: Outcome[] = exchanges.map((exchange) => evaluatePhase(phase, exchange));
	let turn = 0;
	for (let left = 1000; outcomes.some(({ kind }) => kind === "suspended"); left--) {
		if (left === 0) throw new Error("it never ends");
		const own = turns[turn++ % turns.length] ?? 0;
		const index = outcomes[own]?.kind === "suspended" ? own : 1 - own;
		const [outcome, exchange] = [outcomes[index], exchanges[index]];
		if (outcome?.kind !== "suspended" || exchange === undefined) continue;
		const result = settle(outcome.run.suspension, exchange);
		outcomes[index] = resumePhase(phase, exchange, outcome.run, result);
	}
	return outcomes.map((outcome, index) => {
		const { logs, failures, exceeded, url } = exchanges[index] ?? exchangeOf();
		return { outcome, logs, failures, exceeded, url: url.full };
	});
}

const made = fc.record({
	heavy: fc.boolean(),
	yields: fc.constantFrom("true" as const, "true" as const, "false" as const, "on /b", "fails"),
}) as fc.Arbitrary<Made>;
const part = fc.constantFrom("light", "heavy", "heavy", "light", "light fails", "heavy fails");
const text = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(","));
const action = fc.oneof(
	{
		weight: 3,
		arbitrary: fc
			.dictionary(fc.constantFrom("a", "b", "c"), text)
			.map((metadata) => ["log", { metadata }] as const),
	},
	{
		weight: 2,
		arbitrary: text.map(
			(parts) => ["url-rewrite", { from: "/[a-z]", to: `/b\${${parts}}`, format: "cel" }] as const,
		),
	},
	{
		weight: 1,
		arbitrary: fc
			.tuple(text, text)
			.map(([content, a]) => ["custom-response", { content, headers: { a } }] as const),
	},
	fc.constant(["deny", {}] as const),
	fc.constant(["rate-limit", { capacity: 1, rate: "60s" }] as const),
);
const model: fc.Arbitrary<Model> = fc.record({
	predicates: fc.array(made, { maxLength: 3 }),
	actions: fc.array(action, { minLength: 1, maxLength: 3 }),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Model>;

const light = (models: readonly Model[]): readonly Model[] =>
	JSON.parse(
		JSON.stringify(models).replaceAll("heavy", "light").replaceAll('"light":true', '"heavy":false'),
	);

describe("a phase that is suspended", () => {
	test("ends as one that is not, whoever else is suspended in it", () => {
		let suspended = 0;
		fc.assert(
			fc.property(
				fc.array(model, { minLength: 1, maxLength: 4 }),
				fc.boolean(),
				fc.array(fc.nat(1), { minLength: 1, maxLength: 8 }),
				(models, skip, turns) => {
					const exchanges = () => [
						exchangeOf({ method: "GET", url: "http://h/a/x?y" }),
						exchangeOf({ method: "PUT", url: "http://h/b/z" }),
					];
					// Apart, so that neither takes the other's room in a rate-limit.
					const wanted = exchanges().map((exchange) => {
						const phase = phaseOf(light(models), new CountingLimiters(), skip);
						return run(phase, [exchange, exchangeOf()], [0])[0];
					});
					const limiters = new CountingLimiters();
					const roomy = models.map(({ predicates, actions }) => ({
						predicates,
						actions: actions.map(([type, config]): Model["actions"][number] =>
							type === "rate-limit" ? [type, { ...config, capacity: 2 }] : [type, config],
						),
					}));
					expect(run(phaseOf(roomy, limiters, skip), exchanges(), turns)).toEqual(wanted);
					if (JSON.stringify(models).includes("heavy")) suspended++;
				},
			),
			{ numRuns: 1000 },
		);
		expect(suspended).toBeGreaterThan(100);
	});

	test("counts in its rate-limit although the policy has been replaced meanwhile", () => {
		const limiters = new CountingLimiters();
		const models: Model[] = [
			{
				predicates: [{ heavy: true, yields: "true" }],
				actions: [["rate-limit", { capacity: 1, rate: "60s" }]],
			},
		];
		const phase = phaseOf(models, limiters, false);
		const [one, other] = [exchangeOf(), exchangeOf()];
		const outcomes = [evaluatePhase(phase, one), evaluatePhase(phase, other)];
		for (let cell = actionsIn(phase.row, 0); cell < phase.row.length; cell++)
			actionAt(phase.row, cell).close?.();
		const ended = outcomes.map((outcome) => {
			if (outcome.kind !== "suspended") throw new Error("not suspended");
			return resumePhase(phase, one, outcome.run, true).kind;
		});
		expect(ended).toEqual(["continue", "limited"]);
		expect(limiters.released).toEqual(limiters.opened);
	});

	test("says so where asking again would never end", () => {
		const suspension: Suspension = { source: "", phase: "inbound", wants: "bool", reads: [] };
		const stubborn: Predicate = {
			source: "",
			constant: undefined,
			isSteady: true,
			canFail: true,
			guards: [],
			evaluate: () => suspension,
		};
		const rule = { index: 0, name: "", predicates: [stubborn], reportsOnly: false };
		const rules = [{ ...rule, expressionIndexes: undefined }];
		const phase = listedPhase("inbound", rules, [[]], "reject");
		const outcome = evaluatePhase(phase, exchangeOf());
		if (outcome.kind !== "suspended") throw new Error("not suspended");
		const { run: stopped } = outcome;
		expect(() => resumePhase(phase, exchangeOf(), stopped, true)).toThrow("suspends again");
	});
});
