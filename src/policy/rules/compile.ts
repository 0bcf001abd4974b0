/**
 * Makes a valid document runnable (design, "Rooms"). Called by a worker for every policy it takes over. The
 * document has passed `validatePolicy`; one that has not is a bug and throws.
 */
import type { Phase, Predicate, Settlement } from "../../cel/expression.ts";
import type { Guards } from "../../cel/guard/algebra.ts";
import type { PreparedAction, RunnableAction } from "../actions/action.ts";
import { ACTIONS } from "../actions/table.ts";
import type { RateLimiters } from "../admission.ts";
import type { PolicyDocument, RuleDocument } from "../document/schema.ts";
import type { CompiledPolicy, Outcome, Place, PolicyExchange, SuspendedRun } from "../exchange.ts";
import { Compiler, type MadeProgram, type WantedProgram } from "../programs/compiler.ts";
import { wantedPrograms } from "../programs/wanted.ts";
import {
	type ExpressionErrors,
	evaluatePhase,
	type RunnablePhase,
	type RunnableRule,
	resumePhase,
} from "./evaluate.ts";
import { RuleFusion } from "./fusion.ts";
import { RuleIndex, ruleGuards } from "./guard-index.ts";

export interface CompileContext {
	readonly edgeId: string;
	readonly routeId: string;
	readonly limiters: RateLimiters;
	readonly expressionErrors: ExpressionErrors;
	/** Called when the policy comes into force; the function that it returns, when it is closed. */
	readonly keep?: (() => () => void) | undefined;
}

/** Everything of a policy that takes long and can fail, done; opening it takes next to nothing. */
export interface PreparedPolicy {
	/** can an expression of it be suspended? */
	readonly mayWait: boolean;
	/** For one route; may be called for others too. Rate limits are opened by the first request that meets them. */
	open(context: CompileContext): CompiledPolicy;
}

/** In one go. @throws Error for a document that was not validated */
export function compilePolicy(document: PolicyDocument, context: CompileContext): CompiledPolicy {
	const steps = preparePolicy(document);
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value.open(context);
	}
}

/** A step that asks for programs is given those that could be made; what is missing is compiled here. */
export type PolicySteps = Generator<
	readonly WantedProgram[] | undefined,
	PreparedPolicy,
	readonly MadeProgram[] | undefined
>;

/**
 * In steps of one expression or action each: a document of full size takes seconds (16,000 expressions), in
 * which a worker has requests to serve. @throws Error as `compilePolicy`
 */
export function* preparePolicy(document: PolicyDocument): PolicySteps {
	if (!document.enabled) {
		return {
			mayWait: false,
			open: ({ keep }) => new Module(false, nothing("inbound"), nothing("outbound"), keep?.()),
		};
	}
	const compiler = new Compiler();
	const wanted = yield* wantedPrograms(document);
	const made = wanted.length > 0 ? yield wanted : undefined;
	for (const program of made ?? []) compiler.adopt(program);
	const inbound = yield* preparePhase(document.inbound, "inbound", compiler);
	const outbound = yield* preparePhase(document.outbound, "outbound", compiler);
	const { mayWait } = compiler;
	return { mayWait, open: (context) => openPolicy(inbound, outbound, context) };
}

function openPolicy(
	inbound: PreparedPhase,
	outbound: PreparedPhase,
	context: CompileContext,
): CompiledPolicy {
	const ordinals = new Map<string, number>();
	const ordinalOf = (configuration: string): number => {
		const ordinal = ordinals.get(configuration) ?? 0;
		ordinals.set(configuration, ordinal + 1);
		return ordinal;
	};
	const run = ({ predicates, places, actions }: PreparedRule): RunnableRule => ({
		predicates,
		places,
		actions: actions.map(({ prepared, place }) => prepared({ ...context, place, ordinalOf })),
	});
	const opened = ({ phase, rules, index }: PreparedPhase): RunnablePhase => ({
		phase,
		rules: rules.map(run),
		index,
		expressionErrors: context.expressionErrors,
	});
	return new Module(true, opened(inbound), opened(outbound), context.keep?.());
}

interface PreparedPhase {
	readonly phase: Phase;
	readonly rules: readonly PreparedRule[];
	readonly index: RuleIndex | undefined;
}

interface PreparedRule {
	readonly predicates: readonly Predicate[];
	readonly places: readonly Place[];
	readonly actions: readonly { readonly prepared: PreparedAction; readonly place: Place }[];
}

const nothing = (phase: Phase): RunnablePhase => ({
	phase,
	rules: [],
	index: undefined,
	expressionErrors: "reject",
});

