/** Documents in other published forms become the stored one, and problems and warnings are told in the submitted one. */
import { describe, expect, test } from "vitest";
import { documentOf, problemsOf, warningsOf } from "../support.ts";

const respond = (config: object) => ({ actions: [{ type: "custom-response", config }] });

test("today's names mean the same document", () => {
	const submitted = {
		on_http_request: [{ expressions: ["req.method == 'GET'"], actions: [{ type: "deny" }] }],
		on_http_response: [respond({ status_code: 503, body: "closed" })],
	};
	const stored = {
		inbound: submitted.on_http_request,
		outbound: [respond({ status_code: 503, content: "closed" })],
	};
	expect(documentOf(submitted)).toEqual(documentOf(stored));
	expect(documentOf({ module: submitted })).toEqual(documentOf(stored));
	expect(documentOf({ inbound: [respond({ body: "x" })] })).toEqual(
		documentOf({ inbound: [respond({ content: "x" })] }),
	);
});

test("null in either spelling is as if it were not there", () => {
	const rule = respond({ content: "x" });
	const stored = documentOf({ inbound: [rule] });
	for (const submitted of [
		{ on_http_request: null, inbound: [rule] },
		{ inbound: null, on_http_request: [rule] },
		{ on_http_request: [rule], inbound: null, on_http_response: null, on_tcp_connect: null },
		{ inbound: [respond({ body: null, content: "x" })] },
		{ inbound: [respond({ content: null, body: "x" })] },
	])
		expect(documentOf(submitted)).toEqual(stored);
});

describe("mixed forms are refused, and both are named", () => {
	test.each<[object, string]>([
		[
			{ inbound: [], on_http_request: [] },
			'/on_http_request mixed_forms: "on_http_request" and "inbound" are two forms',
		],
		[
			{ inbound: [], on_http_response: [] },
			'/on_http_response mixed_forms: "on_http_response" and "inbound" are two forms',
		],
		[
			{ inbound: [], outbound: [], on_http_response: [] },
			'/on_http_response mixed_forms: "on_http_response" and "inbound" and "outbound" are two',
		],
		[
			{ on_http_request: [respond({ body: "a", content: "b" })] },
			'/on_http_request/0/actions/0/config/body mixed_forms: "body" and "content" are two forms',
		],
	])("%j", (document, problem) => {
		expect(problemsOf(document)).toEqual([expect.stringContaining(problem)]);
		expect(problemsOf({ module: document })).toEqual([
			expect.stringContaining(`/module${problem}`),
		]);
	});
});

test("policies of connections are refused with what does it", () => {
	expect(problemsOf({ on_tcp_connect: [], on_http_request: [] })).toEqual([
		"/on_tcp_connect unsupported_phase: connections carry no policy here; restrict-ips and deny in on_http_request do it, before any backend is asked",
	]);
});

test("problems and warnings stand where they were written", () => {
	expect(problemsOf({ on_http_request: [{ expressions: ["req.methd"], actions: [] }] })).toEqual([
		expect.stringContaining("/on_http_request/0/expressions/0 unknown_variable"),
		expect.stringContaining("/on_http_request/0/actions too_small"),
	]);
	expect(problemsOf({ on_http_response: [respond({ body: "${nope}" })] })).toEqual([
		expect.stringContaining("/on_http_response/0/actions/0/config/body unknown_variable"),
	]);
	expect(problemsOf({ on_http_request: [respond({ body: 5 })] })).toEqual([
		expect.stringContaining("/on_http_request/0/actions/0/config/body wrong_type"),
	]);
	const warned = warningsOf({
		on_http_request: [respond({ body: "${req.headers['x'][0]}" }), respond({ body: "" })],
	});
	expect(warned.map(({ pointer }) => pointer)).toEqual([
		"/on_http_request/0/actions/0/config/body",
		"/on_http_request/1",
	]);
});

test("body belongs to custom-response alone, and other values are left for the schema", () => {
	expect(problemsOf({ inbound: [{ actions: [{ type: "deny", config: { body: "x" } }] }] })).toEqual(
		[expect.stringContaining("/inbound/0/actions/0/config/body unknown_field")],
	);
	for (const odd of [5, [], null, { on_http_request: 5 }, { on_http_request: [5] }])
		expect(problemsOf(odd).length).toBeGreaterThan(0);
});
