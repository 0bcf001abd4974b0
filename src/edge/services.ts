/**
 * What all requests of one worker share: counters, the log, the geo database, the trusted proxies, the evaluator.
 * Counts and logs how each request ends. Made once by `edge.ts`.
 */
import type { ClientConnection } from "../http/client-connection.ts";
import type { ConnectionBound } from "../http/connection-bound.ts";
import type { Front } from "../http/front.ts";
import { countClosed, reportMissingFront } from "../http/front-telemetry.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Place } from "../policy/exchange.ts";
import type { LiveReport } from "../telemetry/live-report.ts";
import type { Log } from "../telemetry/log.ts";
import { type Metrics, series } from "../telemetry/metrics.ts";
import { keepTime, readTicks } from "../telemetry/request-clock.ts";
import { type TimedRequest, WorkerTraffic } from "../telemetry/traffic/worker-traffic.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { AccessLog, RefusedRequest } from "./access/access-log.ts";
import type { Carrier } from "./access/carrier.ts";
import { hasPolicyLog, type LoggedRequest, reportName } from "./access/logged-request.ts";
import type { RequestSpans } from "./access/request-spans.ts";
import type { Shadow, TriedPolicies } from "./candidates/shadow.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Geo } from "./geo.ts";
import { ExpressionFailures } from "./policies/expression-failures.ts";
import { LimitsExceeded } from "./policies/limits-exceeded.ts";
import { ReportCounts } from "./policies/report-counts.ts";
import { type FailedRequest, UpstreamLog } from "./proxying/upstream-log.ts";
import { Refusals } from "./refused-requests.ts";
import type { TrustedProxies } from "./request/client-address.ts";
import { type PolicyEnd, RequestCounters } from "./request-counters.ts";
import type { Route } from "./routing/route.ts";
import type { ExplainTokens } from "./seen/explain-tokens.ts";
import type { RequestNotes } from "./seen/request-notes.ts";
import type { Direction, SlowReason } from "./slow/slow-clients.ts";
import { type EndedRequest, SlowLog } from "./slow/slow-log.ts";

const IN_FLIGHT = series("weir_requests_in_flight", {});

interface ServicesOptions {
	readonly metrics: Metrics;
	/** without one: numbers of their own, which nobody reads */
	readonly traffic?: WorkerTraffic | undefined;
	readonly log: Log;
	readonly geo: Geo;
	readonly trustedProxies: TrustedProxies;
	/** settles what policies suspend */
	readonly evaluator: Evaluator;
	/** serves clients in place of the server library, where it can */
	readonly front?: Front | undefined;
	/** bounds the connections of all listeners together */
	readonly connections?: ConnectionBound | undefined;
	/** the operator's bounds on them */
	readonly connectionLimits?: ConnectionLimits | undefined;
	readonly accessLog: AccessLog;
	readonly carrier: Carrier;
	/** undefined: tracing is off */
	readonly spans?: RequestSpans | undefined;
	/** left out: no request is explained */
	readonly explainTokens?: ExplainTokens | undefined;
}

/** A request as it is counted and logged; `exchange.ts` implements it. */
export interface CountedRequest extends EndedRequest, TimedRequest, LoggedRequest {
	readonly client: Pick<ClientConnection, "isFront">;
	readonly shadow?: Shadow | undefined;
	/** Does what actions have left to be done when the status is known; 0: there was no answer. */
	answered(statusCode: number): void;
	/** answered, reset or left by the client; set here alone */
	over: boolean;
	readonly bodyBytesIn: number;
	readonly bytesOut: number;
	/** of one that is to be explained */
	readonly notes: RequestNotes | undefined;
	readonly nowMs: number;
}

export class Services {
	readonly metrics: Metrics;
	readonly traffic: WorkerTraffic;
	readonly log: Log;
	readonly geo: Geo;
	readonly trustedProxies: TrustedProxies;
	readonly evaluator: Evaluator;
	readonly accessLog: AccessLog;
	readonly carrier: Carrier;
	readonly explainTokens: ExplainTokens | undefined;
	readonly #spans: RequestSpans | undefined;
	readonly front: Front | undefined;
	readonly connections: ConnectionBound | undefined;
	readonly connectionLimits: ConnectionLimits | undefined;
	/** answers say `connection: close` */
	draining = false;
	readonly upstreamLog: UpstreamLog;
	readonly #slowLog: SlowLog;
	readonly #failures: ExpressionFailures;
	readonly #reports: ReportCounts;
	readonly limitsExceeded: LimitsExceeded;
	readonly refusals = new Refusals();
	#inFlight = 0;
	/** what is tried beside policies; set by `edge.ts` */
	candidates: TriedPolicies | undefined;
	readonly #counters: RequestCounters;
	#onIdle: (() => void) | undefined;

