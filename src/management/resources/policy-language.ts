/**
 * `GET /policy/language`: what a policy document may say, for the completion of editors. Made of the same tables as
 * validation and docs/expressions.md, docs/actions.md.
 */
import { z } from "zod";
import { MACROS } from "../../cel/library/macros.ts";
import { FUNCTIONS } from "../../cel/library/table.ts";
import { VARIABLE_TABLE } from "../../cel/variables/table.ts";
import { actionOf, EVERY_TYPE } from "../../policy/actions/table.ts";
import { policyJsonSchema } from "../../policy/document/schema.ts";
import type { Context } from "../context.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import type {
	LanguageAction,
	LanguageFunction,
	LanguageVariable,
	PolicyLanguage,
} from "../live/shapes.ts";

export const POLICY_LANGUAGE_PATH = "/policy/language";

const BOTH = ["inbound", "outbound"] as const;

export const policyLanguageMethods = ({ limits }: Pick<Context, "limits">): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		run: () => json(200, languageOf(limits.rules)),
	},
});

const languageOf = (rulesPerPhase: number): PolicyLanguage => ({
	variables: VARIABLES,
	functions: FUNCTIONS_TOLD,
	actions: actions(),
	schema: policyJsonSchema({ rulesPerPhase }),
});

const VARIABLES: readonly LanguageVariable[] = VARIABLE_TABLE.map(
	({ name, type, doc, example, outboundOnly }) => ({
		...{ name, type, documentation: doc, example },
		phases: outboundOnly ? ["outbound"] : BOTH,
	}),
);

const isMethod = (signature: string): boolean => /^[^(]*\.\w+\(/.test(signature);

/** `math.abs(int) -> int` is a function with a namespace, and no method. */
const isMethodOf = (signature: string, name: string): boolean => !signature.startsWith(`${name}(`);

const shown = (examples: readonly (readonly [string, string])[]): string[] =>
	examples.map(([expression, value]) => `${expression} is ${value}`);

/** Those with an `@` are for macros and the checker alone. Macros are called as functions are. */
const FUNCTIONS_TOLD: readonly LanguageFunction[] = [
	...[...FUNCTIONS.values()]
		.filter(({ name }) => !name.includes("@"))
		.map(({ name, overloads, doc, examples }) => {
			const signatures = Object.keys(overloads);
			const member = signatures.every((each) => isMethodOf(each, name));
			return { name, signatures, member, documentation: doc, examples: shown(examples) };
		}),
	...MACROS.map(({ name, written, doc, examples }) => ({
		...{ name, signatures: written, member: written.every(isMethod) },
		...{ documentation: doc, examples: shown(examples) },
	})),
];

let made: readonly LanguageAction[] | undefined;

function actions(): readonly LanguageAction[] {
	made ??= EVERY_TYPE.map((type) => {
		const { config, phases, documentation } = actionOf(type);
		const { $schema, ...schema } = z.toJSONSchema(config, { io: "input" });
		return {
			...{ type, phases, config: schema, example: exampleOf(type) },
			documentation: `${documentation.purpose} ${documentation.effect}`,
		};
	});
	return made;
}

/** The first of its kind in the action's own example. */
function exampleOf(type: (typeof EVERY_TYPE)[number]): object {
	const { inbound = [], outbound = [] } = actionOf(type).documentation.example.document;
	for (const rule of [...inbound, ...outbound] as { readonly actions?: readonly object[] }[])
		for (const action of rule.actions ?? [])
			if ((action as { readonly type?: string }).type === type) return action;
	return { type };
}
