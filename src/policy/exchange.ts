/**
 * The port between policies and the edge (contract 4, 5): an exchange as a policy sees it, and the policy's decision.
 * `edge/exchange.ts` implements `PolicyExchange` over a live request, tests implement it with plain objects. Hot: a
 * policy makes no promise, no closure and no object for a request that no rule touches.
 */
import type { Attributes } from "../cel/attributes.ts";
import type { Phase, Settled, Settlement, Suspension } from "../cel/expression.ts";
import type { Test } from "../cel/guard/test-tree.ts";
import type { Results } from "../cel/values/results.ts";
import type { KeyForm } from "./actions/rate-limit/bucket-key.ts";
import type { AddressesHeld } from "./address-lists.ts";
import type { LimitTap } from "./admission.ts";

export type JsonValue =
	| null
	| boolean
	| number
	| string
	| readonly JsonValue[]
	| { readonly [name: string]: JsonValue };

/** The place of an expression or action in a policy; indexes count from 0. */
export interface Place {
	readonly phase: Phase;
	readonly ruleIndex: number;
	readonly ruleName: string;
	/** index of the expression, or -1 when an action is meant */
	readonly expressionIndex: number;
	/** index of the action, or -1 when an expression is meant */
	readonly actionIndex: number;
}

/** Of one run of an action that is not enforced. */
export interface Report {
	/** would it have changed anything? */
	acted: boolean;
}

/** Something that an action does once the response is known. */
export interface AnswerTask {
	/** @returns a suspension: it is run again when that is settled */
	run(exchange: PolicyExchange, settled?: Settled): Suspension | undefined;
}

export interface PolicyExchange extends Attributes {
	/**
	 * Nanoseconds, as charged, that expressions may still take of the event loop for this request, in both phases
	 * together: at first `LIMITS.requestInlineNanoseconds`. Kept by `rules/evaluate.ts`.
	 */
	inlineNanoseconds: number;
	/** what actions have left for expressions; made by the first one that leaves something */
	results?: Results | undefined;
	/**
	 * Set while an action of a rule with `enforce: false` runs: the members below that change something note that they
	 * were called, and change nothing.
	 */
	report: Report | undefined;
	/**
	 * Replaces the URL that later rules see and the upstream gets (url-rewrite).
	 * @returns false if `full` is no URL with a valid request target; nothing is changed then
	 */
	rewriteUrl(full: string): boolean;
	/**
	 * Appends lines to the message that rules of the phase are about; `host` of a request is replaced.
	 * @param lines names as they are to be written, values checked
	 * @returns false if they don't fit, or the new host is none; nothing is changed then
	 */
	addHeaders(phase: Phase, lines: readonly (readonly [name: string, value: string])[]): boolean;
	/**
	 * Takes lines away from the message that rules of the phase are about.
	 * @param names lower case; one that ends in `*` stands for all that begin so
	 * @returns those that were there
	 */
	removeHeaders(phase: Phase, names: readonly string[]): readonly string[];
	/**
	 * Lines that the response has, whoever makes it (cors).
	 * @param without names of its own that it loses, as in `removeHeaders`
	 */
	setOnResponse(
		lines: readonly (readonly [name: string, value: string])[],
		without: readonly string[],
	): void;
	/** of the rate-limits that have told the client of it in `x-ratelimit-` fields: the fewest that remain */
	fewestRemaining?: number | undefined;
	/** Of requests that are to be explained: notes what rate-limits decide. */
	limitTap?: LimitTap | undefined;
	/** The rule that ended the phase, if one did; set by `rules/evaluate.ts`, for whoever tells of the request. */
	endedBy?: Place | undefined;
	/** To be run once, when the response is sent, with the attributes of the response (rate-limit, `count`). */
	whenAnswered(task: AnswerTask): void;
	/** Appends to the request's `traffic_policy.logs` (log). */
	log(metadata: JsonValue): void;
	/** An action that is not enforced would have acted: counted and logged with its place. @param type of the action */
	wouldHave(place: Place, type: string): void;
	/** A rate-limit was over its capacity; `enforced` is false for `enforce: false`, which lets the request pass. */
	limitExceeded(place: Place, name: string, retryAfterMs: number, enforced: boolean): void;
	/** An expression, template or rewrite failed at run time; logged and counted with its place. */
	expressionFailed(place: Place, message: string): void;
}

/** The answer of a rate-limit that has one of its own. */
export interface LimitAnswer {
	readonly statusCode: number;
	/** undefined: the JSON that there is otherwise */
	readonly content: string | undefined;
	/** of that content, validated */
	readonly contentType: string;
}

