/** Policies that were checked before: the answer is that of a check. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { KnownChecks } from "../../src/threads/known-checks.ts";
import { checkPolicy, type PolicyFormat } from "../../src/threads/policy-check.ts";

const settings = [
	{ rulesPerPhase: 1 },
	{ rulesPerPhase: 2 },
	{ rulesPerPhase: 2, around: { tls: false, clientHellos: false, geo: false, clientPort: false } },
];
const rule = fc.constantFrom(
	{ actions: [{ type: "deny" }] },
	{ expressions: ["conn.tls.version == 'x'"], actions: [{ type: "deny" }] },
	{ name: "", actions: [{ type: "nothing" }] },
);
const text = fc.oneof(
	fc.array(rule, { maxLength: 2 }).map((inbound) => JSON.stringify({ inbound })),
	fc.constantFrom("{", "inbound: []", "# nothing\ninbound: []", '{"tests":[]}'),
);

it("are answered as a check would answer, whatever came before", () => {
	let found = 0;
	const step = fc.tuple(
		text,
		fc.constantFrom<PolicyFormat>("json", "yaml", "text"),
		fc.constantFrom(0, 1, 1, 1, 1, 1, 1, 1),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
			const known = new KnownChecks();
			let at = 0;
			for (const [written, format, change] of steps) {
				// a reload now and then
				if (change === 0) at++;
				const limits = settings[at % settings.length] ?? { rulesPerPhase: 1 };
				const bytes = Buffer.from(written);
				const check = checkPolicy(bytes, limits, format, false, "leave");
				const before = known.find(bytes, format, limits);
				if (before === undefined) known.add(bytes, format, check);
				else expect(before).toEqual(check);
				if (before !== undefined) found++;
			}
		}),
	);
	expect(found).toBeGreaterThan(50);
});

it("are the last ones", () => {
	const known = new KnownChecks();
	const limits = { rulesPerPhase: 1 };
	const texts = Array.from({ length: LIMITS.policyChecksKnown + 1 }, (_, n) =>
		Buffer.from(`{"inbound":[{"name":"${n}","actions":[{"type":"deny"}]}]}`),
	);
	for (const bytes of texts) {
		expect(known.find(bytes, "json", limits)).toBeUndefined();
		known.add(bytes, "json", checkPolicy(bytes, limits, "json", false, "leave"));
	}
	const isKnown = texts.map((bytes) => known.find(bytes, "json", limits) !== undefined);
	expect(isKnown).toEqual(texts.map((_, at) => at > 0));
});

it("are none that a secret stands in", () => {
	const known = new KnownChecks();
	const limits = { rulesPerPhase: 1 };
	const config = { credentials: ["somebody:a secret of theirs"] };
	const bytes = Buffer.from(
		JSON.stringify({ inbound: [{ actions: [{ type: "basic-auth", config }] }] }),
	);
	const check = checkPolicy(bytes, limits, "json", false, "leave");
	expect(check.outcome).toBe("valid");
	known.add(bytes, "json", check);
	expect(known.find(bytes, "json", limits)).toBeUndefined();
});
