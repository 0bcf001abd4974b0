/**
 * What all requests of one worker share: counters, the log, the geo database, the trusted proxies, the evaluator.
 * Counts and logs how each request ends. Made once by `edge.ts`.
 */
import type { ClientConnection } from "../http/client-connection.ts";
import type { ConnectionBound } from "../http/connection-bound.ts";
import type { Front } from "../http/front.ts";
import { countClosed, reportMissingFront } from "../http/front-telemetry.ts";
import { LIMITS } from "../limits/limits.ts";
import type { JsonValue, Place } from "../policy/exchange.ts";
import type { LiveReport } from "../telemetry/live-report.ts";
import type { Log } from "../telemetry/log.ts";
import { type Metrics, series } from "../telemetry/metrics.ts";
import { keepTime, notedTicks, readTicks } from "../telemetry/request-clock.ts";
import { type TimedRequest, WorkerTraffic } from "../telemetry/traffic/worker-traffic.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Geo } from "./geo.ts";
import { ExpressionFailures } from "./policies/expression-failures.ts";
import { LimitsExceeded } from "./policies/limits-exceeded.ts";
import { type FailedRequest, UpstreamLog } from "./proxying/upstream-log.ts";
import { Refusals } from "./refused-requests.ts";
import type { TrustedProxies } from "./request/client-address.ts";
import { type PolicyEnd, RequestCounters } from "./request-counters.ts";
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
	/** a log line for every request, not only for requests with log actions */
	readonly accessLog: boolean;
}

/** A request as it is counted and logged; `exchange.ts` implements it. */
export interface CountedRequest extends EndedRequest, TimedRequest {
	readonly client: Pick<ClientConnection, "isFront">;
	/** Does what actions have left to be done when the status is known; 0: there was no answer. */
	answered(statusCode: number): void;
	/** answered, reset or left by the client; set here alone */
	over: boolean;
	readonly head: { readonly method: string; readonly rawPath: string };
	readonly host: string;
	readonly requestReceivedMs: number;
	readonly bytesIn: number;
	readonly bodyBytesIn: number;
	readonly bytesOut: number;
	readonly logs: readonly JsonValue[];
	readonly reports: readonly Reported[];
}

/** An action that was not enforced would have acted. */
export interface Reported {
	readonly place: Place;
	readonly type: string;
}

const hasPolicyLog = ({ logs, reports }: Pick<CountedRequest, "logs" | "reports">): boolean =>
	logs.length > 0 || reports.length > 0;

const reportName = (type: string): string => `would_${type.replaceAll("-", "_")}`;

function policyLog({ logs, reports }: CountedRequest): object {
	return {
		...(logs.length > 0 ? { logs: logs.map((metadata) => ({ metadata })) } : {}),
		...(reports.length > 0 ? { reports: reports.map(reportLine) } : {}),
	};
}

const reportLine = ({ place, type }: Reported): object => ({
	report: reportName(type),
	phase: place.phase,
	rule: place.ruleIndex,
	rule_name: place.ruleName,
	action: place.actionIndex,
});

export class Services {
	readonly metrics: Metrics;
	readonly traffic: WorkerTraffic;
	readonly log: Log;
	readonly geo: Geo;
	readonly trustedProxies: TrustedProxies;
	readonly evaluator: Evaluator;
	accessLog: boolean;
	readonly front: Front | undefined;
	readonly connections: ConnectionBound | undefined;
	readonly connectionLimits: ConnectionLimits | undefined;
	/** answers say `connection: close` */
	draining = false;
	readonly upstreamLog: UpstreamLog;
	readonly #slowLog: SlowLog;
	readonly #failures: ExpressionFailures;
	readonly limitsExceeded: LimitsExceeded;
	readonly refusals = new Refusals();
	#inFlight = 0;
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
		this.limitsExceeded = new LimitsExceeded(metrics);
		this.geo = geo;
		this.trustedProxies = trustedProxies;
		this.evaluator = evaluator;
		this.accessLog = accessLog;
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

	/** The request is over: counts it, and logs it if all are logged or it had log actions. */
	end(request: CountedRequest, statusCode: number, aborted: boolean): void {
		if (request.over) return;
		request.over = true;
		request.answered(statusCode);
		this.#inFlight--;
		if (aborted) this.#counters.aborted();
		else this.#counters.answered(statusCode);
		// The front has just sent the answer's last bytes, and noted when; nobody else does.
		this.#counters.carried(request.bodyBytesIn, request.bytesOut);
		const isNoted = !aborted && request.client.isFront;
		this.traffic.ended(request, statusCode, aborted, isNoted ? notedTicks() : readTicks());
		if (this.logs(request)) this.#logRequest(request, statusCode, aborted);
		if (this.#inFlight === 0) this.#onIdle?.();
	}

	/** A policy ended a request. */
	countOutcome(end: PolicyEnd): void {
		this.#counters.ended(end);
	}

	/** A request that was refused before an exchange was made; logged if all are. */
	refused(statusCode: number, method: string, rawPath: string, clientIp: string): void {
		this.#counters.refused(statusCode);
		this.refusals.unread(statusCode, method, rawPath, clientIp);
		if (!this.accessLog) return;
		this.log.info({ method, path: rawPath, status: statusCode, client_ip: clientIp }, "refused");
	}

	/** For the live page. */
	takeLive(): Pick<LiveReport, "inFlight" | "refusals" | "refused"> {
		return { inFlight: this.#inFlight, ...this.refusals.take() };
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

	/** Has the request a line in the log? */
	logs(request: Pick<CountedRequest, "logs" | "reports">): boolean {
		return this.accessLog || hasPolicyLog(request);
	}

	/** An action that is not enforced would have acted; the request's line in the log names the rule. */
	reported({ edgeId, routeId }: EndedRequest, type: string): void {
		const labels = { edge: edgeId, route: routeId, report: reportName(type) };
		this.metrics.add(series("weir_policy_reports_total", labels));
	}

	/** An expression, template or rewrite failed (contract 4): counted and logged with its place. */
	reportFailure(request: EndedRequest, place: Place, message: string): void {
		this.#failures.failed(request, place, message);
	}

	#logRequest(request: CountedRequest, statusCode: number, aborted: boolean): void {
		const { method, rawPath } = request.head;
		this.log.info(
			{
				edge: request.edgeId,
				route: request.routeId,
				method,
				host: request.host,
				path: rawPath,
				status: statusCode,
				...(aborted ? { aborted: true } : {}),
				client_ip: request.loggedIp,
				duration_ms: Date.now() - request.requestReceivedMs,
				bytes_in: request.bytesIn,
				bytes_out: request.bytesOut,
				...(hasPolicyLog(request) ? { traffic_policy: policyLog(request) } : {}),
			},
			"request",
		);
	}
}
