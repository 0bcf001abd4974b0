/**
 * The published JSON Schemas and the server judge alike. Every policy, edge, route, address list and configuration in the
 * papers and in the tests' fixtures, and each with each of its values replaced: what the server takes, the schema takes;
 * what the server refuses for its shape, the schema refuses. Not asked: `null` for what may be left out, and the
 * wrapper `module`, which only the API takes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { configSchema } from "../../src/config.ts";
import { asProblems, check } from "../../src/documents/problems.ts";
import type { Problem } from "../../src/errors.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import {
	answeredSchema,
	documentSchema,
	OWN_FIELDS,
	SCHEMA_NAMES,
	type SchemaName,
} from "../../src/management/document-schemas.ts";
import { ACTIONS } from "../../src/policy/actions/table.ts";
import { validatePolicy } from "../../src/policy/document/validate.ts";
import { declarationsIn } from "../../src/process/apply/read-resources.ts";
import { ipListOf } from "../../src/store/ip-lists.ts";
import { edgeSchema, routeSchema } from "../../src/store/resources.ts";
import { POLICY_MISTAKES } from "../e2e/first-hour/policies.ts";
import { judged } from "./schema-judge.ts";

const root = join(import.meta.dirname, "..", "..");

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** What the server says; no problem if it takes the value. */
const SERVER: Readonly<Record<SchemaName, (value: unknown) => readonly Problem[]>> = {
	policy: (value) => {
		const valid = validatePolicy(value, { rulesPerPhase: LIMITS.rulesPerPhase });
		return valid.ok ? [] : valid.error;
	},
	edge: (value) => problemsOf(check(edgeSchema, value)),
	route: (value) => problemsOf(check(routeSchema, value)),
	"ip-list": (value) => {
		const list = ipListOf(value);
		return list.ok ? [] : asProblems(list.error, value);
	},
	resources: (value) =>
		declarationsIn(value, { rulesPerPhase: LIMITS.rulesPerPhase }, "leave").problems,
	config: (value) => problemsOf(check(configSchema, value)),
};
const problemsOf = (result: { ok: true } | { ok: false; error: readonly Problem[] }) =>
	result.ok ? [] : result.error;

/** Can a schema tell the problem? Of bytes it counts characters, and of expressions it knows nothing. */
const isOfShape = ({ code, pointer }: Problem): boolean =>
	[
		...["unknown_field", "wrong_type", "required", "unknown_action", "unknown_value"],
		...["unsupported_phase", "mixed_forms"],
	].includes(code) ||
	(code === "wrong_phase" && pointer.endsWith("/type"));

/** What kind of document it is, by the fields that only such a one has. */
function kindOf(value: unknown): SchemaName | undefined {
	if (!isMembers(value)) return undefined;
	const has = (...names: string[]) => names.some((name) => Object.hasOwn(value, name));
	if (has("inbound", "outbound", "on_http_request", "on_http_response")) return "policy";
	if (has("hostports")) return "edge";
	if (has("match_type")) return "route";
	if (has("entries")) return "ip-list";
	if (has("edges", "ip_lists", "policies")) return "resources";
	return has("data_dir", "listen", "management", "trusted_proxies", "counters")
		? "config"
		: undefined;
}

const parsed = (text: string): unknown[] =>
	parseAllDocuments(text).flatMap((document) =>
		"errors" in document && document.errors.length === 0 ? [document.toJS()] : [],
	);

const BLOCK = /^```(?:json|yaml)\n(.*?)^```/gms;
const papers = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
	.filter((name) => name.endsWith(".md"))
	.flatMap((name) => {
		const text = readFileSync(join(root, name), "utf8");
		return [...text.matchAll(BLOCK)].flatMap(([, block = ""]) => parsed(block));
	});

const published = readdirSync(join(root, "test", "e2e", "published")).flatMap((name) =>
	parsed(readFileSync(join(root, "test", "e2e", "published", name), "utf8"))
		.flat()
		.flatMap((row) => parsed((row as { document: string }).document)),
);

const actions = Object.entries(ACTIONS).flatMap(([, { documentation }]) =>
	[documentation.example].flat().flatMap((example) => parsed(JSON.stringify(example))),
);

