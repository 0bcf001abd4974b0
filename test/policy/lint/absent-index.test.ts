/** Indexes that fail where a request doesn't bring what they look for, and those that can't. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { uncertainIndexes } from "../../../src/policy/lint/absent-index.ts";
import { compilePredicate } from "../../cel/compiled.ts";
import { exchangeOf } from "../support.ts";
import { checked, said } from "./support.ts";

test.each([
	[
		"req.headers['X-Role'][0] == 'a'",
		"req.headers['X-Role'][0] fails without the header \"X-Role\"; put 'X-Role' in req.headers before it, or write req.headers['X-Role'][?0].orValue('')",
	],
	[
		"req.headers.referer[1] == 'a'",
		"req.headers.referer[1] fails without the header \"referer\"; put 'referer' in req.headers before it, or write req.headers.referer[?1].orValue('')",
	],
	[
		"getResHeader('ETag')[0] == 'a'",
		"res.headers['ETag'][0] fails without the header \"ETag\"; put 'ETag' in res.headers before it, or write res.headers['ETag'][?0].orValue('')",
	],
	[
		"req.cookies['sid'][0].value == 'a'",
		"req.cookies['sid'][0] fails without the cookie \"sid\"; put 'sid' in req.cookies before it, or write getReqCookie('sid')",
	],
	[
		"res.cookies['sid'][0].secure",
		"res.cookies['sid'][0] fails without the cookie \"sid\"; put 'sid' in res.cookies before it, or write getResCookie('sid')",
	],
	[
		"req.url.query_params['p'][0] == '1'",
		"req.url.query_params['p'][0] fails without the query parameter \"p\"; put 'p' in req.url.query_params before it, or write req.url.query_params['p'][?0].orValue('')",
	],
	[
		"req.content_encoding[0] == 'gzip'",
		"req.content_encoding[0] fails where there is none; put size(req.content_encoding) > 0 before it",
	],
])("%s", (source, message) => {
	expect(said(source)).toEqual([`index_of_absent: ${message}`]);
});

test.each([
	"req.method == 'POST' && req.headers['x'][0] == 'a'",
	"'x' in req.headers || req.headers['x'][0] == 'a'",
	"'y' in req.headers && req.headers['x'][0] == 'a'",
	"'x' in res.headers && req.headers['x'][0] == 'a'",
	"'X' in req.cookies && req.cookies['x'][0].value == 'a'",
	"req.method == 'GET' ? req.headers['x'][0] == 'a' : true",
	"req.headers['y'].exists(v, v == req.headers['x'][0])",
	"!(req.headers['x'][0] == 'a')",
	"size(req.headers['x']) >= 0 && req.headers['x'][0] == 'a'",
])("also %s", (source) => {
	expect(said(source)).toHaveLength(1);
});

test.each([
	"'x' in req.headers && req.headers['x'][0] == 'a'",
	"req.headers['x'][0] == 'a' && 'X' in req.headers",
	"has(req.headers.x) && req.headers.x[0] == 'a'",
	"hasReqHeader('X') && getReqHeader('x')[0] == 'a'",
	"!('x' in req.headers) || req.headers['x'][0] != 'a'",
	"!(hasReqHeader('X') && req.headers['x'][0] == 'a')",
	"'x' in req.headers ? req.headers['x'][0] == 'a' : false",
	"!('x' in req.headers) ? false : req.headers['x'][0] == 'a'",
	"size(req.headers['x']) > 0 && req.headers['x'][0] == 'a'",
	"req.headers['x'] != [] && req.headers['x'][0] == 'a'",
	"req.headers['x'].exists(v, v == req.headers['x'][0])",
	"req.user_agent != '' && req.headers['user-agent'][0].contains('a')",
	"req.headers['host'][0] == 'a'",
	"req.headers['x'][?0].orValue('') == 'a'",
	"getReqCookie('sid').value == 'a'",
	"'p' in req.url.query_params && req.url.query_params['p'][0] == '1'",
	"req.headers['x'].all(v, v == 'a')",
	"['a', 'b'][0] == 'a'",
	"req.url.path.split('/')[0] == ''",
	"'debug' in req.url.query_params && req.url.query_params['debug'][0] == 'true'",
])("not %s", (source) => {
	expect(said(source).filter((line) => line.startsWith("index"))).toEqual([]);
});

test("each list is told once", () => {
	const source =
		"req.headers['x'][0] == 'a' || req.headers['X'][0] == 'b' || req.headers['y'][0] == 'c'";
	expect(said(source)).toHaveLength(2);
});

describe("what it says nothing of", () => {
	const atoms = ["x", "y"].flatMap((name) => [
		`'${name}' in req.headers`,
		`has(req.headers.${name})`,
		`size(req.headers['${name}']) > 0`,
		`size(req.headers['${name}']) == 0`,
		`req.headers['${name}'] != []`,
		`req.headers['${name}'].exists(v, v == 'a')`,
		`'a' in req.headers['${name}']`,
		`req.headers['${name}'][0] == 'a'`,
		`req.headers['${name}'][0] == 'a'`,
	]);
	const { formula } = fc.letrec<{ formula: string }>((tie) => ({
		formula: fc.oneof(
			{ maxDepth: 4, depthSize: "medium" },
			fc.constantFrom(...atoms, "req.method == 'GET'"),
			fc.tuple(tie("formula"), tie("formula")).map(([a, b]) => `(${a} && ${b})`),
			fc.tuple(tie("formula"), tie("formula")).map(([a, b]) => `(${a} || ${b})`),
			fc
				.tuple(tie("formula"), tie("formula"), tie("formula"))
				.map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
			tie("formula").map((a) => `!(${a})`),
		),
	}));
	const requests = ["GET", "PUT"].flatMap((method) =>
		[undefined, "a", "b"].flatMap((x) =>
			[undefined, "a", "b"].map((y) =>
				exchangeOf({
					method,
					headers: [
						...(x === undefined ? [] : [["x", x] as const]),
						...(y === undefined ? [] : [["y", y] as const]),
					],
				}),
			),
		),
	);

	it("never fails, whatever a request brings", () => {
		let quiet = 0;
		fc.assert(
			fc.property(formula, (source) => {
				if (!source.includes("[0]") || uncertainIndexes(checked(source)).length > 0) return;
				const compiled = compilePredicate(source, "inbound");
				if (!compiled.ok) throw new Error(source);
				quiet += 1;
				for (const request of requests) {
					expect(compiled.value.evaluate(request), source).not.toBeInstanceOf(EvaluationFailure);
				}
			}),
			{ numRuns: 2000 },
		);
		expect(quiet).toBeGreaterThan(20);
	});
});
