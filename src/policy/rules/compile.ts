/**
 * Makes a valid document runnable (docs/design.md, "Rooms"). Called by a worker for every policy that it takes over. The
 * document has passed `validatePolicy`; a document that has not is a bug, and compiling it throws.
 */
import type { Phase } from "../../cel/expression.ts";
import { PhaseCounts, type RuleCounts } from "../../telemetry/traffic/rule-counts.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { AddressLists } from "../address-lists.ts";
import type { RateLimiters } from "../admission.ts";
import type { PolicyDocument } from "../document/schema.ts";
import type { CompiledPolicy } from "../exchange.ts";
import { Compiler } from "../programs/compiler.ts";
import type { MadeProgram, WantedProgram } from "../programs/program.ts";
import { wantedPrograms } from "../programs/wanted.ts";
import type { ExpressionErrors, RunnablePhase } from "./evaluate.ts";
import { type PreparedPhase, preparePhase } from "./prepare.ts";
import type { PreparedRule } from "./prepared-rule.ts";
import { ReportedAction } from "./reported-action.ts";
import { RunnablePolicy } from "./runnable-policy.ts";

export interface CompileContext {
	readonly edgeId: string;
	readonly routeId: string;
	readonly limiters: RateLimiters;
	/** how many bits of an IPv6 address rate-limits count (contract 1, `rate_limits.ipv6_prefix`) */
	readonly ipv6Prefix?: number | undefined;
	/** those of the store; without it there are none */
	readonly addressLists?: AddressLists | undefined;
	readonly expressionErrors: ExpressionErrors;
	/** counts which rules apply; without it nobody does */
	readonly ruleCounts?: RuleCounts | undefined;
	/** Called when the policy comes into force; the function that it returns, when the policy is closed. */
	readonly keep?: (() => () => void) | undefined;
}

/** A policy after all the work that takes long or can fail. Opening it takes next to nothing. */
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

/** A step that asks for programs is given those that could be made; the others are compiled here. */
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
			open: ({ keep }) => new RunnablePolicy(false, NO_INBOUND, NO_OUTBOUND, keep?.()),
		};
	}
	const compiler = new Compiler();
	const wanted = yield* wantedPrograms(document);
	const made = wanted.length > 0 ? yield wanted : undefined;
	for (const program of made ?? []) compiler.adopt(program);
	const inbound = yield* preparePhase(document.inbound, "inbound", compiler);
	const outbound = yield* preparePhase(document.outbound, "outbound", compiler);
	const { mayWait } = compiler;
	const results = compiler.results.size > 0 ? compiler.results : NO_RESULTS;
	return { mayWait, open: (context) => openPolicy(inbound, outbound, context, results) };
}

const withoutRules = (phase: Phase): RunnablePhase => ({
	phase,
	rules: [],
	actions: [],
	index: undefined,
	row: undefined,
	starts: undefined,
	counts: undefined,
	expressionErrors: "reject",
});
const NO_RESULTS: ReadonlySet<string> = new Set();
const NO_INBOUND = withoutRules("inbound");
const NO_OUTBOUND = withoutRules("outbound");

function openPolicy(
	inbound: PreparedPhase,
	outbound: PreparedPhase,
	context: CompileContext,
	resultsRead: ReadonlySet<string>,
): CompiledPolicy {
	const { edgeId, routeId, limiters, ipv6Prefix, addressLists } = context;
	let ordinals: Map<string, number> | undefined;
	const ordinalOf = (configuration: string): number => {
		ordinals ??= new Map();
		const ordinal = ordinals.get(configuration) ?? 0;
		ordinals.set(configuration, ordinal + 1);
		return ordinal;
	};
	const actionsOf = ({ steps, reportsOnly }: PreparedRule): readonly RunnableAction[] =>
		steps.map(({ prepared, type, place }) => {
			// Not spread: an object that is takes ten times as long to make.
			const action = prepared({
				place,
				edgeId,
				routeId,
				limiters,
				ipv6Prefix,
				addressLists,
				resultsRead,
				ordinalOf,
			});
			return reportsOnly ? new ReportedAction(action, type, place) : action;
		});
	const opened = (
		{ phase, rules, index, row, starts }: PreparedPhase,
		none: RunnablePhase,
	): RunnablePhase =>
		rules.length === 0
			? none
			: {
					phase,
					rules,
					actions: rules.map(actionsOf),
					index,
					row,
					starts,
					counts: countsOf(phase, rules, context),
					expressionErrors: context.expressionErrors,
				};
	const [first, last] = [opened(inbound, NO_INBOUND), opened(outbound, NO_OUTBOUND)];
	return new RunnablePolicy(true, first, last, context.keep?.());
}

function countsOf(
	phase: Phase,
	rules: readonly PreparedRule[],
	{ ruleCounts, edgeId, routeId }: CompileContext,
): PhaseCounts | undefined {
	if (ruleCounts === undefined) return undefined;
	return new PhaseCounts({ edgeId, routeId, phase, rules }, ruleCounts);
}