	constructor({
		metrics,
		traffic = new WorkerTraffic(),
		log,
		geo,
		trustedProxies,
		evaluator,
		accessLog,
		carrier,
		spans,
		explainTokens,
		front,
		connections,
		connectionLimits,
	}: ServicesOptions) {
		this.metrics = metrics;
		this.traffic = traffic;
		setInterval(keepTime, LIMITS.clockSyncMs).unref();
		this.log = log;
		this.upstreamLog = new UpstreamLog(log);
		this.#slowLog = new SlowLog(log);
		this.#failures = new ExpressionFailures(metrics, log);
		this.#reports = new ReportCounts(metrics);
		this.limitsExceeded = new LimitsExceeded(metrics);
		this.geo = geo;
		this.trustedProxies = trustedProxies;
		this.evaluator = evaluator;
		this.accessLog = accessLog;
		this.carrier = carrier;
		this.#spans = spans;
		this.explainTokens = explainTokens;
		this.front = front;
		this.connections = connections;
		this.connectionLimits = connectionLimits;
		this.#counters = new RequestCounters(metrics);
		if (front !== undefined) countClosed(front, metrics);
		metrics.gauge(IN_FLIGHT, () => this.#inFlight);
	}

	get inFlight(): number {
		return this.#inFlight;
	}

	begin(): void {
		this.#inFlight++;
	}

	/** The request is over: counts it, and tells of it if all are told of or it had log actions. */
	end(request: CountedRequest, statusCode: number, aborted: boolean): void {
		if (request.over) return;
		request.over = true;
		request.answered(statusCode);
		request.shadow?.ended(statusCode, aborted);
		this.#inFlight--;
		if (aborted) this.#counters.aborted();
		else this.#counters.answered(statusCode);
		// The front has just sent the answer's last bytes, and noted when; nobody else does.
		this.#counters.carried(request.bodyBytesIn, request.bytesOut);
		if (aborted || !request.client.isFront) readTicks();
		this.traffic.ended(request, statusCode, aborted);
		if (this.tells(request)) {
			this.accessLog.ended(request, statusCode, aborted);
			this.#spans?.ended(request, statusCode, aborted);
		}
		const { notes } = request;
		if (notes !== undefined) this.explainTokens?.ended(notes, request, statusCode, aborted);
		if (this.#inFlight === 0) this.#onIdle?.();
	}

	/** A policy ended a request. */
	countOutcome(end: PolicyEnd): void {
		this.#counters.ended(end);
	}

	/** The front has ended so many requests by itself. @param bytes of the answers' contents */
	stood(end: PolicyEnd, statusCode: number, route: Route, times: number, bytes: number): void {
		this.#counters.ended(end, times);
		this.#counters.answered(statusCode, times);
		this.#counters.carried(0, bytes);
		this.traffic.stood(route, statusCode, times);
	}

	/** A request that was refused before an exchange was made; logged if all are. */
	refused(statusCode: number, request: RefusedRequest): void {
		this.#counters.refused(statusCode);
		this.accessLog.refused(request, statusCode);
		this.refusals.unread(statusCode, request);
	}

	/** For the live page. */
	takeLive(): Omit<LiveReport, "cpu" | "rssBytes"> {
		const candidates = this.candidates?.take() ?? [];
		return { inFlight: this.#inFlight, candidates, ...this.refusals.take() };
	}

	/** Resolves when no request is in flight. */
	idle(): Promise<void> {
		if (this.#inFlight === 0) return Promise.resolve();
		return new Promise((resolve) => {
			this.#onIdle = resolve;
		});
	}

	/** A listener's clients are read by the server library alone, although the front is on. */
	frontMissing(listener: string): void {
		reportMissingFront("data", listener, this.metrics, this.log);
	}

	/** A client was too slow and its request is ended. */
	slowClientEnded(request: EndedRequest, direction: Direction, reason: SlowReason): void {
		this.metrics.add(series("weir_slow_clients_total", { direction, reason }));
		this.#slowLog.ended(request, direction, reason);
	}

	/** A request came back to weir too often. @param backend URLs of the backend that it was meant for */
	loopRefused(request: FailedRequest, backend: readonly string[]): void {
		this.metrics.add("weir_loops_total");
		this.upstreamLog.loop(request, backend);
	}

	/** Whoever is to tell of the request wants to know when what happens. */
	tellsLater(trace: LoggedRequest["trace"]): boolean {
		return this.accessLog.isOn || trace?.isSampled === true;
	}

	/** Does the log, or a trace, tell of the request? */
	tells(request: Pick<CountedRequest, "logs" | "reports" | "trace">): boolean {
		return this.tellsLater(request.trace) || hasPolicyLog(request);
	}

	/** An action that is not enforced would have acted; the request's line in the log names the rule. */
	reported({ edgeId, routeId }: EndedRequest, type: string): void {
		this.#reports.reported(edgeId, routeId, reportName(type));
	}

	/** An expression, template or rewrite failed (contract 4): counted and logged with its place. */
	reportFailure(request: EndedRequest, place: Place, message: string): void {
		this.#failures.failed(request, place, message);
	}
}
