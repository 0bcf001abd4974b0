/** Traces say what each part of an expression was, where it stands, and which parts nobody asked. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { predicateProgram } from "../../../src/cel/compile.ts";
import { openPredicate } from "../../../src/cel/program.ts";
import { traceExpression } from "../../../src/cel/trace/trace.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
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
				"  req.url.path.startsWith('/v0') && (conn.client_ip in ['10.0.0.1']) → false",
				"    req.url.path.startsWith('/v0') → true",
				'      req.url.path → "/v0/user/42"',
				"    conn.client_ip in ['10.0.0.1'] → false",
				'      conn.client_ip → "203.0.113.7"',
			],
		],
		[
			"req.headers['User-Agent'].exists(v, v.lowerAscii().contains('edg'))",
			[
				"req.headers['User-Agent'].exists(v, v.lowerAscii().contains('edg')) → true",
				"  req.headers['User-Agent'] → [\"Mozilla/5.0 EDG/120.0\"]",
				"  v.lowerAscii().contains('edg') → true",
				'    v.lowerAscii() → "mozilla/5.0 edg/120.0"',
				'      v → "Mozilla/5.0 EDG/120.0"',
			],
		],
		[
			"[1, req.content_length].all(x, x < 3)",
			[
				"[1, req.content_length].all(x, x < 3) → false",
				"  [1, req.content_length] → [1, 10001]",
				"    req.content_length → 10001",
				"  x < 3 → false (2×)",
				"    x → 10001 (2×)",
			],
		],
		[
			"req.url.query_params['x'][3] == '' || req.method == 'POST'",
			[
				"req.url.query_params['x'][3] == '' || req.method == 'POST' → true",
				"  req.url.query_params['x'][3] == '' → skipped",
				"    req.url.query_params['x'][3] → skipped",
				"      req.url.query_params['x'] → skipped",
				"        req.url.query_params → skipped",
				"  req.method == 'POST' → true",
				'    req.method → "POST"',
			],
		],
		[
			"int(req.headers['x-none'][0]) > 1",
			[
				"int(req.headers['x-none'][0]) > 1 → failed",
				"  int(req.headers['x-none'][0]) → failed",
				"    req.headers['x-none'][0] → failed",
				"      req.headers['x-none'] → []",
			],
		],
	])("%s", (source, parts) => {
		expect(traced(source)).toEqual(parts);
	});
	it("tells what each reads, of what type it is and where it stands", () => {
		const source = "req.content_length > 5 &&\n  'edg' in getReqHeader('user-agent')";
		const parts = traceExpression(source, "inbound", ATTRIBUTES, () => true)?.parts ?? [];
		expect(parts.map(({ reads, type, line, column }) => [reads, type, line, column])).toEqual([
			[undefined, "bool", 1, 1],
			[undefined, "bool", 1, 1],
			["req.content_length", "int", 1, 1],
			[undefined, "bool", 2, 3],
			["req.headers['user-agent']", "list<string>", 2, 12],
		]);
	});
	it("tells of so many parts", () => {
		const long = Array.from({ length: 200 }, (_, at) => `req.method == 'M${at}'`).join(" || ");
		const traced = traceExpression(long, "inbound", ATTRIBUTES, () => true);
		expect(traced?.parts.length).toBe(LIMITS.tracedParts);
		expect(traced?.more).toBe(401 - LIMITS.tracedParts);
	});
	it("knows no expression that may not run", () => {
		expect(traceExpression("req.nothing", "inbound", ATTRIBUTES, () => true)).toBeUndefined();
	});
});

describe("a trace", () => {
	const atom = fc.constantFrom(
		"req.method == 'POST'",
		"req.method == 'GET'",
		"req.host in ['a', 'example.com']",
		"req.content_length > 5",
		"req.url.query_params['x'].exists(v, v == '2')",
		"req.headers['accept'].all(v, v.contains('/'))",
		"cel.bind(h, req.host, h.size() > 3 && h.endsWith('.com'))",
		// fails
		"req.url.query_params['x'][7] == '1'",
		"int(req.method) == 1",
	);
	const { expression } = fc.letrec<{ expression: string }>((tie) => ({
		expression: fc.oneof(
			{ maxDepth: 3 },
			atom,
			tie("expression").map((one) => `!(${one})`),
			fc
				.tuple(tie("expression"), fc.constantFrom("&&", "||"), tie("expression"))
				.map(([one, operator, other]) => `(${one}) ${operator} (${other})`),
			fc
				.tuple(tie("expression"), tie("expression"), tie("expression"))
				.map(([one, other, third]) => `(${one}) ? (${other}) : (${third})`),
		),
	}));

	it("comes to what the data path's code comes to", () => {
		fc.assert(
			fc.property(expression, (source) => {
				const program = predicateProgram(source, "inbound");
				if (!program.ok) throw new Error(source);
				const value = openPredicate(program.value).evaluate(ATTRIBUTES);
				const whole = traceExpression(source, "inbound", ATTRIBUTES, () => true)?.parts[0];
				// an expression that is the same for every request has no parts
				if (whole === undefined) return;
				const meant = typeof value === "boolean" ? String(value) : undefined;
				expect([whole.text, whole.value]).toEqual([source, meant]);
			}),
			{ numRuns: 300 },
		);
	});
});
