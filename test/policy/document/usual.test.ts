/** Usual policies: what is made of them is what dialects, bounds and the schema make of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Finding, findings } from "../../../src/documents/problems.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { actionOf, EVERY_TYPE } from "../../../src/policy/actions/table.ts";
import { withinBounds } from "../../../src/policy/document/bounds.ts";
import { moduleForm } from "../../../src/policy/document/dialects.ts";
import { policySchema } from "../../../src/policy/document/schema.ts";
import { usualPolicy } from "../../../src/policy/document/usual.ts";

const limits = { rulesPerPhase: 6 };

/** Rules are checked as if a config that is left out were empty, before and behind the bounds. */
function withConfigs(value: unknown): unknown {
	const copy = structuredClone(value) as Record<string, { actions: object[] }[] | undefined>;
	for (const phase of ["inbound", "outbound"])
		for (const rule of copy[phase] ?? [])
			rule.actions = rule.actions.map((action) => ({ config: {}, ...action }));
	return copy;
}

/** The long way. */
function expectSame(value: unknown): boolean {
	const document = usualPolicy(value, limits);
	if (document === undefined) return false;
	const found: Finding[] = [];
	const form = moduleForm(value);
	const policy = withinBounds(form.policy, limits, found);
	const shaped = findings(policySchema, policy);
	expect([form.found, found]).toEqual([[], []]);
	expect(policy).toEqual(withConfigs(value));
	expect(form.submitted(["inbound", 0])).toEqual(["inbound", 0]);
	if (!shaped.ok) throw new Error(JSON.stringify(shaped.error));
	expect(JSON.stringify(document)).toBe(JSON.stringify(shaped.value));
	return true;
}

const published: readonly { readonly policy: unknown }[] = JSON.parse(
	readFileSync(join(import.meta.dirname, "../published.json"), "utf8"),
);
const examples = EVERY_TYPE.map((type): unknown => actionOf(type).documentation.example.document);
const documents: readonly unknown[] = [
	...published.map(({ policy }) => policy),
	...examples.map((each) => JSON.parse(JSON.stringify(each))),
];

it("are most of those that people have written", () => {
	const usual = documents.filter(expectSame);
	expect(usual.length).toBeGreaterThan(documents.length / 2);
});

it("also where a config is left out", () => {
	for (const type of EVERY_TYPE) expectSame({ inbound: [{ actions: [{ type }] }] });
	expect(expectSame({ inbound: [{ actions: [{ type: "deny" }] }] })).toBe(true);
	expect(expectSame({ outbound: [{ actions: [{ type: "log" }] }] })).toBe(true);
});

const texts = [
	"",
	"deny",
	"log",
	"${",
	"x".repeat(LIMITS.nameCharacters + 1),
	"60s",
	"é".repeat(9),
];
const part = fc.oneof(
	fc.constantFrom(...texts),
	fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 403, 999, 10 ** 9),
	fc.constantFrom([], {}, [""], [null], { a: null }, { body: "x" }, JSON.parse('{"__proto__":1}')),
	fc.integer({ min: 1, max: 70 }).map((count) => Array.from({ length: count }, () => "true")),
	fc
		.integer({ min: 1, max: 70 })
		.map((count) =>
			Object.fromEntries(Array.from({ length: count }, (_, each) => [`h${each}`, ""])),
		),
	fc.jsonValue(),
);
const names = ["body", "headers", "name", "enforce", "on_http_request", "tests", "zzz", "config"];

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** One place of a document replaced, added, doubled or taken away. */
function changed(value: unknown, at: number, how: number, name: string, by: unknown): unknown {
	const copy: unknown = structuredClone(value);
	const places: [Tree, string][] = [];
	const walk = (tree: unknown): void => {
		if (!isTree(tree)) return;
		for (const key of Object.keys(tree)) {
			places.push([tree, key]);
			walk(tree[key]);
		}
	};
	walk(copy);
	const [owner, key] = places[at % places.length] ?? [{}, ""];
	const held = owner[key];
	if (how === 0) owner[key] = by;
	else if (how === 1) Array.isArray(owner) ? owner.splice(Number(key), 1) : delete owner[key];
	else if (how === 2 && Array.isArray(held)) held.push(...held, ...held);
	else if (isTree(held) && !Array.isArray(held)) held[name] = by;
	return copy;
}

it("whatever is changed of them", () => {
	let usual = 0;
	fc.assert(
		fc.property(
			fc.constantFrom(...documents),
			fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom(...names), part), {
				minLength: 1,
				maxLength: 3,
			}),
			(document, changes) => {
				let value = document;
				for (const [at, how, name, by] of changes) value = changed(value, at, how, name, by);
				if (expectSame(value)) usual++;
			},
		),
		{ numRuns: 4000 },
	);
	expect(usual).toBeGreaterThan(200);
});

it("or of anything", () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			expectSame(value);
			expectSame({ inbound: [value] });
			expectSame({ inbound: [{ actions: [{ type: "deny", config: value }] }] });
		}),
	);
});
