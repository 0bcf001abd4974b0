import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ACTION_TYPES, ACTIONS } from "../../../src/policy/actions/table.ts";
import { policyJsonSchema, policySchema } from "../../../src/policy/document/schema.ts";

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
