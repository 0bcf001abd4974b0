/**
 * One policy, or one for each route, over the requests of a log: inbound rules, the response that the log tells of, outbound
 * rules, what is counted behind them, as `edge/phases/` does it. Made by `replay.ts`, one for each side that is compared.
 */
import { settleHere } from "../cel/settle.ts";
import type { Config } from "../config.ts";
import { inboundReply, isPending, replacement } from "../edge/phases/policy-replies.ts";
import { type Decision, resumePhase } from "../edge/phases/run-phase.ts";
import { PolicySlot } from "../edge/policies/policy-slot.ts";
import type { RequestHead } from "../edge/request/request-head.ts";
import { TableRoute } from "../edge/routing/route.ts";
import type { Services } from "../edge/services.ts";
import { backendOf } from "../explain/explain-services.ts";
import { LIMITS } from "../limits/limits.ts";
import type { AddressLists } from "../policy/address-lists.ts";
import type { CompiledPolicy, Outcome } from "../policy/exchange.ts";
import type { PreparedPolicy } from "../policy/rules/compile.ts";
import { backendSchema } from "../store/resources.ts";
import { answerChanged, requestChanged, toldAnswer } from "./changes.ts";
import type { Lacks } from "./lacks.ts";
import { contextsOf } from "./listeners.ts";
import { LogClock } from "./log-clock.ts";
import type { LogEntry } from "./log-entry.ts";
import type { Came } from "./outcome.ts";
import { ReplayError } from "./replay-error.ts";
import { ReplayedExchange } from "./replayed-exchange.ts";
import { TimeQueue } from "./time-queue.ts";

/** Which policy a route has. */
export interface PolicySource {
	/** @returns undefined: none */
	policyOf(edgeId: string, routeId: string): PreparedPolicy | undefined;
	/** Are this route's requests to be replayed? */
	covers(edgeId: string, routeId: string): boolean;
	/** routes have policies of their own, so that lines have to tell which route it was */
	readonly isByRoute: boolean;
	readonly addressLists: AddressLists;
	/** names that policies have asked for and nobody knows */
	readonly missingLists: ReadonlySet<string>;
}

export interface SimulationOptions {
	readonly source: PolicySource;
	readonly config: Config;
	readonly services: Services;
	readonly lacks: Lacks;
	/** are requests and answers compared as they were changed? */
	readonly comparesChanges: boolean;
}

interface Opened {
	readonly route: TableRoute;
	/** undefined: the route has none */
	readonly policy: CompiledPolicy | undefined;
}

const BACKEND = backendOf(backendSchema.parse({ urls: ["http://backend.invalid"] }));

export class Simulation {
	readonly #options: SimulationOptions;
	readonly #clock: LogClock;
	readonly #contexts: ReturnType<typeof contextsOf>;
	readonly #routes = new Map<string, Opened>();
	/** requests whose answers rate-limits count */
	readonly #unanswered = new TimeQueue<() => void>();
	#lastRoute: Opened | undefined;

	constructor(options: SimulationOptions) {
		this.#options = options;
		this.#clock = new LogClock(options.config.keysPerRateLimit);
		this.#contexts = contextsOf(options.config);
	}

	/** Entries are to come in the order in which they began. */
	run(entry: LogEntry, head: RequestHead): Came {
		this.#answerUntil(entry.startMs);
		this.#clock.set(entry.startMs);
		const { services, lacks } = this.#options;
		const { route, policy } = this.#opened(entry);
		const context = this.#contexts[entry.scheme ?? "http"];
		const exchange = new ReplayedExchange(entry, head, context, services, lacks);
		exchange.route = route;
		if (policy === undefined) return this.#passed(exchange, entry, undefined);
		const decision = this.#decided(policy, policy.inbound(exchange), exchange);
		if (decision.kind === "continue") return this.#passed(exchange, entry, policy);
		const reply = inboundReply(decision, exchange, services);
		if (reply === "close") return this.#ended(exchange, entry, 0, "");
		if (!isPending(reply)) {
			const { statusCode, headers, content } = reply;
			return this.#ended(exchange, entry, statusCode, this.#told(exchange, headers, content));
		}
		const after = this.#settled(reply.policy, { kind: "suspended", run: reply.run }, exchange);
		const sent = replacement(after, exchange, services) ?? reply.reply;
		const told = this.#told(exchange, sent.headers, sent.content);
		return this.#ended(exchange, entry, sent.statusCode, told);
	}

	/** The log is over. */
	end(): void {
		this.#answerUntil(Number.POSITIVE_INFINITY);
	}

	/** keys of rate-limits that had to be forgotten too early */
	get evicted(): number {
		return this.#clock.evicted;
	}

