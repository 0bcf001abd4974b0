/** Traces say what each part of an expression was, where it stands, and which parts nobody asked. */
import { describe, expect, it } from "vitest";
import { traceExpression } from "../../../src/cel/trace/trace.ts";
import { ATTRIBUTES } from "../attributes.ts";

const traced = (source: string) => {
	const found = traceExpression(source, "inbound", ATTRIBUTES, () => true);
	return (found?.parts ?? []).map(
		({ text, state, value, depth, times }) =>
			`${"  ".repeat(depth)}${text} → ${value ?? state}${times > 1 ? ` (${times}×)` : ""}`,
	);
};

describe("parts of an expression", () => {
	it.each<[source: string, parts: readonly string[]]>([
		["req.method == 'GET'", ["req.method == 'GET' → false", '  req.method → "POST"']],
		[
			"req.method == 'GET' || req.method == 'POST' || req.host == 'x'",
			[
				"req.method == 'GET' || req.method == 'POST' || req.host == 'x' → true",
				"  req.method == 'GET' → false",
				'    req.method → "POST"',
				"  req.method == 'POST' → true",
				'    req.method → "POST"',
				"  req.host == 'x' → skipped",
				"    req.host → skipped",
			],
		],
		[
			"!(req.url.path.startsWith('/v0') && (conn.client_ip in ['10.0.0.1']))",
			[
				"!(req.url.path.startsWith('/v0') && (conn.client_ip in ['10.0.0.1'])) → true",
				"  (req.url.path.startsWith('/v0') && (conn.client_ip in ['10.0.0.1'])) → false",
			],
		],
	])("%s", (source, parts) => {
		expect(traced(source)).toEqual(parts);
	});
	it("prints", () => {
		for (const s of ["req.headers['User-Agent'].exists(v, v.lowerAscii().contains('edg'))","getReqHeader('accept').size() > 1","req.content_length + 1 > 5 ? 'a' : 'b'","math.greatest(1, req.content_length)","[1,2].map(x, x*2)","{'a': req.method}.a","req.url.query_params['x'][3] == ''", "size(req.cookies) > 0", "inCidrRange(conn.client_ip, '203.0.113.0/24')", "conn.geo.country_code in ['BR','DE']", "time.now - timestamp('2020-01-01T00:00:00Z') > duration('1h')"])
			console.log(s, "\n", traced(s).join("\n "), JSON.stringify(traceExpression(s, "inbound", ATTRIBUTES, () => true)?.parts.map(p=>[p.reads,p.type,p.column])));
	});
});