/** Each with its kind. */
const documents = [
	...papers,
	...published,
	...actions,
	{ entries: ["192.0.2.0/24", "::1"], description: "the office" },
	{ entries: ["192.0.2.0/33"] },
	{
		inbound: [{ actions: [{ type: "deny" }] }],
		tests: [
			{
				...{ name: "t", now: "2026-01-01T00:00:00Z", repeat: 2, ip_lists: { l: ["::1"] } },
				request: { url: "/", headers: { a: "b", c: ["d"] }, client_ip: "::1" },
				expect: { status: 403, rule: 0, headers: { a: null }, upstream: { url: "/" } },
			},
		],
	},
	{
		ip_lists: { l: { entries: ["::1"] } },
		edges: {
			e: {
				hostports: ["a"],
				routes: {
					r: {
						...{ match_type: "path_prefix", match: "/", backend: { urls: ["http://b"] } },
						policy: { inbound: [{ actions: [{ type: "deny" }] }] },
					},
				},
			},
		},
		policies: { "e/s": { enabled: false } },
	},
	...POLICY_MISTAKES.map(({ policy }) => policy),
].flatMap((value) => {
	const kind = kindOf(value);
	return kind === undefined ? [] : [{ kind, value }];
});

const expectAgreement = (kind: SchemaName, value: unknown): void => {
	const problems = SERVER[kind](value);
	const { taken, why } = judged(kind, value);
	const shown = () => `${kind} ${JSON.stringify(value).slice(0, 600)}`;
	if (problems.length === 0) {
		if (!taken) expect.fail(`the server takes it, the schema does not: ${shown()}\n${why}`);
		return;
	}
	const told = problems.filter(isOfShape);
	if (taken && told.length > 0) {
		expect.fail(`the schema takes it, the server does not: ${shown()}\n${JSON.stringify(told)}`);
	}
};

/** Copies of a value, each with something wrong, or at least other, in one place. */
function* variants(value: unknown): Generator<unknown> {
	yield* ["text", 7, -1, 0.5, true, [], {}];
	if (Array.isArray(value)) {
		for (const [index, item] of value.entries())
			for (const other of variants(item)) yield value.with(index, other);
	} else if (isMembers(value)) {
		yield { ...value, surprise: 1 };
		for (const [name, member] of Object.entries(value)) {
			const { [name]: _left, ...rest } = value;
			yield rest;
			for (const other of variants(member)) yield { ...value, [name]: other };
		}
	}
}

describe("the schemas", () => {
	it("have documents of every kind to be tried on, taken and refused", () => {
		const taken = documents.filter(({ kind, value }) => SERVER[kind](value).length === 0);
		expect([...new Set(taken.map(({ kind }) => kind))].sort()).toEqual(SCHEMA_NAMES.toSorted());
		expect(taken.length).toBeGreaterThan(60);
		expect(documents.length - taken.length).toBeGreaterThan(20);
	});

	it("judge what stands in the papers and in fixtures as the server does", () => {
		for (const { kind, value } of documents) expectAgreement(kind, value);
	});

	it("judge what has one mistake as the server does", () => {
		const smallest = SCHEMA_NAMES.flatMap((name) =>
			documents
				.filter(({ kind, value }) => kind === name && SERVER[kind](value).length === 0)
				.sort((one, other) => JSON.stringify(one.value).length - JSON.stringify(other.value).length)
				.slice(0, 12),
		);
		let tried = 0;
		for (const { kind, value } of smallest)
			for (const variant of variants(value)) {
				expectAgreement(kind, variant);
				tried += 1;
			}
		expect(tried).toBeGreaterThan(1000);
	});

	it("say of every field what it is for", () => {
		const lacking: string[] = [];
		const walk = (node: unknown, at: string): void => {
			if (Array.isArray(node)) for (const each of node) walk(each, at);
			if (!isMembers(node)) return;
			for (const [name, member] of Object.entries(node)) {
				if (name !== "properties" || !isMembers(member)) walk(member, at);
				else
					for (const [field, inner] of Object.entries(member)) {
						if (!isMembers(inner) || typeof inner.description !== "string")
							lacking.push(`${at}/${field}`);
						walk(inner, `${at}/${field}`);
					}
			}
		};
		for (const name of SCHEMA_NAMES) walk(documentSchema(name), name);
		expect(lacking).toEqual([]);
	});

	it("carry the limits of the configuration", () => {
		const raised = JSON.stringify(documentSchema("policy", { rulesPerPhase: 7777 }));
		expect(raised).toContain('"maxItems":7777');
		expect(JSON.stringify(documentSchema("policy"))).not.toContain("7777");
	});

	it("of answers have every field that has a default, and those that follow from the path", () => {
		const { required } = answeredSchema(edgeSchema, OWN_FIELDS.edge);
		expect(required).toEqual(["id", "uri", "hostports", "description", "metadata"]);
	});
});
