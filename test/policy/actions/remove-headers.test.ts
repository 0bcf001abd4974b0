/** remove-headers (contract 5): names and prefixes, in any case; what a message needs is refused. */
import { expect, test } from "vitest";
import { compiled, exchangeOf, problemsOf, warningsOf } from "../support.ts";

const remove = (...headers: unknown[]) => ({ type: "remove-headers", config: { headers } });
const says = (said: string) => ({ type: "log", config: { metadata: { said } } });

test("later rules don't see them, and those that were there are told", () => {
	const removed = "${actions.remove_headers.headers_removed}";
	const policy = compiled({
		inbound: [{ actions: [remove("X-A", "x-in-*", "none"), says(`\${req.headers} ${removed}`)] }],
		outbound: [{ actions: [remove("*"), says(`\${size(res.headers)} ${removed}`)] }],
	});
	const exchange = exchangeOf({
		headers: [
			["x-a", "1"],
			["x-in-b", "2"],
			["keep", "3"],
			["x-a", "4"],
		],
		responseHeaders: [
			["server", "s"],
			["date", "now"],
		],
	});
	policy.inbound(exchange);
	policy.outbound(exchange);
	expect(exchange.logs).toEqual([
		{ said: '{"keep":["3"]} ["x-a","x-in-b"]' },
		{ said: '1 ["server"]' },
	]);
});

test.each([
	["host", "no message is understood without it"],
	["Date", "the server writes it"],
	["via", "loops are found by it"],
	["content-length", "frames the message"],
	["connection", "belongs to the connection"],
	["x y", "is no header name"],
	["x y*", "is no beginning of a header name"],
	["x-**", "is no beginning of a header name"],
	["x-*-role", "stands at the end only"],
	["", "is no header name"],
])("%j is refused", (name, message) => {
	const found = problemsOf({ inbound: [{ actions: [remove("x-a", name)] }] });
	expect(found).toEqual([
		expect.stringContaining("/inbound/0/actions/0/config/headers/1 invalid_header"),
	]);
	expect(found[0]).toContain(message);
});

test("lists that are empty, too long or of something else are refused", () => {
	for (const headers of [[], Array.from({ length: 65 }, () => "x"), [5], "x"]) {
		const action = { type: "remove-headers", config: { headers } };
		expect(problemsOf({ inbound: [{ actions: [action] }] })).toHaveLength(1);
	}
});

test("a header that may be gone is not sure any more", () => {
	const sure = { expressions: ["!('x-a' in req.headers)"], actions: [{ type: "deny" }] };
	const reads = { expressions: ["req.headers['x-a'][0] == ''"], actions: [{ type: "deny" }] };
	expect(warningsOf({ inbound: [sure, reads] })).toEqual([]);
	expect(
		warningsOf({ inbound: [sure, { actions: [remove("x-a")] }, reads] }).map(({ code }) => code),
	).toEqual(["index_of_absent"]);
});
