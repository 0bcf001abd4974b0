/** The fields of a request's line in the log (docs/operations.md, "Access log"). Used by `access-log.ts`. */
import type { Config } from "../../config.ts";
import type { JsonLine } from "../../telemetry/json-bytes.ts";
import type { Reported } from "../extras.ts";
import { bounded, loggedField, loggedHeaders } from "./logged-headers.ts";
import { hasPolicyLog, type LoggedRequest, reportName } from "./logged-request.ts";

export type LineSettings = Pick<Config["log"], "accessQuery" | "headers" | "responseHeaders">;

/** Nothing of an empty text. */
const known = (text: string): string | undefined => (text === "" ? undefined : text);

/** Without its query, unless queries are told. */
function referer(request: LoggedRequest, withQuery: boolean): string | undefined {
	const text = loggedField(request.head.lines, "referer");
	return text === undefined || withQuery ? text : text.replace(/[?#].*$/s, "");
}

const tlsOf = ({ tlsVersion, tlsSni, tlsJa4 }: LoggedRequest): object => ({
	version: known(tlsVersion),
	sni: known(tlsSni),
	ja4: known(tlsJa4),
});

const reportLine = ({ place, type }: Reported): object => ({
	report: reportName(type),
	phase: place.phase,
	rule: place.ruleIndex,
	rule_name: place.ruleName,
	action: place.actionIndex,
});

const policyLog = ({ logs, reports }: LoggedRequest): object => ({
	logs: logs.length > 0 ? logs.map((metadata) => ({ metadata })) : undefined,
	reports: reports.length > 0 ? reports.map(reportLine) : undefined,
});

/**
 * Hot.
 * @param line begun, for the fields
 * @param sampleRate of which this line is one; undefined: it is not one of a sample
 */
export function accessLine(
	line: JsonLine,
	request: LoggedRequest,
	statusCode: number,
	aborted: boolean,
	{ accessQuery, headers, responseHeaders }: LineSettings,
	sampleRate: number | undefined,
): void {
	const { head, marks, endedBy, loggedIp } = request;
	const { method, rawPath, rawQuery, lines } = head;
	line.text("request_id", request.requestId);
	if (request.trace?.isSampled === true) line.text("trace_id", request.trace.traceId);
	line.text("edge", request.edgeId);
	line.text("route", request.routeId);
	line.text("client_ip", loggedIp);
	if (loggedIp !== "") line.text("country", known(request.geo.countryCode));
	line.text("method", method);
	line.text("host", request.host);
	line.text("path", bounded(rawPath));
	if (accessQuery && rawQuery !== undefined) line.text("query", bounded(rawQuery));
	line.text("protocol", request.httpVersion);
	line.number("status", statusCode);
	if (aborted) line.json("aborted", true);
	line.text("outcome", request.answeredBy);
	line.text("error_code", request.errorCode);
	if (endedBy !== undefined) {
		line.text("phase", endedBy.phase);
		line.number("rule", endedBy.ruleIndex);
		line.text("rule_name", known(endedBy.ruleName));
	}
	line.text("rate_limit", request.limit);
	line.text("failure", request.failure);
	line.milliseconds("duration_ms", marks?.totalMs ?? Date.now() - request.requestReceivedMs);
	if (marks !== undefined) {
		line.milliseconds("policy_ms", marks.policyMs);
		line.text("upstream", known(marks.trail.address));
		if (marks.trail.connectMs > 0) line.milliseconds("upstream_connect_ms", marks.trail.connectMs);
		line.milliseconds("upstream_response_ms", marks.responseMs);
		if (marks.trail.retries > 0) line.number("retries", marks.trail.retries);
	}
	line.number("bytes_in", request.bytesIn);
	line.number("bytes_out", request.bytesOut);
	if (request.endpointProtocol === "https") line.json("tls", tlsOf(request));
	line.text("user_agent", loggedField(lines, "user-agent"));
	line.text("referer", referer(request, accessQuery));
	if (headers.length > 0) line.json("headers", loggedHeaders(lines, headers));
	if (responseHeaders.length > 0)
		line.json("response_headers", loggedHeaders(request.responseHeaders, responseHeaders));
	line.number("sample_rate", sampleRate);
	if (hasPolicyLog(request)) line.json("traffic_policy", policyLog(request));
}
