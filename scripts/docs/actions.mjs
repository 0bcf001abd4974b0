// docs/actions.md, from the table of actions, the schema of policy documents and the table of warnings.
import { z } from "zod";
import { code, table } from "./lib/markdown.mjs";

export const file = "actions.md";

const number = (value) => value.toLocaleString("en-US");

/** JSON as people write it: on one line what fits there. */
function pretty(value, indent = "") {
	const line = onOneLine(value);
	if (indent.length + line.length <= 84 || typeof value !== "object") return line;
	const inner = `${indent}  `;
	const [open, close] = Array.isArray(value) ? "[]" : "{}";
	const parts = Array.isArray(value)
		? value.map((element) => pretty(element, inner))
		: Object.entries(value).map(([name, each]) => `"${name}": ${pretty(each, inner)}`);
	return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value) {
	if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).map(([name, each]) => `"${name}": ${onOneLine(each)}`);
	return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const unwrapped = (field) => {
	let inner = field;
	while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
	return inner;
};

/** @param node JSON Schema @param field the zod schema that it was made of, which tells bytes from characters */
function kindOf(node, field) {
	if (node.const !== undefined) return code(node.const);
	if (node.enum !== undefined) return node.enum.map(code).join(" or ");
	switch (node.type) {
		case "integer":
			return `integer, ${number(node.minimum)} to ${number(node.maximum)}`;
		case "boolean":
			return "`true` or `false`";
		case "string": {
			if (node.maxLength === undefined) return "string";
			const unit = unwrapped(field)?.maxLength === node.maxLength ? "characters" : "bytes";
			const least = node.minLength === undefined ? "" : "not empty, ";
			return `string, ${least}at most ${number(node.maxLength)} ${unit}`;
		}
		case "array": {
			const least = node.minItems === undefined ? "" : `${node.minItems} to `;
			const most =
				node.maxItems === undefined ? "" : `${least}${least ? "" : "at most "}${node.maxItems} `;
			const distinct = node.uniqueItems ? "different " : "";
			return `list of ${most}${distinct}${node.items.type === "object" || node.items.oneOf ? "objects" : "strings"}`;
		}
		default:
			return `object of at most ${node.maxProperties} entries`;
	}
}

/** Descriptions are written for the JSON Schema, where text with `$` needs no marks. */
const marked = (description) =>
	description
		.split(/(`[^`]*`)/)
		.map((part) =>
			part.startsWith("`")
				? part
				: part.replace(/\$\{[^}]*\}|\$\$|\$\w*(?:…\$\w+)?/g, (text) => code(text)),
		)
		.join("");

/** @param interpolated the sentence that descriptions of templates end with */
function fieldRows({ properties = {}, required = [] }, shape, { defaults, texts, interpolated }) {
	return Object.entries(properties).map(([name, node]) => {
		const given = node.default ?? defaults[name];
		const fallback = required.includes(name)
			? "required"
			: given === undefined
				? "none"
				: code(JSON.stringify(given));
		const description = node.description ?? "The only one there is.";
		const takes = texts[name] === "template" ? " Takes `${CEL}`." : "";
		const meaning = marked(description.replace(interpolated, "").trim()) + takes;
		return [code(name), kindOf(node, shape[name]), fallback, meaning];
	});
}

const FIELDS = ["field", "value", "default", "meaning"];

const laterRules = ({ ends }) => {
	if (ends.when === "never") return "run";
	const outbound =
		ends.with === "response" ? "outbound rules see the response" : "nor do outbound rules";
	return ends.when === "always"
		? `do not run; ${outbound}`
		: `run, unless the action refuses the request: then none does, ${outbound}`;
};

function requestOf({ method = "GET", url, clientIp, headers = [], responseStatus }) {
	const from = clientIp === undefined ? "" : ` from ${clientIp}`;
	const fields = headers.map(([name, value]) => `, ${code(`${name}: ${value}`)}`).join("");
	const answer = responseStatus === undefined ? "" : `, the backend answers ${responseStatus}`;
	return `${code(`${method} ${url}`)}${from}${fields}${answer}`;
}

function fateOf(becomes) {
	if (!/^\d/.test(becomes)) return becomes.replace(/(http\S+|\{.*\})/g, code("$1"));
	const [status, ...rest] = becomes.split(" ");
	return rest.length === 0
		? status
		: `${status}, ${code(rest.join(" ").replace(/^retry-after /, "retry-after: "))}`;
}

