/**
 * What every request of one process shares: counters, logs, the geo database, who is trusted. Made once
 * by `edge.ts`.
 */
import type { ConnectionBound } from "../http/connection-bound.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Place } from "../policy/exchange.ts";
import type { Log } from "../telemetry/log.ts";
import { type Counter, type Metrics, series } from "../telemetry/metrics.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { Exchange } from "./exchange.ts";
import type { Geo } from "./geo.ts";
import type { TrustedProxies } from "./request/client-address.ts";
import type { RequestView } from "./request/request-view.ts";
import type { Direction, SlowReason } from "./slow/slow-clients.ts";
import { SlowLog } from "./slow/slow-log.ts";

const CLASSES = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;
const requests = (statusClass: (typeof CLASSES)[number]) =>
	series("weir_requests_total", { class: statusClass });
const ABORTS = series("weir_client_aborts_total", {});
const IN_FLIGHT = series("weir_requests_in_flight", {});
/** How a policy may end a request. */
type PolicyEnd = "deny" | "respond" | "limited" | "failed";
const outcomes = (outcome: PolicyEnd) => series("weir_policy_outcomes_total", { outcome });

export interface ServicesOptions {
	readonly metrics: Metrics;
	readonly log: Log;
	readonly geo: Geo;
	readonly trustedProxies: TrustedProxies;
	/** settles what policies suspend */
	readonly evaluator: Evaluator;
	/** the quick way to read requests, where there is one */
	readonly requestView?: RequestView | undefined;
	/** bounds the connections of all listeners together */
	readonly connections?: ConnectionBound | undefined;
	/** a log line for every request, not only for those that logged something */
	readonly accessLog: boolean;
}

export class Services {
	readonly metrics: Metrics;
	readonly log: Log;
	readonly geo: Geo;
	readonly trustedProxies: TrustedProxies;
	readonly evaluator: Evaluator;
	readonly accessLog: boolean;
	readonly requestView: RequestView | undefined;
	readonly connections: ConnectionBound | undefined;
	/** answers say `connection: close` */
	draining = false;
	readonly #slowLog: SlowLog;
	#inFlight = 0;
	/** by hundreds of the status */
	readonly #requests: readonly Counter[];
	readonly #otherRequests: Counter;
	readonly #outcomes: Readonly<Record<PolicyEnd, Counter>>;
	#onIdle: (() => void) | undefined;

	constructor({
		metrics,
		log,
		geo,
		trustedProxies,
		evaluator,
		accessLog,
		requestView,
		connections,
	}: ServicesOptions) {
		this.metrics = metrics;
		this.log = log;
		this.#slowLog = new SlowLog(log);
		this.geo = geo;
		this.trustedProxies = trustedProxies;
		this.evaluator = evaluator;
		this.accessLog = accessLog;
		this.requestView = requestView;
		this.connections = connections;
		this.#requests = CLASSES.map((each) => metrics.counter(requests(each)));
		this.#otherRequests = metrics.counter(requests("other"));
		this.#outcomes = {
			deny: metrics.counter(outcomes("deny")),
			respond: metrics.counter(outcomes("respond")),
			limited: metrics.counter(outcomes("limited")),
			failed: metrics.counter(outcomes("failed")),
		};
		metrics.gauge(IN_FLIGHT, () => this.#inFlight);
	}

	get inFlight(): number {
		return this.#inFlight;
	}

	begin(): void {
		this.#inFlight++;
	}

	/** The request is over: counted, and logged if it has something to say. */
	end(exchange: Exchange, statusCode: number, aborted: boolean): void {
		if (exchange.over) return;
		exchange.over = true;
		this.#inFlight--;
		if (aborted) this.metrics.add(ABORTS);
		else this.#countAnswer(statusCode);
		if (this.accessLog || exchange.logs.length > 0) this.#logRequest(exchange, statusCode, aborted);
		if (this.#inFlight === 0) this.#onIdle?.();
	}

	#countAnswer(statusCode: number): void {
		const counter = this.#requests[Math.floor(statusCode / 100)] ?? this.#otherRequests;
		counter.value++;
	}

	/** A policy ended a request. */
	countOutcome(end: PolicyEnd): void {
		this.#outcomes[end].value++;
	}

	/** A request that never became an exchange; logged with the others if all are. */
	refused(statusCode: number, method: string, rawPath: string, clientIp: string): void {
		this.#countAnswer(statusCode);
		if (!this.accessLog) return;
		this.log.info({ method, path: rawPath, status: statusCode, client_ip: clientIp }, "refused");
	}

	/** Resolves when no request is in flight. */
	idle(): Promise<void> {
		if (this.#inFlight === 0) return Promise.resolve();
		return new Promise((resolve) => {
			this.#onIdle = resolve;
		});
	}

	/** A client was too slow and its request is ended. */
	slowClientEnded(exchange: Exchange, direction: Direction, reason: SlowReason): void {
		this.metrics.add(series("weir_slow_clients_total", { direction, reason }));
		this.#slowLog.ended(exchange, direction, reason);
	}

	/** An expression, template or rewrite failed (contract 4): counted and logged with its place. */
	reportFailure(exchange: Exchange, place: Place, message: string): void {
		const { edgeId, routeId } = exchange;
		this.metrics.add(
			series("weir_expression_errors_total", {
				edge: edgeId,
				route: routeId,
				phase: place.phase,
				rule: String(place.ruleIndex),
				expression: place.expressionIndex < 0 ? "" : String(place.expressionIndex),
				action: place.actionIndex < 0 ? "" : String(place.actionIndex),
			}),
		);
		this.log.warn(
			{
				edge: edgeId,
				route: routeId,
				phase: place.phase,
				rule: place.ruleIndex,
				rule_name: place.ruleName,
				...(place.expressionIndex < 0 ? {} : { expression: place.expressionIndex }),
				...(place.actionIndex < 0 ? {} : { action: place.actionIndex }),
				reason: message.slice(0, LIMITS.logReasonCharacters),
			},
			"policy expression failed",
		);
	}

	#logRequest(exchange: Exchange, statusCode: number, aborted: boolean): void {
		const { method, rawPath } = exchange.arrival;
		this.log.info(
			{
				edge: exchange.edgeId,
				route: exchange.routeId,
				method,
				host: exchange.host,
				path: rawPath,
				status: statusCode,
				...(aborted ? { aborted: true } : {}),
				client_ip: exchange.loggedIp,
				duration_ms: Date.now() - exchange.requestReceivedMs,
				bytes_in: exchange.bytesIn,
				bytes_out: exchange.bytesOut,
				...(exchange.logs.length > 0
					? { traffic_policy: { logs: exchange.logs.map((metadata) => ({ metadata })) } }
					: {}),
			},
			"request",
		);
	}
}
