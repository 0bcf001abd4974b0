/**
 * Makes a valid document runnable (docs/design.md, "Rooms"). Called by a worker for every policy that it takes over. The
 * document has passed `validatePolicy`; a document that has not is a bug, and compiling it throws.
 */
import type { RuleCounts } from "../../telemetry/traffic/rule-counts.ts";
import type { AddressLists } from "../address-lists.ts";
import type { RateLimiters } from "../admission.ts";
import type { PolicyDocument } from "../document/schema.ts";
import type { CompiledPolicy } from "../exchange.ts";
import { Compiler } from "../programs/compiler.ts";
import type { MadeProgram, WantedProgram } from "../programs/program.ts";
import { hasLongTexts, wantedPrograms } from "../programs/wanted.ts";
import type { ExpressionErrors } from "./evaluate.ts";
import { Opening } from "./open-phase.ts";
import { PhaseRules } from "./phase-rules.ts";
import { type Pace, preparePhase } from "./prepare.ts";
import { PreparedPhase } from "./prepared-phase.ts";
import { type PolicyKeeper, RunnablePolicy } from "./runnable-policy.ts";

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
	/** told while the policy is in force */
	readonly keeper?: PolicyKeeper | undefined;
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

/** After each expression and each action. */
const EACH: Pace = { isDue: () => true };

/**
 * In steps of one expression or action each, or of as many as `pace` says: a document of full size takes seconds (16,000
 * expressions), in which a worker has requests to serve. @throws Error as `compilePolicy`
 */
export function* preparePolicy(document: PolicyDocument, pace = EACH): PolicySteps {
	if (!document.enabled) return new PreparedDocument(false, undefined, undefined, new Compiler());
	const compiler = new Compiler();
	if (hasLongTexts(document)) {
		const wanted = yield* wantedPrograms(document);
		const made = wanted.length > 0 ? yield wanted : undefined;
		for (const program of made ?? []) compiler.adopt(program);
	}
	const { inbound, outbound } = document;
	const first = yield* preparePhase(inbound, "inbound", compiler, pace);
	// Most have no outbound rules, and what goes in steps costs something even if there are none.
	const last =
		outbound.length > 0 ? yield* preparePhase(outbound, "outbound", compiler, pace) : undefined;
	return new PreparedDocument(true, first, last, compiler);
}

const NO_RULES = new PreparedPhase(
	"inbound",
	new PhaseRules("inbound", [], () => new Compiler()),
	[],
	[],
);

class PreparedDocument implements PreparedPolicy {
	readonly mayWait: boolean;
	readonly #enabled: boolean;
	readonly #inbound: PreparedPhase | undefined;
	readonly #outbound: PreparedPhase | undefined;
	readonly #results: ReadonlySet<string>;

	constructor(
		enabled: boolean,
		inbound: PreparedPhase | undefined,
		outbound: PreparedPhase | undefined,
		{ mayWait, results }: Compiler,
	) {
		this.mayWait = mayWait;
		this.#enabled = enabled;
		this.#inbound = inbound;
		this.#outbound = outbound;
		this.#results = results;
	}

	open(context: CompileContext): CompiledPolicy {
		const opening = new Opening(context, this.#results);
		const inbound = this.#inbound ?? NO_RULES;
		return new RunnablePolicy(this.#enabled, inbound, this.#outbound, opening, context.keeper);
	}
}
