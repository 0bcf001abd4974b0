/** What is offered at the cursor, by the language as the API describes it. */
import { CompletionContext } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import type { PolicyLanguage } from "../../../src/management/live/shapes.ts";
import { policyCompletion } from "../../../ui/editor/completion.ts";

const both = ["inbound", "outbound"] as const;
const LANGUAGE: PolicyLanguage = {
	variables: [
		{ name: "req.method", type: "string", documentation: "The method.", example: "", phases: both },
		{
			name: "res.status_code",
			type: "int",
			documentation: "The status.",
			example: "",
			phases: ["outbound"],
		},
	],
	functions: [
		{ name: "startsWith", signatures: ["s"], member: true, documentation: "", examples: [] },
		{ name: "size", signatures: ["s"], member: false, documentation: "", examples: [] },
	],
	actions: [
		{
			type: "deny",
			phases: ["inbound"],
			documentation: "Refuses.",
			config: { properties: { status_code: { type: "integer" }, mode: { enum: ["a", "b"] } } },
			example: { type: "deny" },
		},
		{
			type: "log",
			phases: both,
			documentation: "Logs.",
			config: {},
			example: { type: "log", config: {} },
		},
	],
	schema: {},
};

/** `|` is the cursor. @returns what is offered, and the text that it would take the place of */
function offered(marked: string, explicit = false) {
	const position = marked.indexOf("|");
	const state = EditorState.create({ doc: marked.replace("|", ""), extensions: [json()] });
	const result = policyCompletion(LANGUAGE)(new CompletionContext(state, position, explicit));
	if (result === null) return undefined;
	const labels = result.options.map(({ label }) => label);
	return { labels, replaces: state.sliceDoc(result.from, result.to ?? position) };
}

it("types of actions, of the phase that they are in", () => {
	expect(offered('{"inbound":[{"actions":[{"type":"d|x"}]}]}')).toEqual({
		labels: ["deny", "log"],
		replaces: "dx",
	});
	expect(offered('{"outbound":[{"actions":[{"type":"|"}]}]}')?.labels).toEqual(["log"]);
});

it("variables and functions in expressions, templates and bucket keys", () => {
	const expression = offered('{"inbound":[{"expressions":["true && re|"]}]}');
	expect(expression).toEqual({ labels: ["req.method", "size"], replaces: "re" });
	expect(offered('{"outbound":[{"expressions":["res.|"]}]}')?.labels).toContain("res.status_code");
	const template =
		'{"inbound":[{"actions":[{"type":"log","config":{"metadata":{"a":"x ${re|"}}}]}]}';
	expect(offered(template)?.replaces).toBe("re");
	expect(offered(template.replace("${", ""))).toBeUndefined();
	expect(
		offered('{"inbound":[{"actions":[{"type":"rate-limit","config":{"bucket_key":["r|"]}}]}]}')
			?.labels,
	).toContain("req.method");
});

it("functions of a value behind its dot", () => {
	expect(offered(`{"inbound":[{"expressions":["req.method.st|"]}]}`)).toEqual({
		labels: ["startsWith"],
		replaces: "st",
	});
	expect(offered(`{"inbound":[{"expressions":["'a'.|"]}]}`)?.labels).toEqual(["startsWith"]);
});

it("names of fields, of the document, a rule, an action and its config", () => {
	expect(offered('{"|"}')?.labels).toEqual(["enabled", "inbound", "outbound"]);
	expect(offered('{"inbound":[{"e|"}]}')?.labels).toEqual(["name", "expressions", "actions"]);
	expect(offered('{"inbound":[{"actions":[{"|"}]}]}')?.labels).toEqual(["type", "config"]);
	expect(offered('{"inbound":[{"actions":[{"type":"deny","config":{"s|"}}]}]}')?.labels).toEqual([
		...["status_code", "mode"],
	]);
	expect(
		offered('{"inbound":[{"actions":[{"type":"deny","config":{"mode":"|"}}]}]}')?.labels,
	).toEqual(["a", "b"]);
});

it("whole rules and actions, when they are asked for", () => {
	expect(offered('{"inbound":[|]}')).toBeUndefined();
	expect(offered('{"inbound":[|]}', true)?.labels).toEqual(["rule"]);
	expect(offered('{"outbound":[{"actions":[|]}]}', true)?.labels).toEqual(["log"]);
	expect(offered('{"enabled":|}', true)).toBeUndefined();
});