/** The decision of a phase. Only `respond`, `limited` and `suspended` are made for each request. */
export type Outcome =
	| { readonly kind: "continue" }
	| { readonly kind: "deny"; readonly statusCode: number }
	| {
			readonly kind: "respond";
			readonly statusCode: number;
			/** validated names in the given spelling, filled and validated values; a content-type where there is content */
			readonly headers: readonly (readonly [name: string, value: string])[];
			readonly content: string;
	  }
	| {
			readonly kind: "limited";
			readonly retryAfterSeconds: number;
			/** in place of 429 and of its JSON */
			readonly answer?: LimitAnswer | undefined;
	  }
	/** answered with a small JSON body: the address is refused (403), or credentials are missing or wrong (401) */
	| {
			readonly kind: "refused";
			readonly reason: "address" | "credentials";
			readonly headers: readonly (readonly [name: string, value: string])[];
	  }
	/** a preflight of CORS is answered with 204 */
	| {
			readonly kind: "preflight";
			readonly headers: readonly (readonly [name: string, value: string])[];
	  }
	/** the connection is closed without an answer */
	| { readonly kind: "close" }
	/** answered with 500: an expression error under `expression_errors: reject` */
	| { readonly kind: "failed" }
	/** goes on with `CompiledPolicy.resume` once `run.suspension` is settled */
	| { readonly kind: "suspended"; readonly run: SuspendedRun };

/**
 * The point where a phase stopped. When `suspension` is settled, the expression or action that asked for it is asked
 * again, then the steps behind it.
 */
export interface SuspendedRun {
	readonly phase: Phase;
	/** index among the rules as compiled */
	readonly rule: number;
	/** index among the rule's expressions and actions, in this order, as compiled */
	readonly step: number;
	readonly suspension: Suspension;
	/** the results that this expression or action has been given before */
	readonly settled: Settled;
}

/**
 * What the front may answer in a policy's place (native/README.md, "Standing refusals"): an answer that is the same for
 * every request, or the rejection of a limit whose key can be read off a request. Such a limit: one whose rejection is 429 with the JSON
 * that there is without one of its own.
 */
export interface StandingLimit {
	readonly kind: "limited";
	readonly name: string;
	readonly windowMs: number;
	/** in the order of the key */
	readonly elements: readonly KeyForm[];
	/** how many bits of an IPv6 address count */
	readonly ipv6Prefix: number;
	/** `RateLimiter.handle` */
	readonly limiter: number;
}

/** Whoever is in one of `deny`, or in none of `allow` where there are any, is refused; all others pass. */
export interface StandingRestriction {
	readonly kind: "refused";
	readonly reason: "address";
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly allow: readonly AddressesHeld[];
	readonly deny: readonly AddressesHeld[];
	readonly allowsAll: boolean;
}

export type Standing =
	| Extract<Outcome, { kind: "deny" | "respond" }>
	| StandingLimit
	| StandingRestriction;

/** One of the first rules of a policy, as far as the front may see to it. */
export interface StandingRule {
	/** as compiled */
	readonly index: number;
	/** of its expressions, all of which must be true */
	readonly tests: readonly Test[];
	/** what its actions do, one after the other; undefined: that has to be asked */
	readonly steps: readonly (StandingStep | undefined)[];
}

export interface StandingStep {
	readonly does: Standing;
	/** of the action, and what is told of the rule */
	readonly place: Place;
}

/** A policy document made runnable. `enabled: false` compiles to phases that always continue. */
export interface CompiledPolicy {
	readonly enabled: boolean;
	/** true if the phase can never do anything, so the caller may skip it */
	readonly inboundEmpty: boolean;
	readonly outboundEmpty: boolean;
	/** What becomes of requests in its first rules, if the front may see to it; undefined: each has to be looked at. */
	standing?(): readonly StandingRule[] | undefined;
	/** `standing` has come to nothing, for good. */
	readonly neverStands?: boolean | undefined;
	/** A rule of them applied to so many requests. @param refused and has refused them */
	countStanding?(rule: number, times: number, refused: boolean): void;
	inbound(exchange: PolicyExchange): Outcome;
	outbound(exchange: PolicyExchange): Outcome;
	/**
	 * Goes on where a phase of the same exchange stopped; once for each suspension. Also after `close`: a
	 * request in flight keeps the policy that it started with.
	 */
	resume(exchange: PolicyExchange, run: SuspendedRun, result: Settlement): Outcome;
	/** Releases its rate limiters; called when no new request can start under this policy. */
	close(): void;
}