	close(): void {
		for (const { policy } of this.#routes.values()) policy?.close();
		this.#clock.close();
	}

	#passed(exchange: ReplayedExchange, entry: LogEntry, policy: CompiledPolicy | undefined): Came {
		const request = this.#options.comparesChanges ? requestChanged(exchange) : undefined;
		const hasResponse = holdsResponse(entry);
		if (!hasResponse) {
			const isWhole = policy === undefined || policy.outboundEmpty;
			return came(exchange, "passed", { status: 0, isWhole, request, answer: undefined });
		}
		if (policy !== undefined && !policy.outboundEmpty) {
			exchange.showLoggedResponse();
			const decision = this.#decided(policy, policy.outbound(exchange), exchange);
			const instead = replacement(decision, exchange, this.#options.services);
			if (instead !== undefined) {
				const { statusCode, headers, content } = instead;
				const answer = this.#told(exchange, headers, content);
				return { ...this.#ended(exchange, entry, statusCode, answer), request };
			}
		}
		this.#answers(exchange, entry, entry.status);
		const answer = this.#options.comparesChanges ? answerChanged(exchange, entry) : undefined;
		return came(exchange, "passed", { status: entry.status, isWhole: true, request, answer });
	}

	#ended(exchange: ReplayedExchange, entry: LogEntry, status: number, answer: string): Came {
		this.#answers(exchange, entry, status);
		const kind = exchange.answeredBy as Came["kind"];
		return came(exchange, kind, { status, isWhole: true, request: undefined, answer });
	}

	/** Of an answer that a policy made; waits and what is left of limits are no difference. */
	#told({ answeredBy }: ReplayedExchange, headers: readonly string[], content: string): string {
		const isOwn = answeredBy === "respond" || answeredBy === "preflight";
		if (!this.#options.comparesChanges || !isOwn) return "";
		return toldAnswer(headers, content);
	}

	#decided(policy: CompiledPolicy, first: Outcome, exchange: ReplayedExchange): Decision {
		return first.kind === "suspended" ? this.#settled(policy, first, exchange) : first;
	}

	/** What live requests wait for is done at once, in the time that a thread would have for it. */
	#settled(policy: CompiledPolicy, first: Outcome, exchange: ReplayedExchange): Decision {
		let outcome = first;
		while (outcome.kind === "suspended") {
			const untilMs = performance.now() + LIMITS.heavyWaitMs;
			const goesOn = (): boolean => performance.now() < untilMs;
			const settlement = settleHere(outcome.run.suspension, exchange, goesOn);
			const { run } = outcome;
			outcome = resumePhase(policy, exchange, run, settlement, this.#options.services);
		}
		return outcome;
	}

	/** A millisecond early, as starts are taken to be up to one too early (`json-entry.ts`). */
	#answers(exchange: ReplayedExchange, { startMs, endMs }: LogEntry, status: number): void {
		if (exchange.answerTasks === undefined) return;
		const atMs = Math.max(startMs, endMs - 1);
		if (atMs <= startMs) exchange.answered(status);
		else
			this.#unanswered.add(atMs, () => {
				this.#clock.set(atMs);
				exchange.answered(status);
			});
	}

	#answerUntil(ms: number): void {
		while (this.#unanswered.nextMs <= ms && this.#unanswered.size > 0) this.#unanswered.take()?.();
	}

	#opened({ edgeId, routeId }: LogEntry): Opened {
		const last = this.#lastRoute;
		if (last?.route.edgeId === edgeId && last.route.routeId === routeId) return last;
		const key = `${edgeId}/${routeId}`;
		const found = this.#routes.get(key) ?? this.#open(edgeId, routeId);
		this.#routes.set(key, found);
		this.#lastRoute = found;
		return found;
	}

	#open(edgeId: string, routeId: string): Opened {
		if (this.#routes.size >= LIMITS.replayRoutes)
			throw new ReplayError(
				`the log has more than ${LIMITS.replayRoutes} routes: replay some of them, with --route`,
			);
		const { source, config } = this.#options;
		const policy = source.policyOf(edgeId, routeId)?.open({
			...{ edgeId, routeId },
			limiters: this.#clock.limiters,
			ipv6Prefix: config.rateLimits.ipv6Prefix,
			addressLists: source.addressLists,
			expressionErrors: config.expressionErrors,
		});
		const slot = new PolicySlot(policy === undefined ? "none" : "opening");
		if (policy !== undefined) slot.ready(policy);
		const match = { match_type: "path_prefix", match: "/" } as const;
		return { route: new TableRoute(edgeId, routeId, match, BACKEND, slot), policy };
	}
}

/** The backend's response, or weir's own in its place: what outbound rules see. */
const holdsResponse = ({ form, outcome, status }: LogEntry): boolean =>
	form === "combined" || ((outcome === "upstream" || outcome === "edge") && status > 0);

function came(
	exchange: ReplayedExchange,
	kind: Came["kind"],
	rest: Pick<Came, "status" | "isWhole" | "request" | "answer">,
): Came {
	const end = kind === "passed" ? undefined : exchange.endedBy;
	const { status, isWhole, request, answer } = rest;
	return {
		kind,
		status,
		isWhole,
		request,
		answer,
		phase: end?.phase,
		rule: end?.ruleIndex,
		ruleName: end?.ruleName ?? "",
		limit: kind === "limited" ? exchange.limit : undefined,
	};
}
