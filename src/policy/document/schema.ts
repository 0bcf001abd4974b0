/**
 * The one schema of policy documents (contract 3 and 5). The TypeScript types, the defaults of a stored document and
 * the published JSON Schema derive from it; its part about actions derives from their table. It checks single values;
 * checks that take several values, a phase or a compiler are in `validate.ts`, which is what other rooms call.
 */
import { z } from "zod";
import type { Phase } from "../../cel/expression.ts";
import { LIMITS } from "../../limits/limits.ts";
import {
	ACTION_TYPES,
	type ActionDocument,
	type ActionType,
	actionOf,
	EVERY_TYPE,
} from "../actions/table.ts";
import { name, text } from "./fields.ts";
import { testsSchema } from "./tests.ts";

/** A config all of whose fields may be left out may be left out too. */
function actionSchema(type: ActionType) {
	const { config, documentation } = actionOf(type);
	const mayBeOmitted = config.safeParse({}).success;
	const about = `Settings of ${type}.`;
	return z.strictObject({
		type: z.literal(type).describe(documentation.purpose),
		config: (mayBeOmitted ? config.default({}) : config).describe(about),
	});
}

/**
 * What can be said of an action beside its type, where that is none of its phase: the union says nothing more then.
 * @param type undefined: of none that there is
 */
export function besideTypeSchema(type: ActionType | undefined): z.ZodType<unknown> {
	if (type === undefined) return ANY_ACTION;
	let schema = BESIDE_TYPE.get(type);
	if (schema === undefined) {
		schema = ANY_ACTION.extend({ config: actionSchema(type).shape.config });
		BESIDE_TYPE.set(type, schema);
	}
	return schema;
}

const ANY_ACTION = z.strictObject({ type: z.unknown().optional(), config: z.unknown().optional() });
/** Made once: a document may have 16,000 actions. */
const BESIDE_TYPE = new Map<ActionType, z.ZodType<unknown>>();

/** The union's own type does not know which config goes with which type; the table of actions does. */
function actionIn(phase: Phase): z.ZodType<ActionDocument> {
	const [first, ...rest] = ACTION_TYPES[phase].map(actionSchema);
	if (first === undefined) throw new Error(`no action exists in ${phase} rules`);
	const union = z.discriminatedUnion("type", [first, ...rest]);
	return union as z.ZodType<unknown> as z.ZodType<ActionDocument>;
}

/** In the order of the published sentence, which has the last of the table first. */
const ENDING_TYPES = EVERY_TYPE.filter(
	(type) => actionOf(type).ends.when === "always",
).toReversed();

const ruleIn = (phase: Phase) =>
	z.strictObject({
		name: name.default("").describe("Shown in logs and problems."),
		enforce: z
			.boolean()
			.optional()
			.describe("Default true; false reports what the actions would have done, and does nothing."),
		expressions: z
			.array(text(LIMITS.expressionBytes))
			.meta({ maxItems: LIMITS.expressionsPerRule })
			.default([])
			.describe("CEL expressions; the rule applies if all are true, or if there are none."),
		actions: z
			.array(actionIn(phase))
			.meta({ minItems: 1, maxItems: LIMITS.actionsPerRule })
			.describe(`Run in order; nothing may follow ${ENDING_TYPES.join(" or ")}.`),
	});

/** A rule of the outbound phase. Inbound rules have the same fields, and more actions. */
export const ruleSchema = ruleIn("outbound");

export const policySchema = z
	.strictObject({
		enabled: z
			.boolean()
			.default(true)
			.describe("false: traffic passes as if there were no policy."),
		inbound: z
			.array(ruleIn("inbound"))
			.default([])
			.describe("Rules for requests, applied in order."),
		outbound: z.array(ruleSchema).default([]).describe("Rules for responses, applied in order."),
		tests: testsSchema.optional(),
	})
	.describe("Traffic policy of one route.");

/** As stored and answered: defaults of the policy, rules and actions filled in, configs as submitted. */
export type PolicyDocument = z.infer<typeof policySchema>;
export type RuleDocument = z.infer<typeof ruleSchema>;

/** Bounds that an operator may raise (contract 1, `limits`). */
export interface PolicyLimits {
	readonly rulesPerPhase: number;
}

/** The published JSON Schema (draft 2020-12) of the documents that a client may send. */
export function policyJsonSchema(
	limits: PolicyLimits = { rulesPerPhase: LIMITS.rulesPerPhase },
): object {
	const schema = z.toJSONSchema(policySchema, { io: "input", target: "draft-2020-12" });
	for (const phase of ["inbound", "outbound"]) {
		const rules = schema.properties?.[phase];
		if (typeof rules === "object") rules.maxItems = limits.rulesPerPhase;
	}
	return { title: "Traffic policy", ...schema };
}
