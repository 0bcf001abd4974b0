/** The fields of a request's line. */
import { expect, it } from "vitest";
import { accessLine } from "../../../src/edge/access/access-line.ts";
import { RequestMarks } from "../../../src/edge/access/request-marks.ts";
import { RequestTrace } from "../../../src/edge/access/request-trace.ts";
import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { JsonLine } from "../../../src/telemetry/json-bytes.ts";
import { textOf } from "../../telemetry/encoded.ts";
import { loggedRequest, placeOf } from "./logged.ts";

const PLAIN = { accessQuery: false, headers: [], responseHeaders: [] };
type Given = Parameters<typeof accessLine> extends [unknown, ...infer Rest] ? Rest : never;
/** The line's own fields. */
function line(...given: Given): Record<string, unknown> {
	const written = new JsonLine();
	written.begin(7, 0);
	accessLine(written, ...given);
	written.end("request");
	const {
		level: _level,
		time: _time,
		pid: _pid,
		msg: _msg,
		...fields
	} = JSON.parse(textOf(written));
	return fields;
}

it("tells of a plain request what there is, and nothing else", () => {
	expect(line(loggedRequest(), 200, false, PLAIN, undefined)).toEqual({
		request_id: "id-1",
		edge: "e",
		route: "r",
		client_ip: "192.0.2.1",
		method: "GET",
		host: "h",
		path: "/x",
		protocol: "HTTP/1.1",
		status: 200,
		outcome: "upstream",
		duration_ms: expect.any(Number),
		bytes_in: 1,
		bytes_out: 2,
	});
});

it("tells who refused, by which rule and limit, and what failed", () => {
	const endedBy = placeOf(3, "Slow down", 0);
	const limited = loggedRequest({ answeredBy: "limited", endedBy, limit: "per client" });
	expect(line(limited, 429, false, PLAIN, undefined)).toMatchObject({
		outcome: "limited",
		phase: "inbound",
		rule: 3,
		rule_name: "Slow down",
		rate_limit: "per client",
	});
	const failed = loggedRequest({
		answeredBy: "edge",
		errorCode: "ERR_UPSTREAM_TIMEOUT",
		failure: "timeout",
	});
	expect(line(failed, 504, true, PLAIN, 0.5)).toMatchObject({
		outcome: "edge",
		error_code: "ERR_UPSTREAM_TIMEOUT",
		failure: "timeout",
		aborted: true,
		sample_rate: 0.5,
	});
});

it("tells durations and the way to the backend", () => {
	const marks = new RequestMarks();
	marks.phaseBegins();
	marks.phaseEnds();
	marks.sent();
	marks.trail.begin({ addressText: () => "192.0.2.8:80" });
	marks.trail.came(0, 2, 1.23456);
	marks.answered();
	expect(line(loggedRequest({ marks }), 200, false, PLAIN, undefined)).toMatchObject({
		duration_ms: expect.any(Number),
		policy_ms: expect.any(Number),
		upstream: "192.0.2.8:80",
		upstream_connect_ms: 1.235,
		upstream_response_ms: expect.any(Number),
		retries: 1,
	});
});

it("tells of TLS, a country, a trace and an agent", () => {
	const trace = new RequestTrace(undefined, true);
	const request = loggedRequest({
		endpointProtocol: "https",
		tlsVersion: "1.3",
		tlsSni: "a.example",
		tlsJa4: "t13d",
		geo: { countryCode: "NL" },
		trace,
		fields: ["user-agent", "curl", "referer", "https://x.example/p?secret=1#f"],
	});
	expect(line(request, 200, false, PLAIN, undefined)).toMatchObject({
		tls: { version: "1.3", sni: "a.example", ja4: "t13d" },
		country: "NL",
		trace_id: trace.traceId,
		user_agent: "curl",
		referer: "https://x.example/p",
	});
	const unknown = loggedRequest({ endpointProtocol: "https", loggedIp: "" });
	const told = line(unknown, 200, false, PLAIN, undefined);
	expect(told.tls).toEqual({});
	expect(told).not.toHaveProperty("country");
});

it("tells queries and fields where it is told to, cut to a length", () => {
	const long = "x".repeat(5000);
	const request = loggedRequest({
		head: { rawPath: `/${long}`, rawQuery: long },
		fields: ["referer", "https://x.example/?q", "x-tenant", "7", "cookie", "sid=1"],
		responseHeaders: new FlatHeaders(["set-cookie", "sid=2; Path=/"]),
	});
	const settings = {
		accessQuery: true,
		headers: ["x-tenant", "cookie", "missing"],
		responseHeaders: ["set-cookie"],
	};
	const cut = (text: string) => `${text.slice(0, LIMITS.accessTextCharacters)}…`;
	expect(line(request, 200, false, settings, undefined)).toMatchObject({
		path: cut(`/${long}`),
		query: cut(long),
		referer: "https://x.example/?q",
		headers: { "x-tenant": "7", cookie: "sid=[redacted]" },
		response_headers: { "set-cookie": "sid=[redacted]; Path=/" },
	});
});

it("tells what the policy logged and would have done", () => {
	const place = placeOf(2, "n", 1);
	const request = loggedRequest({
		logs: [{ a: 1 }],
		reports: [{ place, type: "close-connection" }],
	});
	expect(line(request, 200, false, PLAIN, undefined).traffic_policy).toEqual({
		logs: [{ metadata: { a: 1 } }],
		reports: [
			{ report: "would_close_connection", phase: "inbound", rule: 2, rule_name: "n", action: 1 },
		],
	});
});
