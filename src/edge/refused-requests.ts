/**
 * Requests that were refused, for the live page: all are counted, and the first of each second are kept with what is known
 * of them, because an attack refuses 100,000 a second. Made by `services.ts`, told by `pipeline.ts`, `phases/policy-replies.ts`
 * and `services.ts`, and emptied by the worker's report (`Edge.takeLive`).
 */
import { LIMITS } from "../limits/limits.ts";
import type { Outcome, Place } from "../policy/exchange.ts";
import type { LiveReport, RefusalReason, RefusalRecord } from "../telemetry/live-report.ts";

/** Of a request, as much as is kept. */
export interface RefusedRequest {
	readonly edgeId: string;
	readonly routeId: string;
	readonly loggedIp: string;
	readonly host: string;
	readonly head: { readonly method: string; readonly rawPath: string };
	readonly endedBy: Place | undefined;
	readonly limit: string | undefined;
	readonly requestId?: string | undefined;
	/** of one that is to be explained */
	readonly notes?: { reason: RefusalReason | undefined } | undefined;
}

interface UnreadRequest {
	readonly method: string;
	readonly rawPath: string;
	readonly clientIp: string;
	readonly requestId?: string | undefined;
}

type Ended = Exclude<Outcome, { kind: "continue" | "suspended" }>;

const REASONS = {
	deny: "deny",
	limited: "rate_limit",
	close: "close",
	respond: "respond",
	failed: "policy_failed",
} as const satisfies Partial<Record<Ended["kind"], RefusalReason>>;

const bounded = (text: string): string =>
	text.length > LIMITS.liveRefusalCharacters ? text.slice(0, LIMITS.liveRefusalCharacters) : text;

export class Refusals {
	#count = 0;
	#kept: RefusalRecord[] = [];

	/** Hot. A policy has ended the request; an answer of its own is a refusal from status 400 on, a preflight is none. */
	byPolicy(request: RefusedRequest, decision: Ended, ms?: number): void {
		if (decision.kind === "preflight") return;
		if (decision.kind === "respond" && decision.statusCode < 400) return;
		const reason = decision.kind === "refused" ? decision.reason : REASONS[decision.kind];
		this.note(request, reason, statusOf(decision), ms);
	}

	/** Hot. To be called before the answer, behind which nobody may know the client's address. */
	note(request: RefusedRequest, reason: RefusalReason, status: number, ms?: number): void {
		this.#count++;
		if (request.notes !== undefined) request.notes.reason = reason;
		if (this.#kept.length >= LIMITS.decisionsPerSecond) return;
		const { head, endedBy } = request;
		this.#kept.push({
			ms: ms ?? Date.now(),
			requestId: request.requestId,
			clientIp: request.loggedIp,
			...{ edgeId: request.edgeId, routeId: request.routeId },
			...{ method: bounded(head.method), host: bounded(request.host) },
			...{ path: bounded(head.rawPath), status, reason },
			rule: endedBy && {
				...{ phase: endedBy.phase, ruleIndex: endedBy.ruleIndex, ruleName: endedBy.ruleName },
			},
			limit: reason === "rate_limit" ? request.limit : undefined,
		});
	}

	/** So many of which nothing is kept. */
	unkept(times: number): void {
		this.#count += times;
	}

	/** how many more are kept before the next `take` */
	get room(): number {
		return Math.max(LIMITS.decisionsPerSecond - this.#kept.length, 0);
	}

	/** A request of which no more than this could be read. */
	unread(status: number, { method, rawPath, clientIp, requestId }: UnreadRequest): void {
		const nothing = { edgeId: "", routeId: "", host: "", endedBy: undefined, limit: undefined };
		const request = { ...nothing, loggedIp: clientIp, head: { method, rawPath }, requestId };
		this.note(request, "bad_request", status);
	}

	/** Since the last call. */
	take(): Pick<LiveReport, "refusals" | "refused"> {
		const taken = { refusals: this.#count, refused: this.#kept };
		this.#count = 0;
		this.#kept = [];
		return taken;
	}
}

/** 0: there is no answer */
export function statusOf(decision: Ended): number {
	switch (decision.kind) {
		case "limited":
			return decision.answer?.statusCode ?? 429;
		case "refused":
			return decision.reason === "address" ? 403 : 401;
		case "close":
			return 0;
		case "preflight":
			return 204;
		case "failed":
			return 500;
		default:
			return decision.statusCode;
	}
}