/** Rules that can never apply are left out, and expressions that are always true. */
function* preparePhase(
	rules: readonly RuleDocument[],
	phase: Phase,
	compiler: Compiler,
): Generator<undefined, PreparedPhase, unknown> {
	const prepared: PreparedRule[] = [];
	for (const [ruleIndex, document] of rules.entries()) {
		const rule = yield* prepareRule(document, phase, ruleIndex, compiler);
		if (rule.predicates.every(({ constant }) => constant !== false)) prepared.push(rule);
	}
	const guards = prepared.map(({ predicates }) => ruleGuards(predicates));
	yield;
	const fusion = yield* prepareFusion(prepared, guards);
	const hasIndex = fusion !== undefined || RuleIndex.pays(guards);
	const index = hasIndex ? new RuleIndex(guards, fusion) : undefined;
	return { phase, rules: trimmed(prepared), index };
}

/** Of the rules that the index can't pass over; with those the index has nothing to do with, one by one. */
function* prepareFusion(
	rules: readonly PreparedRule[],
	guards: readonly Guards[],
): Generator<undefined, RuleFusion | undefined, unknown> {
	const unguarded = rules.map(({ predicates }, at) => {
		const isLookedUp = RuleIndex.pays(guards) && (guards[at]?.length ?? 0) > 0;
		return isLookedUp ? [] : predicates;
	});
	if (!RuleFusion.pays(unguarded)) return undefined;
	const fusion = new RuleFusion(unguarded);
	// A few are made by the first request that comes to them; many would hold it up.
	for (let word = 0; word < fusion.words && fusion.words > FEW_WORDS; word++) {
		fusion.open(word);
		yield;
	}
	return fusion;
}

const FEW_WORDS = 2;

function* prepareRule(
	rule: RuleDocument,
	phase: Phase,
	ruleIndex: number,
	compiler: Compiler,
): Generator<undefined, PreparedRule, unknown> {
	const ruleName = rule.name;
	const predicates: Predicate[] = [];
	const places: Place[] = [];
	for (const [expressionIndex, source] of rule.expressions.entries()) {
		const predicate = compiler.predicate(source, phase);
		yield;
		if (!predicate.ok) throw invalid(`/${phase}/${ruleIndex}/expressions/${expressionIndex}`);
		if (predicate.value.constant === true) continue;
		predicates.push(predicate.value);
		places.push(Object.freeze({ phase, ruleIndex, ruleName, expressionIndex, actionIndex: -1 }));
	}
	const actions: PreparedRule["actions"][number][] = [];
	for (const [actionIndex, action] of rule.actions.entries()) {
		const prepared = ACTIONS[action.type].prepare(action.config, phase, compiler);
		yield;
		if (!prepared.ok) throw invalid(`/${phase}/${ruleIndex}/actions/${actionIndex}`);
		const place = { phase, ruleIndex, ruleName, expressionIndex: -1, actionIndex };
		actions.push({ prepared: prepared.value, place: Object.freeze(place) });
	}
	return { predicates: trimmed(predicates), places: trimmed(places), actions: trimmed(actions) };
}

/** Without the room for 17 elements that the first `push` makes: there may be 100,000 policies in use. */
const trimmed = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : list.slice());

const NONE: readonly never[] = Object.freeze([]);

const invalid = (pointer: string): Error =>
	new Error(`a policy that was not validated came to be compiled: ${pointer}`);

class Module implements CompiledPolicy {
	readonly enabled: boolean;
	readonly inboundEmpty: boolean;
	readonly outboundEmpty: boolean;
	readonly #inbound: RunnablePhase;
	readonly #outbound: RunnablePhase;
	readonly #release: (() => void) | undefined;
	#closed = false;

	constructor(
		enabled: boolean,
		inbound: RunnablePhase,
		outbound: RunnablePhase,
		release: (() => void) | undefined,
	) {
		this.#release = release;
		this.enabled = enabled;
		this.inboundEmpty = inbound.rules.length === 0;
		this.outboundEmpty = outbound.rules.length === 0;
		this.#inbound = inbound;
		this.#outbound = outbound;
	}

	inbound(exchange: PolicyExchange): Outcome {
		return evaluatePhase(this.#inbound, exchange);
	}

	outbound(exchange: PolicyExchange): Outcome {
		return evaluatePhase(this.#outbound, exchange);
	}

	resume(exchange: PolicyExchange, run: SuspendedRun, result: Settlement): Outcome {
		const phase = run.phase === "inbound" ? this.#inbound : this.#outbound;
		return resumePhase(phase, exchange, run, result);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#release?.();
		for (const rule of this.#inbound.rules) closeActions(rule.actions);
		for (const rule of this.#outbound.rules) closeActions(rule.actions);
	}
}

function closeActions(actions: readonly RunnableAction[]): void {
	for (const action of actions) action.close?.();
}