function section(type, action, interpolated) {
	const { config, defaults, phases, texts, lints, documentation } = action;
	const schema = z.toJSONSchema(config, { io: "input" });
	const rows = fieldRows(schema, config.shape, { defaults, texts, interpolated });
	const { purpose, effect, example } = documentation;
	const warnings =
		lints.length === 0
			? ""
			: `\n- **Warnings:** ${lints.map((lint) => `[${code(lint.code)}](#warnings)`).join(", ")}.`;
	return `## ${type}

${purpose}

- **Phases:** ${phases.join(" and ")}.
- **Effect:** ${effect}
- **Later actions and rules** ${laterRules(action)}.${warnings}

${table(FIELDS, rows)}

For example:

\`\`\`json
${pretty(example.document)}
\`\`\`

${table(
	["request", "what becomes of it"],
	example.requests.map((request) => [requestOf(request), fateOf(request.becomes)]),
)}`;
}

export async function page(load) {
	const { ACTIONS } = await load("policy/actions/table");
	const { policyJsonSchema, policySchema, ruleSchema } = await load("policy/document/schema");
	const { INTERPOLATED } = await load("policy/document/fields");
	const { WARNINGS } = await load("policy/lint/warnings");
	const { LIMITS } = await load("limits/limits");
	const actions = Object.entries(ACTIONS);
	const document = policyJsonSchema();
	const rule = document.properties.inbound.items;
	const rowsOf = (schema, { shape }) =>
		fieldRows(schema, shape, { defaults: {}, texts: {}, interpolated: INTERPOLATED });
	const actionWarnings = actions.flatMap(([type, { lints }]) => lints.map((lint) => [type, lint]));
	return `# Actions

<!-- Generated by \`npm run docs\` from src/policy/actions/, src/policy/document/schema.ts, src/policy/lint/warnings.ts
     and scripts/docs/actions.mjs. -->

A policy is a list of rules for the requests of one route, and one for the responses. A rule applies if all its
[expressions](expressions.md) are true; then its actions run, in order. This page has the policy's fields, every action
and every warning; the [contract](contract.md#5-actions) says what holds exactly, of rate-limits above all.

${table(
	["action", "phases", "ends the phase", "effect on later rules"],
	actions.map(([type, { phases, ends, changes }]) => [
		`[${type}](#${type})`,
		phases.join(", "),
		ends.when,
		changes.length === 0 ? "none" : `they see another ${changes.join(" and ")}`,
	]),
)}

## The document

${table(FIELDS, rowsOf(document, policySchema))}

A rule:

${table(FIELDS, rowsOf(rule, ruleSchema))}

An action has a \`type\`, one of those on this page, and a \`config\` with the fields listed there; where none of them is
required, \`config\` may be left out.

- **Rules run in order**, and later rules see the changes that earlier ones made. An expression that fails when a
  request comes to it refuses the request with 500, or with \`expression_errors: skip\` its rule does not apply.
- **Nothing unknown is accepted.** An unknown field, type or variable, a wrong type, or an action that could never run is
  refused with 400; all problems are listed at once, each with its place and the nearest valid name.
- **\`null\`** for a field that has a default is the same as leaving it out.
- **\`{"module": …}\`** around a policy, as published clients send it, is accepted.
- **\`\${…}\`** in a field that takes it is a CEL expression whose value is put in its place as text; \`$\${\` is a literal
  \`\${\`. Expressions are compiled when the policy is written.

## Bounds

${table(
	["what", "at most"],
	[
		["document", `${number(LIMITS.policyBytes)} bytes; \`limits.policy_bytes\` may say more`],
		["rules in a phase", `${number(LIMITS.rulesPerPhase)}; \`limits.rules\` may say more`],
		["expressions in a rule", number(LIMITS.expressionsPerRule)],
		["an expression", `${number(LIMITS.expressionBytes)} bytes`],
		["actions in a rule", number(LIMITS.actionsPerRule)],
		[
			"header value, when its expressions are filled in",
			`${number(LIMITS.headerValueBytes)} bytes`,
		],
		["URL that a rewrite makes", `${number(LIMITS.rewrittenUrlCharacters)} characters`],
		[
			"problems or warnings listed",
			`${number(LIMITS.problemsPerDocument)}; the last one counts the rest`,
		],
	],
)}

Bounds of single fields stand in their tables.

${actions.map(([type, action]) => section(type, action, INTERPOLATED)).join("\n\n")}

## Warnings

A policy that is valid and most likely does not do what its author meant is stored, and warned of: the answer to PUT
carries \`policy-warnings\` and \`policy-warning\`, and \`weir check\` lists them all.

${table(
	["code", "what it finds", "what to do"],
	[
		...Object.entries(WARNINGS).map(([name, { finds, remedy }]) => [code(name), finds, remedy]),
		...actionWarnings.map(([type, lint]) => [
			code(lint.code),
			`[${type}](#${type}): ${lint.finds}`,
			lint.remedy,
		]),
	],
)}
`;
}
