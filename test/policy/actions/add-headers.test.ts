/** add-headers (contract 5): lines behind those that are there, seen by later rules; what may not be added is refused. */
import { expect, test } from "vitest";
import { compiled, exchangeOf, problemsOf, warningsOf } from "../support.ts";

const add = (headers: unknown) => ({ type: "add-headers", config: { headers } });
const says = (said: string) => ({ type: "log", config: { metadata: { said } } });

test("later rules see the lines, and what was added is told", () => {
	const policy = compiled({
		inbound: [
			{ actions: [add({ "X-A": "2", host: "new.example" })] },
			{
				actions: [says("${req.headers['x-a']} ${req.host} ${actions.add_headers.headers_added}")],
			},
		],
		outbound: [{ actions: [add({ "X-B": "${res.status_code}" }), says("${res.headers['x-b']}")] }],
	});
	const exchange = exchangeOf({ headers: [["x-a", "1"]], responseStatus: 201 });
	expect([policy.inbound(exchange).kind, policy.outbound(exchange).kind]).toEqual([
		"continue",
		"continue",
	]);
	expect(exchange.logs).toEqual([
		{ said: '["1","2"] new.example {"x-a":"2","host":"new.example"}' },
		{ said: '["201"]' },
	]);
});

test("under a rule that only reports nothing is added", () => {
	const policy = compiled({ inbound: [{ enforce: false, actions: [add({ "x-a": "1" })] }] });
	const exchange = exchangeOf();
	policy.inbound(exchange);
	expect([exchange.reported, exchange.requestHeaders.names()]).toEqual([["0 add-headers"], []]);
});

test.each([
	["inbound", {}, "/headers invalid_value"],
	["inbound", { "x y": "1" }, "invalid_header"],
	["inbound", { "content-length": "1" }, "invalid_header"],
	["inbound", { Upgrade: "1" }, "invalid_header"],
	["inbound", { "x-a": "1", "X-A": "2" }, "invalid_header"],
	["inbound", { "x-a": "a\r\nb" }, "invalid_header"],
	["inbound", { "x-a": "${nope}" }, "unknown_variable"],
	["inbound", { "x-a": 5 }, "wrong_type"],
	["outbound", { date: "now" }, "invalid_header"],
	["outbound", { host: "h" }, "invalid_header"],
	[
		"inbound",
		Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x-${at}`, ""])),
		"too_big",
	],
])("%s %j is refused", (phase, headers, problem) => {
	const found = problemsOf({ [phase]: [{ actions: [add(headers)] }] });
	expect(found).toHaveLength(1);
	expect(found[0]).toContain(`/${phase}/0/actions/0/config/headers`);
	if (!problem.startsWith("/")) expect(found[0]).toContain(problem);
});

test("lines that weir writes itself are warned of", () => {
	const document = { inbound: [{ actions: [add({ "X-Forwarded-For": "1.2.3.4", "x-a": "1" })] }] };
	expect(warningsOf(document).map(({ pointer, code }) => [pointer, code])).toEqual([
		["/inbound/0/actions/0/config/headers/X-Forwarded-For", "header_not_sent"],
	]);
});

test("each with its reason, and in the request alone", () => {
	const headers = { "x-forwarded-for": "1.2.3.4", expect: "100-continue" };
	const said = (phase: string) =>
		warningsOf({ [phase]: [{ actions: [add(headers)] }] }).map(({ message }) => message);
	expect(said("inbound")).toEqual([
		"x-forwarded-for does not reach the backend: weir says itself who the client is; leave it out",
		"expect does not reach the backend: it is about the connection, which is weir's own; leave it out",
	]);
	expect(said("outbound")).toEqual([]);
});

test("a host that is none is warned of", () => {
	const codes = (host: string, phase = "inbound") =>
		warningsOf({ [phase]: [{ actions: [add({ Host: host })] }] }).map(({ code }) => code);
	for (const host of ["a b", "", "a/b", "h:99999"]) expect(codes(host)).toEqual(["no_host"]);
	for (const host of ["shop.example", "10.0.0.7:8080", "[::1]", "${req.host}"])
		expect(codes(host)).toEqual([]);
});
