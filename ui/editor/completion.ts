/**
 * What can be written at the cursor: types of actions and their fields, variables and functions in expressions, as
 * `GET /policy/language` lists them. Used by policy-editor.ts.
 */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { snippetCompletion } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { PolicyLanguage } from "../../src/management/live/shapes.ts";
import { printed } from "../text/printed.ts";
import { member, type Phase, type Spot, spotAt, unquoted } from "./places.ts";

/** What of a JSON Schema completion reads. */
interface Schema {
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly description?: string;
	readonly enum?: readonly unknown[];
	readonly type?: string;
}

const RULE: Readonly<Record<string, Schema>> = {
	name: { type: "string", description: "shown in logs, metrics and refusals" },
	expressions: { type: "array", description: "all must be true for the actions to run" },
	actions: { type: "array", description: "what happens, in order" },
};
const DOCUMENT: Readonly<Record<string, Schema>> = {
	enabled: { type: "boolean", description: "false: no rule runs" },
	inbound: { type: "array", description: "rules for requests" },
	outbound: { type: "array", description: "rules for responses" },
};
const ACTION: Readonly<Record<string, Schema>> = {
	type: { type: "string", description: "what the action does" },
	config: { type: "object", description: "its settings" },
};

export function policyCompletion(language: PolicyLanguage) {
	return (context: CompletionContext): CompletionResult | null => {
		const spot = spotAt(context.state, context.pos);
		if (spot.kind === "name") return names(context, spot, language);
		if (spot.kind === "between") return context.explicit ? whole(context, spot, language) : null;
		return inString(context, spot, language);
	};
}

const phaseOf = ({ path }: Spot): Phase => (path[0] === "outbound" ? "outbound" : "inbound");

function inString(
	context: CompletionContext,
	spot: Spot,
	language: PolicyLanguage,
): CompletionResult | null {
	const { path } = spot;
	if (path[2] === "expressions") return expression(context, spot, language);
	if (path[2] !== "actions") return null;
	if (path[4] === "type") {
		const options = language.actions
			.filter(({ phases }) => phases.includes(phaseOf(spot)))
			.map(({ type, documentation }) => ({ label: type, type: "keyword", info: documentation }));
		return { from: spot.from, to: spot.to, options, validFor: /^[\w-]*$/ };
	}
	const written = context.state.sliceDoc(spot.from, context.pos);
	if (path[5] === "bucket_key" || written.lastIndexOf("${") > written.lastIndexOf("}")) {
		return expression(context, spot, language);
	}
	const field =
		typeof path[5] === "string" ? configOf(context.state, spot, language)[path[5]] : undefined;
	if (field?.enum === undefined) return null;
	const options = field.enum.map((each) => ({ label: String(each), type: "enum" }));
	return { from: spot.from, to: spot.to, options, validFor: /^\w*$/ };
}

function expression(
	context: CompletionContext,
	spot: Spot,
	language: PolicyLanguage,
): CompletionResult | null {
	const written = context.state.sliceDoc(spot.from, context.pos);
	const token = /[A-Za-z_][\w.]*$/.exec(written)?.[0] ?? "";
	const behindDot = /[)\]'\w]\.(\w*)$/.exec(written);
	if (token === "" && behindDot === null && !context.explicit) return null;
	const phase = phaseOf(spot);
	const variables = language.variables
		.filter(
			({ name, phases }) =>
				phases.includes(phase) && (token === "" || name.startsWith(token[0] ?? "")),
		)
		.map(({ name, type, documentation, example }) => ({
			label: name,
			type: "variable",
			detail: type,
			info: `${documentation}${example === "" ? "" : `\n${example}`}`,
		}));
	const isVariable = token !== "" && variables.some(({ label }) => label.startsWith(token));
	if (behindDot !== null && !isVariable) {
		const from = context.pos - (behindDot[1] ?? "").length;
		return { from, options: functions(language, true), validFor: /^\w*$/ };
	}
	const options = [...variables, ...functions(language, false)];
	return { from: context.pos - token.length, options, validFor: /^[\w.]*$/ };
}

const functions = (language: PolicyLanguage, isMember: boolean): Completion[] =>
	language.functions
		.filter(({ member }) => member === isMember)
		.map(({ name, signatures, documentation, examples }) => ({
			label: name,
			type: isMember ? "method" : "function",
			detail: signatures[0] ?? "",
			info: [documentation, ...examples.slice(0, 1)].join("\n"),
			apply: `${name}(`,
		}));

/** The fields of the config that the spot is in: those of the action beside it. */
function configOf(
	state: EditorState,
	spot: Spot,
	language: PolicyLanguage,
): Readonly<Record<string, Schema>> {
	for (let node: Spot["node"] | null = spot.node; node !== null; node = node.parent) {
		const type = node.name === "Object" ? member(state, node, "type") : undefined;
		if (type?.name !== "String") continue;
		const name = unquoted(state.sliceDoc(type.from, type.to));
		const action = language.actions.find((each) => each.type === name);
		if (action !== undefined) return (action.config as Schema).properties ?? {};
	}
	return {};
}

function fieldsAt(context: CompletionContext, spot: Spot, language: PolicyLanguage) {
	const { path } = spot;
	if (path.length === 0) return DOCUMENT;
	if (path.length === 2) return RULE;
	if (path[2] !== "actions") return {};
	if (path.length === 4) return ACTION;
	return path.length === 5 && path[4] === "config" ? configOf(context.state, spot, language) : {};
}

const BEGINNINGS: Readonly<Record<string, string>> = { string: '""', array: "[]", object: "{}" };

function names(
	context: CompletionContext,
	spot: Spot,
	language: PolicyLanguage,
): CompletionResult | null {
	const isNew = !/^"?\s*:/.test(context.state.sliceDoc(spot.to, spot.to + 20));
	const options = Object.entries(fieldsAt(context, spot, language)).map(
		([name, schema]): Completion => {
			const base = { label: name, type: "property", ...detailOf(schema) };
			if (!isNew) return base;
			const value = BEGINNINGS[schema.type ?? ""] ?? "";
			return {
				...base,
				apply(view, _, from, to) {
					const end = view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to;
					const insert = `${name}": ${value}`;
					const anchor = from + insert.length - (value === "" ? 0 : 1);
					view.dispatch({ changes: { from, to: end, insert }, selection: { anchor } });
				},
			};
		},
	);
	return options.length === 0 ? null : { from: spot.from, options, validFor: /^[\w-]*$/ };
}

function detailOf({ type, description }: Schema): Pick<Completion, "detail" | "info"> {
	return {
		...(type === undefined ? {} : { detail: type }),
		...(description === undefined ? {} : { info: description }),
	};
}

/** Whole rules and actions, where a list waits for one: asked for by ctrl-space. */
function whole(
	context: CompletionContext,
	spot: Spot,
	language: PolicyLanguage,
): CompletionResult | null {
	const { path, node } = spot;
	if (node.name !== "Array") return null;
	if (path.length === 1 && (path[0] === "inbound" || path[0] === "outbound")) {
		const rule = '{\n  "name": "#{name}",\n  "expressions": [],\n  "actions": [#{}]\n}';
		return {
			from: context.pos,
			options: [snippetCompletion(rule, { label: "rule", type: "class" })],
		};
	}
	if (path.length !== 3 || path[2] !== "actions") return null;
	const options = language.actions
		.filter(({ phases }) => phases.includes(phaseOf(spot)))
		.map(({ type, documentation, example }) => ({
			label: type,
			type: "class",
			info: documentation,
			apply: printed(example),
		}));
	return { from: context.pos, options };
}
