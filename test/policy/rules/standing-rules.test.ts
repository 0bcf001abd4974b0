/**
 * Which of a policy's first rules the front may see to: up to one that refuses whoever comes, with what stands behind an
 * action that has to be asked left out, and none of a policy that refuses nobody so.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { CompiledPolicy } from "../../../src/policy/exchange.ts";
import { compiled } from "../support.ts";

const DENY = { type: "deny", config: {} };
const RESPOND = { type: "custom-response", config: { status_code: 403, content: "no" } };
const LOG = { type: "log", config: { metadata: { a: "b" } } };
const OFFICE = { type: "restrict-ips", config: { allow: ["10.0.0.0/8"] } };
const LIMIT = { type: "rate-limit", config: { capacity: 1, rate: "1h" } };

const rule = (expressions: string[], actions: object[], more: object = {}) => ({
	expressions,
	actions,
	...more,
});

/** Of each rule its tests' kinds and what its actions do. */
const told = (inbound: object[], outbound: object[] = []) => {
	const policy: CompiledPolicy = compiled({ inbound, outbound });
	return policy
		.standing?.()
		?.map(({ tests, steps }) => [
			tests.map(({ kind }) => kind).join(),
			steps.map((step) => step?.does.kind ?? "asked").join(),
		]);
};

describe("rules that the front may see to", () => {
	it("are those up to one that ends every request", () => {
		expect(told([rule([], [DENY]), rule([], [RESPOND])])).toEqual([["", "deny"]]);
		expect(
			told([
				rule(["req.method == 'PUT'"], [RESPOND]),
				rule([], [OFFICE]),
				rule(["conn.client_ip in ['192.0.2.1']"], [DENY]),
				rule([], [LOG, DENY]),
				rule([], [DENY]),
			]),
		).toEqual([
			["text", "respond"],
			["", "refused"],
			["address", "deny"],
			["", "asked"],
		]);
	});

	it("ask about what they can't tell, and end where that comes first", () => {
		expect(
			told([
				rule(["req.method == 'PUT'", "size(req.headers['x']) > 1"], [DENY]),
				rule([], [DENY], { enforce: false }),
			]),
		).toEqual([
			["text,unknown", "deny"],
			["", "asked"],
		]);
		expect(told([rule(["size(req.headers['x']) > 1"], [DENY]), rule([], [DENY])])).toEqual([
			["unknown", "deny"],
		]);
	});

	it("are left out from where their expressions are too long to be compiled between requests", () => {
		const long = `req.host == '${"x".repeat(LIMITS.standingSourceCharacters - 100)}'`;
		const all = told([
			rule(["req.method == 'A'"], [DENY]),
			rule([long], [DENY]),
			rule([long], [DENY]),
		]);
		expect(all?.length).toBe(2);
	});

	it("are none where nothing refuses, or outbound rules see the answer", () => {
		expect(told([rule([], [LOG])])).toBeUndefined();
		expect(told([])).toBeUndefined();
		expect(told([rule([], [RESPOND])], [rule([], [LOG])])).toBeUndefined();
		const templated = { type: "custom-response", config: { content: "${req.method}" } };
		expect(told([rule([], [templated])])).toBeUndefined();
		expect(
			told([rule([], [{ ...OFFICE, config: { deny: ["10.0.0.0/8"], enforce: false } }])]),
		).toBeUndefined();
	});

	it("hold a rate-limit that no request has met for one that may be told later", () => {
		expect(told([rule([], [OFFICE, LIMIT])])).toEqual([["", "refused,asked"]]);
		expect(told([rule([], [LIMIT]), rule([], [DENY])])).toEqual([["", "asked"]]);
	});
});
