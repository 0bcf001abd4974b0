/** restrict-ips (contract 5): who passes, what is told, and what is refused when written. */
import { describe, expect, test } from "vitest";
import { compiled, exchangeOf, inbound, problemsOf, warningsOf } from "../support.ts";

const restrict = (config: object) => ({ type: "restrict-ips", config });
const became = (config: object, clientIp: string): string =>
	compiled(inbound(restrict(config))).inbound(exchangeOf({ clientIp })).kind;

describe("deny wins, and without allow everybody else passes", () => {
	test.each([
		[{ allow: ["10.0.0.0/8"] }, "10.1.2.3", "continue"],
		[{ allow: ["10.0.0.0/8"] }, "11.1.2.3", "refused"],
		[{ allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"] }, "10.1.2.3", "refused"],
		[{ allow: ["10.1.2.3"], deny: ["10.0.0.0/8"] }, "10.1.2.3", "refused"],
		[{ deny: ["10.0.0.0/8"] }, "11.1.2.3", "continue"],
		[{ deny: ["10.0.0.0/8"] }, "10.1.2.3", "refused"],
		[{ allow: [], deny: ["10.0.0.0/8"] }, "192.0.2.1", "continue"],
		[{ allow: ["10.0.0.0/8"] }, "::ffff:10.1.2.3", "continue"],
		[{ allow: ["::ffff:10.0.0.0/104"] }, "10.1.2.3", "continue"],
		[{ allow: ["2001:db8::/32"] }, "2001:db8::7", "continue"],
		[{ allow: ["2001:db8::/32"] }, "10.1.2.3", "refused"],
		[
			{ allow: ["${'10.0.0.0/8'}", "${req.method == 'GET' ? '192.0.2.1' : '::1'}"] },
			"192.0.2.1",
			"continue",
		],
		[{ allow: ["${req.method == 'GET' ? '192.0.2.1' : '::1'}"] }, "192.0.2.2", "refused"],
		[{ deny: ["${conn.client_ip}"] }, "192.0.2.2", "refused"],
		[{ allow: ["${req.method}"] }, "192.0.2.2", "failed"],
	])("%j: %s is %s", (config, clientIp, kind) => {
		expect(became(config, clientIp)).toBe(kind);
	});
});

test("tells what decided, and with enforce: false only that", () => {
	const document = {
		inbound: [
			{ actions: [restrict({ allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"], enforce: false })] },
			{
				actions: [
					{
						type: "log",
						config: {
							metadata: {
								said: "${actions.restrict_ips.action} ${actions.ngrok.restrict_ips.matched_cidr}",
							},
						},
					},
				],
			},
		],
	};
	const policy = compiled(document);
	const told = ["10.2.3.4", "10.1.2.3", "192.0.2.1"].map((clientIp) => {
		const exchange = exchangeOf({ clientIp });
		expect(policy.inbound(exchange).kind).toBe("continue");
		return [exchange.logs[0], exchange.reported.join()];
	});
	expect(told).toEqual([
		[{ said: "allow 10.0.0.0/8" }, ""],
		[{ said: "deny 10.1.0.0/16" }, "0 restrict-ips"],
		[{ said: "deny " }, "0 restrict-ips"],
	]);
});

test.each<[object, string]>([
	[{}, 'config required: needs an entry in "allow", "deny" or "lists"'],
	[{ allow: [], deny: [] }, "config required"],
	[{ allow: ["10.1.2.3/8"] }, 'config/allow/0 invalid_address: "10.1.2.3/8" has bits set'],
	[{ deny: ["office"] }, 'config/deny/0 invalid_address: "office" is no address'],
	[{ deny: [5] }, "config/deny/0 wrong_type"],
	[{ allow: ["${nope}"] }, "config/allow/0 unknown_variable"],
	[{ allow: Array.from({ length: 1001 }, () => "::1") }, "config/allow too_big"],
	[{ allow: ["::1"], enforce: "no" }, "config/enforce wrong_type"],
])("%j is refused", (config, problem) => {
	const found = problemsOf(inbound(restrict(config)));
	expect(found).toHaveLength(1);
	expect(found[0]).toContain(`/inbound/0/actions/0/${problem}`);
});

test("deny alone is warned of", () => {
	expect(warningsOf(inbound(restrict({ deny: ["::1"] }))).map(({ code }) => code)).toEqual([
		"deny_only",
	]);
	expect(warningsOf(inbound(restrict({ deny: ["::1"], allow: ["::/0"] })))).toEqual([]);
});

describe("names of stored lists", () => {
	test.each<[object, string]>([
		[{ lists: [] }, "config required"],
		[{ lists: ["two words"] }, "config/lists/0 invalid"],
		[{ lists: ["!"] }, "config/lists/0 invalid"],
		[{ lists: [7] }, "config/lists/0 wrong_type"],
		[{ lists: "office" }, "config/lists wrong_type"],
		[{ lists: Array.from({ length: 33 }, () => "office") }, "config/lists too_big"],
	])("%j is refused", (config, problem) => {
		const found = problemsOf(inbound(restrict(config)));
		expect(found).toHaveLength(1);
		expect(found[0]).toContain(`/inbound/0/actions/0/${problem}`);
	});

	test("lists that only refuse are warned of", () => {
		const codes = (config: object) => warningsOf(inbound(restrict(config))).map(({ code }) => code);
		expect(codes({ lists: ["!blocked"] })).toEqual(["deny_only"]);
		expect(codes({ lists: ["!blocked", "office"], deny: ["::1"] })).toEqual([]);
	});
});
