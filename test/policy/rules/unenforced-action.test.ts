/** An action with `enforce: false` of its own fails no request (contract 5). */
import { expect, test } from "vitest";
import type { ActionContext } from "../../../src/policy/actions/action.ts";
import { asEnforced } from "../../../src/policy/rules/unenforced-action.ts";
import { compiled, exchangeOf } from "../support.ts";

const FAILS = "${req.headers['x'][0]}";
const LOG = { type: "log", config: { metadata: { came: "here" } } };
const BASIC = ["authorization", `Basic ${Buffer.from("ann:12345678").toString("base64")}`] as const;

test.each<[string, object]>([
	["restrict-ips", { allow: [FAILS] }],
	["restrict-ips", { deny: ["${'nowhere'}"] }],
	["basic-auth", { credentials: [`ann:${FAILS}`] }],
	["basic-auth", { credentials: ["${'ann'}"] }],
	["rate-limit", { capacity: 1, rate: "60s", bucket_key: [FAILS.slice(2, -1)] }],
	["rate-limit", { capacity: 1, rate: "60s", cost: "${2}" }],
])("%s %j", (type, config) => {
	const kinds = [false, true].map((enforce) => {
		const action = { type, config: { ...config, enforce } };
		const exchange = exchangeOf({ headers: [BASIC] });
		const { kind } = compiled({
			inbound: [{ actions: [action, LOG] }, { actions: [LOG] }],
		}).inbound(exchange);
		return [kind, exchange.failures.length, exchange.logs.length];
	});
	expect(kinds).toEqual([
		["continue", 1, 1],
		["failed", 1, 0],
	]);
});

test("a rule whose action fails so does nothing more, in either mode", () => {
	const action = { type: "restrict-ips", config: { allow: [FAILS], enforce: false } };
	for (const expressionErrors of ["reject", "skip"] as const) {
		const document = { inbound: [{ actions: [action, { type: "deny" }] }] };
		expect(compiled(document, { expressionErrors }).inbound(exchangeOf()).kind).toBe("continue");
	}
});

test("closes what it holds", () => {
	let closed = 0;
	const run = () => ({ kind: "continue" }) as const;
	const context = {} as ActionContext;
	const enforce = false;
	asEnforced(() => ({ run, close: () => void closed++ }), { enforce })(context).close?.();
	asEnforced(() => ({ run }), { enforce })(context).close?.();
	expect(closed).toBe(1);
	const prepared = () => ({ run });
	expect(asEnforced(prepared, { enforce: true })).toBe(prepared);
	expect(asEnforced(prepared, {})).toBe(prepared);
});
