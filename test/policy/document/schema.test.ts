import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ACTION_TYPES, ACTIONS } from "../../../src/policy/actions/table.ts";
import { policyJsonSchema, policySchema } from "../../../src/policy/document/schema.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";

interface JsonSchema {
	readonly $schema?: string;
	readonly description?: string;
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly items?: JsonSchema;
	readonly oneOf?: readonly JsonSchema[];
	readonly additionalProperties?: unknown;
	readonly maxItems?: number;
	readonly const?: string;
	readonly default?: unknown;
}

const published = policyJsonSchema() as JsonSchema;
const actionsOf = (phase: string): readonly JsonSchema[] =>
	published.properties?.[phase]?.items?.properties?.actions?.items?.oneOf ?? [];

describe("the published JSON Schema", () => {
	test("is draft 2020-12 and says that nothing of a policy is required", () => {
		expect(published.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
		expect(published.required).toBeUndefined();
		expect(published.additionalProperties).toBe(false);
		expect(published.properties?.enabled?.default).toBe(true);
	});

	test("offers each phase the actions that exist in it", () => {
		for (const phase of ["inbound", "outbound"] as const) {
			const types = actionsOf(phase).map(({ properties }) => properties?.type?.const);
			expect(types.sort()).toEqual([...ACTION_TYPES[phase]].sort());
		}
		const all = new Set([...ACTION_TYPES.inbound, ...ACTION_TYPES.outbound]);
		expect([...all].sort()).toEqual(Object.keys(ACTIONS).sort());
	});

	test("requires a config exactly where a field of it is required", () => {
		for (const { properties, required } of actionsOf("inbound")) {
			const needs = (properties?.config?.required ?? []).length > 0;
			expect(required?.includes("config")).toBe(needs);
		}
	});

	test("carries the bounds, those that an operator raised too", () => {
		const raised = policyJsonSchema({ rulesPerPhase: 1000 }) as JsonSchema;
		expect(published.properties?.inbound?.maxItems).toBe(LIMITS.rulesPerPhase);
		expect(raised.properties?.inbound?.maxItems).toBe(1000);
		expect(published.properties?.inbound?.items?.properties?.actions?.maxItems).toBe(
			LIMITS.actionsPerRule,
		);
	});
});

test("parsing fills in what is always present and leaves configs as they came", () => {
	expect(policySchema.parse({})).toEqual({ enabled: true, inbound: [], outbound: [] });
	const config = { content: "x" };
	expect(
		policySchema.parse({ outbound: [{ actions: [{ type: "custom-response", config }] }] }),
	).toEqual({
		enabled: true,
		inbound: [],
		outbound: [{ name: "", expressions: [], actions: [{ type: "custom-response", config }] }],
	});
	expect(
		policySchema.parse({ inbound: [{ actions: [{ type: "deny" }] }] }).inbound[0]?.actions,
	).toEqual([{ type: "deny", config: {} }]);
});

test("of an action whose type can't be there the other mistakes are told too, and nothing that it lacks", () => {
	const inbound = [
		{ type: "dney", confg: 1 },
		{ type: 7, config: {}, more: 1 },
	];
	const outbound = [
		{ type: "rate-limit", config: { capacity: "5", bucket: [] }, extra: 1 },
		{ type: "rate-limit" },
		{ type: "basic-auth", config: { credentials: "a:secret" } },
	];
	const document = { inbound: [{ actions: inbound }], outbound: [{ actions: outbound }] };
	const checked = validatePolicy(document, { rulesPerPhase: 1 });
	const problems = checked.ok ? [] : checked.error;
	expect(problems.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
		"/inbound/0/actions/0/type unknown_action",
		"/inbound/0/actions/0/confg unknown_field",
		"/inbound/0/actions/1/type wrong_type",
		"/inbound/0/actions/1/more unknown_field",
		"/outbound/0/actions/0/type wrong_phase",
		"/outbound/0/actions/0/config/capacity wrong_type",
		"/outbound/0/actions/0/config/bucket unknown_field",
		"/outbound/0/actions/0/extra unknown_field",
		"/outbound/0/actions/1/type wrong_phase",
		"/outbound/0/actions/2/type wrong_phase",
		"/outbound/0/actions/2/config/credentials wrong_type",
	]);
	const messages = problems.map(({ message }) => message);
	expect(messages[1]).toBe('unknown field "confg"; did you mean "config"?');
	expect(messages[7]).toBe('unknown field "extra"; valid here: type, config');
	expect(messages.join("\n")).not.toContain("a:secret");
});
