/**
 * The log's lines about backends: attempts that failed, requests that failed for it, requests that go round in
 * circles. There is at most one line a second for each address or route and kind of failure, because a dead backend
 * fails thousands of requests. Used by `services.ts` and `worker-backends.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { eventsBefore, LogPaces } from "../../telemetry/log-pace.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";

/** Of a request, as much as a line tells. */
export interface FailedRequest {
	readonly edgeId: string;
	readonly routeId: string;
	/** by which its line in the access log is found */
	readonly requestId: string;
}

type Fields = Readonly<Record<string, unknown>>;

export class UpstreamLog {
	readonly #log: Log;
	readonly #paces = new LogPaces(LIMITS.upstreamLogMs);

	constructor(log: Log) {
		this.#log = log;
	}

	/** The request may go on at another address. */
	attemptFailed(
		failure: UpstreamFailure,
		address: string,
		reason: string,
		nowMs = performance.now(),
	): void {
		const kind = `attempt ${failure} ${address}`;
		this.#warn(kind, { failure, address, reason: shortened(reason) }, "upstream failed", nowMs);
	}

	/**
	 * @param backend its URLs
	 * @param statusCode of the answer; undefined if the client had a part of the response already
	 */
	requestFailed(
		request: FailedRequest,
		backend: readonly string[],
		failure: UpstreamFailure | "upgrade",
		reason: string,
		statusCode: number | undefined,
		nowMs = performance.now(),
	): void {
		const { edgeId, routeId } = request;
		const times = this.#paces.happened(`request ${failure} ${edgeId} ${routeId}`, nowMs);
		if (times === undefined) return;
		const fields = {
			edge: edgeId,
			route: routeId,
			request_id: request.requestId,
			backend,
			failure,
			reason: shortened(reason),
			...(statusCode === undefined ? {} : { status: statusCode }),
			...eventsBefore(times),
		};
		this.#log.warn(fields, "request failed upstream");
	}

	loop(
		{ edgeId, routeId }: Omit<FailedRequest, "requestId">,
		backend: readonly string[],
		nowMs = performance.now(),
	): void {
		const fields = { edge: edgeId, route: routeId, backend, hops: LIMITS.hops };
		this.#warn(`loop ${edgeId} ${routeId}`, fields, "a backend leads back to weir", nowMs);
	}

	/** Said whenever the backend comes into use, so at every start. */
	unverified(backend: readonly string[]): void {
		this.#log.warn({ backend }, "a backend's certificate is not verified");
	}

	#warn(kind: string, fields: Fields, message: string, nowMs: number): void {
		const times = this.#paces.happened(kind, nowMs);
		if (times === undefined) return;
		this.#log.warn({ ...fields, ...eventsBefore(times) }, message);
	}
}

const shortened = (reason: string): string => reason.slice(0, LIMITS.logReasonCharacters);
