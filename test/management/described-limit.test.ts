import { expect, it } from "vitest";
import { describedLimit } from "../../src/management/described-limit.ts";
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import { limitsOf } from "../../src/policy/limits-of.ts";

const policy: PolicyDocument = {
	enabled: true,
	outbound: [],
	inbound: [
		{ name: "", expressions: [], actions: [{ type: "log", config: {} }] },
		{
			name: "few",
			expressions: [],
			actions: [
				{
					type: "rate-limit",
					config: {
						name: "calls",
						algorithm: "sliding_window",
						capacity: 3,
						rate: "60s",
						bucket_key: ["conn.client_ip"],
					},
				},
			],
		},
	],
};

it("tells a limit as its document has it, the window in its shortest form", () => {
	const limits = limitsOf(policy, "site", "all");
	let step = limits.next();
	while (step.done !== true) step = limits.next();
	expect(step.value.map(describedLimit)).toEqual([
		{
			rule: 1,
			rule_name: "few",
			action: 0,
			name: "calls",
			capacity: 3,
			rate: "1m",
			bucket_key: ["conn.client_ip"],
			enforce: true,
		},
	]);
});
