/**
 * A policy that tells what it does: the rules of a document in their order, without the index that the data path skips rules
 * by, each expression and action wrapped in one that notes what came of it. They are run by `rules/evaluate.ts`, as every
 * request's are. Prepared once for a document, opened for each run. Called by `explain/`, in a thread.
 */
import type { Phase, Predicate } from "../../cel/expression.ts";
import { settleHere } from "../../cel/settle.ts";
import type { PreparedAction } from "../actions/action.ts";
import { actionOf } from "../actions/table.ts";
import type { OpenedLimits } from "../admission.ts";
import type { PolicyDocument, RuleDocument } from "../document/schema.ts";
import type { CompiledPolicy, Outcome, Place, PolicyExchange } from "../exchange.ts";
import type { CompileContext } from "../rules/compile.ts";
import { evaluatePhase, type RunnablePhase, resumePhase } from "../rules/evaluate.ts";
import { listedPhase } from "../rules/listed-phase.ts";
import { ReportedAction } from "../rules/reported-action.ts";
import { asEnforced } from "../rules/unenforced-action.ts";
import { costClass } from "./cost-class.ts";
import { CostingCompiler } from "./costing-compiler.ts";
import type { RuleTrace } from "./shapes.ts";
import { TracedAction } from "./traced-action.ts";
import { TracedRule } from "./traced-rule.ts";
import type { Tracer } from "./tracer.ts";

interface TraceableRule {
	readonly document: RuleDocument;
	readonly predicates: readonly Predicate[];
	/** nanoseconds at worst, of each predicate */
	readonly costs: readonly number[];
	readonly actions: readonly PreparedAction[];
	/** an expression is false for every request, so that the data path leaves the rule out */
	readonly neverApplies: boolean;
}

export interface TraceablePolicy {
	readonly enabled: boolean;
	readonly phases: Readonly<Record<Phase, readonly TraceableRule[]>>;
	readonly resultsRead: ReadonlySet<string>;
}

export interface TraceOptions {
	readonly tracer: Tracer;
	readonly context: Omit<CompileContext, "ruleCounts" | "keeper">;
	/** are the parts of this expression to be told? */
	readonly wantsParts: (place: Place) => boolean;
	/** may an evaluation go on? asked now and then */
	readonly goesOn: () => boolean;
}

/** @throws Error for a document that was not validated */
export function traceablePolicy(document: PolicyDocument): TraceablePolicy {
	const compiler = new CostingCompiler();
	const rules = (phase: Phase) => document[phase].map((rule) => traceable(rule, phase, compiler));
	const phases = document.enabled
		? { inbound: rules("inbound"), outbound: rules("outbound") }
		: { inbound: [], outbound: [] };
	return { enabled: document.enabled, phases, resultsRead: compiler.results };
}

function traceable(document: RuleDocument, phase: Phase, compiler: CostingCompiler): TraceableRule {
	const predicates = document.expressions.map((source) => {
		const compiled = compiler.predicate(source, phase);
		if (!compiled.ok) throw new Error(`a policy that was not validated is to be traced: ${source}`);
		return compiled.value;
	});
	const actions = document.actions.map(({ type, config }) => {
		const prepared = actionOf(type).prepare(config, phase, compiler);
		if (!prepared.ok) throw new Error(`a policy that was not validated is to be traced: ${type}`);
		return asEnforced(prepared.value, config);
	});
	return {
		...{ document, predicates, actions },
		costs: document.expressions.map((source) => compiler.costOf(source)),
		neverApplies: predicates.some(({ constant }) => constant === false),
	};
}

export class TracedPolicy implements CompiledPolicy {
	readonly enabled: boolean;
	readonly inboundEmpty: boolean;
	readonly outboundEmpty: boolean;
	readonly #phases: Readonly<Record<Phase, RunnablePhase>>;
	readonly #options: TraceOptions;

	constructor(policy: TraceablePolicy, options: TraceOptions) {
		this.#options = options;
		this.enabled = policy.enabled;
		this.inboundEmpty = policy.phases.inbound.length === 0;
		this.outboundEmpty = policy.phases.outbound.length === 0;
		const limits: OpenedLimits = { last: undefined };
		const open = (phase: Phase) => this.#opened(policy, phase, limits);
		this.#phases = { inbound: open("inbound"), outbound: open("outbound") };
	}

	#opened(
		{ phases, resultsRead }: TraceablePolicy,
		phase: Phase,
		limits: OpenedLimits,
	): RunnablePhase {
		const { tracer, context, wantsParts, goesOn } = this.#options;
		const rules = phases[phase].map((rule, ruleIndex) => {
			const { document, predicates } = rule;
			const ruleName = document.name;
			const traced = new TracedRule({ tracer, predicates, wantsParts, goesOn, phase });
			const places = predicates.map((_, expressionIndex) =>
				Object.freeze({ phase, ruleIndex, ruleName, expressionIndex, actionIndex: -1 }),
			);
			const reportsOnly = document.enforce === false;
			// one that is left out takes no part in counting equal rate-limits
			const actions = (rule.neverApplies ? [] : rule.actions).map((prepared, at) => {
				const { type, config } = document.actions[at] ?? { type: "", config: {} };
				const place = Object.freeze({
					...{ phase, ruleIndex, ruleName, expressionIndex: -1, actionIndex: at },
				});
				const action = prepared({ ...context, place, limits, resultsRead });
				const run = reportsOnly ? new ReportedAction(action, type, place) : action;
				return new TracedAction(run, place, config, tracer);
			});
			const told = {
				index: ruleIndex,
				name: ruleName,
				predicates: traced.predicates(places),
				expressionIndexes: undefined,
				reportsOnly,
			};
			return { told, actions };
		});
		tracer.begin(phase, phases[phase].map(emptyTrace));
		const told = rules.map((rule) => rule.told);
		return listedPhase(
			phase,
			told,
			rules.map(({ actions }) => actions),
			context.expressionErrors,
		);
	}

	inbound(exchange: PolicyExchange): Outcome {
		return this.#run("inbound", exchange);
	}

	outbound(exchange: PolicyExchange): Outcome {
		return this.#run("outbound", exchange);
	}

	/** What the data path gives to another thread is done here: this is one. */
	#run(phase: Phase, exchange: PolicyExchange): Outcome {
		const runnable = this.#phases[phase];
		let outcome = evaluatePhase(runnable, exchange);
		while (outcome.kind === "suspended") {
			const { run } = outcome;
			const settlement = settleHere(run.suspension, exchange, this.#options.goesOn);
			outcome = resumePhase(runnable, exchange, run, settlement);
		}
		return outcome;
	}

	/** @throws Error always: a phase of this policy is never suspended */
	resume(): never {
		throw new Error("a traced policy suspends nothing");
	}

	close(): void {}
}

function emptyTrace({ document, costs }: TraceableRule, index: number): RuleTrace {
	return {
		index,
		name: document.name,
		enforce: document.enforce !== false,
		state: "not_reached",
		reason: "A rule before it has ended the phase.",
		expressions: document.expressions.map((source, at) => ({
			source,
			state: "unknown",
			asked: false,
			decided: false,
			message: null,
			cost_class: costClass(costs[at] ?? 0),
			cost_nanoseconds: costs[at] ?? 0,
			parts: [],
			more_parts: 0,
		})),
		actions: document.actions.map(({ type }) => ({ type, state: "not_reached", effects: [] })),
	};
}
