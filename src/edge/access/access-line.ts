/** The fields of a request's line in the log (docs/operations.md, "Access log"). Used by `access-log.ts`. */
import type { Config } from "../../config.ts";
import { bounded, loggedField, loggedHeaders } from "./logged-headers.ts";
import { hasPolicyLog, type LoggedRequest, type Reported, reportName } from "./logged-request.ts";

export type LineSettings = Pick<Config["log"], "accessQuery" | "headers" | "responseHeaders">;

/** What pino leaves out. */
const NOTHING = undefined;
const known = (text: string): string | undefined => (text === "" ? NOTHING : text);

/** To the microsecond; nothing for what did not happen. */
const milliseconds = (value: number): number | undefined =>
	value < 0 ? NOTHING : Math.round(value * 1000) / 1000;

/** Without its query, unless queries are told. */
function referer(request: LoggedRequest, withQuery: boolean): string | undefined {
	const text = loggedField(request.head.lines, "referer");
	return text === undefined || withQuery ? text : text.replace(/[?#].*$/s, "");
}

const tlsOf = (request: LoggedRequest): object | undefined =>
	request.endpointProtocol === "https"
		? {
				version: known(request.tlsVersion),
				sni: known(request.tlsSni),
				ja4: known(request.tlsJa4),
			}
		: NOTHING;

const reportLine = ({ place, type }: Reported): object => ({
	report: reportName(type),
	phase: place.phase,
	rule: place.ruleIndex,
	rule_name: place.ruleName,
	action: place.actionIndex,
});

const policyLog = ({ logs, reports }: LoggedRequest): object => ({
	logs: logs.length > 0 ? logs.map((metadata) => ({ metadata })) : NOTHING,
	reports: reports.length > 0 ? reports.map(reportLine) : NOTHING,
});

/** @param sampleRate of which this line is one; undefined: it is not one of a sample */
export function accessLine(
	request: LoggedRequest,
	statusCode: number,
	aborted: boolean,
	{ accessQuery, headers, responseHeaders }: LineSettings,
	sampleRate: number | undefined,
): object {
	const { head, marks, endedBy, loggedIp } = request;
	const { method, rawPath, rawQuery, lines } = head;
	return {
		request_id: request.requestId,
		trace_id: request.trace?.isSampled === true ? request.trace.traceId : NOTHING,
		edge: request.edgeId,
		route: request.routeId,
		client_ip: loggedIp,
		country: loggedIp === "" ? NOTHING : known(request.geo.countryCode),
		method,
		host: request.host,
		path: bounded(rawPath),
		query: accessQuery && rawQuery !== undefined ? bounded(rawQuery) : NOTHING,
		protocol: request.httpVersion,
		status: statusCode,
		aborted: aborted ? true : NOTHING,
		outcome: request.answeredBy,
		error_code: request.errorCode,
		phase: endedBy?.phase,
		rule: endedBy?.ruleIndex,
		rule_name: endedBy === undefined ? NOTHING : known(endedBy.ruleName),
		rate_limit: request.limit,
		failure: request.failure,
		duration_ms: milliseconds(marks?.totalMs ?? Date.now() - request.requestReceivedMs),
		policy_ms: marks && milliseconds(marks.policyMs),
		upstream: marks && known(marks.trail.address),
		upstream_connect_ms:
			marks && marks.trail.connectMs > 0 ? milliseconds(marks.trail.connectMs) : NOTHING,
		upstream_response_ms: marks && milliseconds(marks.responseMs),
		retries: marks && marks.trail.retries > 0 ? marks.trail.retries : NOTHING,
		bytes_in: request.bytesIn,
		bytes_out: request.bytesOut,
		tls: tlsOf(request),
		user_agent: loggedField(lines, "user-agent"),
		referer: referer(request, accessQuery),
		headers: headers.length > 0 ? loggedHeaders(lines, headers) : NOTHING,
		response_headers:
			responseHeaders.length > 0
				? loggedHeaders(request.responseHeaders, responseHeaders)
				: NOTHING,
		sample_rate: sampleRate,
		traffic_policy: hasPolicyLog(request) ? policyLog(request) : NOTHING,
	};
}
