/** Which rules a PUT changed: by name, without a name by position, bounded. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ruleChanges } from "../../../src/management/audit/rule-changes.ts";
import type { PolicyDocument } from "../../../src/policy/document/schema.ts";

type Rule = PolicyDocument["inbound"][number];

/** `name:content`, `:content` without a name. */
const ruleOf = (text: string): Rule => {
	const [name = "", content = ""] = text.split(":");
	return { name, expressions: [content], actions: [{ type: "log", config: {} }] } as Rule;
};
const policy = (inbound: string, outbound = ""): PolicyDocument => ({
	enabled: true,
	inbound: inbound.split(" ").filter(Boolean).map(ruleOf),
	outbound: outbound.split(" ").filter(Boolean).map(ruleOf) as PolicyDocument["outbound"],
});

describe("rules of a policy", () => {
	it.each([
		["a:1 b:1", "a:1 b:1", undefined],
		["a:1 b:1", "b:1 a:1", undefined],
		["", "a:1 :1", { inbound: { added: ["a", 1] } }],
		["a:1 :1", "", { inbound: { removed: ["a", 1] } }],
		["a:1", "a:2", { inbound: { changed: ["a"] } }],
		["a:1 b:1", "b:2 a:1", { inbound: { changed: ["b"] } }],
		["a:1", "b:1", { inbound: { added: ["b"], removed: ["a"] } }],
		// a name twice: the same ones are partners before those that differ
		["a:1 a:2", "a:2 a:3", { inbound: { changed: ["a"] } }],
		["a:1 a:2", "a:2", { inbound: { removed: ["a"] } }],
		// without names: one put in front is the only one that was added
		[":1 :2", ":0 :1 :2", { inbound: { added: [0] } }],
		[":1 :2 :3", ":1 :9 :3", { inbound: { changed: [1] } }],
		[":1 :2 :3", ":2 :3", { inbound: { removed: [0] } }],
		// long runs of the same rules around an edit, also where one rule stands there several times
		[":1 :1 :2 :3 :3", ":1 :1 :9 :3 :3", { inbound: { changed: [2] } }],
		[":1 :1", ":1 :1 :1", { inbound: { added: [2] } }],
		["a:1 b:1 c:1 d:1", "a:1 c:1 b:1 d:1", undefined],
		[":1", "a:1", { inbound: { added: ["a"], removed: [0] } }],
		// a name that looks like a position
		["0:1 :1", "0:2 :2", { inbound: { changed: ["0", 1] } }],
	])("%j to %j", (before, after, expected) => {
		expect(ruleChanges(policy(before), policy(after))).toEqual(expected);
	});

	it("tells the phases apart", () => {
		expect(ruleChanges(policy("a:1", "a:1"), policy("a:1", "a:2 b:1"))).toEqual({
			outbound: { added: ["b"], changed: ["a"] },
		});
	});

	it("counts all rules of a first document as added", () => {
		expect(ruleChanges(undefined, policy("a:1", ":1"))).toEqual({
			inbound: { added: ["a"] },
			outbound: { added: [0] },
		});
	});

	it("is bounded in bytes, and says how many it leaves out", () => {
		const names = Array.from({ length: 500 }, (_, index) => `${"\u0001".repeat(200)}${index}:1`);
		const changes = ruleChanges(undefined, policy(names.join(" ")));
		const told = changes?.inbound?.added ?? [];
		expect(told.length + (changes?.more ?? 0)).toBe(500);
		expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(LIMITS.auditRulesBytes + 10);
		expect(told.length).toBeGreaterThan(1);
	});

	it("counts each rule once, whatever was done to the document", () => {
		const rules = fc.array(
			fc.tuple(fc.constantFrom("", "a", "b", "c"), fc.constantFrom("1", "2", "3")),
			{ maxLength: 8 },
		);
		const written = (some: readonly (readonly [string, string])[]) =>
			policy(some.map((each) => each.join(":")).join(" "));
		fc.assert(
			fc.property(rules, rules, (old, now) => {
				const {
					added = [],
					changed = [],
					removed = [],
				} = ruleChanges(written(old), written(now))?.inbound ?? {};
				expect(old.length - removed.length + added.length).toBe(now.length);
				expect(changed.length + added.length).toBeLessThanOrEqual(now.length);
				const same = JSON.stringify(old.toSorted()) === JSON.stringify(now.toSorted());
				expect(added.length + changed.length + removed.length === 0).toBe(same);
			}),
		);
	});
});
