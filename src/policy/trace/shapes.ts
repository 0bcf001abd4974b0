/**
 * What a traced run of a policy tells: of each rule its expressions and actions, what became of them and why. `Tracer`
 * writes it down, `explain/` answers with it. Plain data.
 */
import { z } from "zod";

const position = {
	line: z.int().min(1).describe("From 1, in the expression."),
	column: z.int().min(1).describe("From 1, in characters."),
};

const partSchema = z.strictObject({
	text: z.string().describe("As written."),
	...position,
	depth: z.int().min(0).describe("How many parts it is within."),
	type: z.string(),
	state: z
		.enum(["value", "failed", "skipped"])
		.describe("skipped: another part had decided, so that nobody asked this one."),
	value: z.string().nullable().describe("As an expression writes it; long values are cut."),
	times: z.int().min(0).describe("How often it was evaluated; macros do at each turn."),
	reads: z.string().nullable().describe("The attribute that it is."),
});
export type TracedPartShape = z.infer<typeof partSchema>;

const expressionSchema = z.strictObject({
	source: z.string(),
	state: z
		.enum(["true", "false", "failed", "unknown"])
		.describe("unknown: it was not evaluated, as a rule before this one had ended the phase."),
	asked: z
		.boolean()
		.describe("false: an expression before it had decided; the state is what it would have been."),
	decided: z.boolean().describe("It is why its rule does not apply, or failed."),
	message: z.string().nullable().describe("Why it failed."),
	cost_class: z
		.enum(["negligible", "counted", "heavy"])
		.describe("By its worst case. heavy: threads go on with it where the event loop can't."),
	cost_nanoseconds: z.number().describe("At worst, whatever the request."),
	parts: z.array(partSchema).describe("In the order of the source; empty where they tell nothing."),
	more_parts: z.int().min(0).describe("Parts that are not told."),
});
export type ExpressionTrace = z.infer<typeof expressionSchema>;

const lines = z.array(z.tuple([z.string(), z.string()]));

/** What is known of one key of a rate-limit. */
const limitSchema = z.strictObject({
	kind: z.literal("rate_limit"),
	name: z.string(),
	key: z.array(z.union([z.string(), z.array(z.string()), z.null()])),
	capacity: z.int(),
	window_seconds: z.number(),
	cost: z.int(),
	used: z.int().nullable().describe("Before this request; null: nobody knows."),
	remaining: z.int().nullable().describe("As well before it."),
	admitted: z.boolean().describe("What would happen. Nothing was counted."),
	retry_after_seconds: z.int().min(0),
	counts: z
		.enum(["now", "after_response", "never"])
		.describe("When the request would count: rate-limits may wait for the answer."),
});
export type LimitEffect = z.infer<typeof limitSchema>;

const effectSchema = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("add_headers"), lines }),
	z.strictObject({ kind: z.literal("remove_headers"), names: z.array(z.string()) }),
	z.strictObject({ kind: z.literal("rewrite_url"), before: z.string(), after: z.string() }),
	z.strictObject({ kind: z.literal("answer_headers"), lines, without: z.array(z.string()) }),
	z.strictObject({ kind: z.literal("set_var"), name: z.string(), value: z.string() }),
	z.strictObject({ kind: z.literal("log"), metadata: z.unknown() }),
	z.strictObject({ kind: z.literal("failed"), message: z.string() }),
	limitSchema,
]);
export type Effect = z.infer<typeof effectSchema>;

const actionSchema = z.strictObject({
	type: z.string(),
	state: z
		.enum(["ran", "ended", "would_have", "failed", "not_reached"])
		.describe("ended: it ended the phase. would_have: its rule only reports."),
	effects: z.array(effectSchema),
});
export type ActionTrace = z.infer<typeof actionSchema>;

export const ruleSchema = z.strictObject({
	index: z.int().min(0),
	name: z.string(),
	enforce: z.boolean(),
	state: z
		.enum(["applied", "ended", "skipped", "failed", "not_reached"])
		.describe("ended: it ended the phase."),
	reason: z.string().describe("One sentence."),
	expressions: z.array(expressionSchema),
	actions: z.array(actionSchema),
});
export type RuleTrace = z.infer<typeof ruleSchema>;
