// docs/actions.md, from the table of actions, the schema of policy documents and the table of warnings.
import { z } from "zod";
import { code, table } from "./lib/markdown.mjs";

export const file = "actions.md";

/**
 * JSON Schema of one field, as far as policies use it.
 * @typedef {object} Node
 * @property {string} [type]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {string} [const]
 * @property {string[]} [enum]
 * @property {Node[]} [anyOf]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {number} [minProperties]
 * @property {number} [maxProperties]
 * @property {boolean} [uniqueItems]
 * @property {Node} [items]
 * @property {Record<string, Node>} [properties]
 * @property {string[]} [required]
 */
/** @typedef {import("../../src/policy/actions/action.ts").Action} Action */
/** @typedef {import("../../src/policy/actions/action.ts").ExampleRequest} ExampleRequest */

const grouped = new Intl.NumberFormat("en");

/** @param {number | undefined} value */
const number = (value) => grouped.format(value ?? 0);

const LINE = 84;

/** JSON as people write it: on one line if it fits there. @param {unknown} value @returns {string} */
function pretty(value, indent = "") {
	const line = onOneLine(value);
	if (indent.length + line.length <= LINE || typeof value !== "object" || value === null)
		return line;
	const inner = `${indent}  `;
	const isList = Array.isArray(value);
	const parts = isList
		? value.map((element) => pretty(element, inner))
		: Object.entries(value).map(([name, each]) => `"${name}": ${pretty(each, inner)}`);
	const body = parts.map((part) => inner + part).join(",\n");
	return isList ? `[\n${body}\n${indent}]` : `{\n${body}\n${indent}}`;
}

/** @param {unknown} value @returns {string} */
function onOneLine(value) {
	if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).map(([name, each]) => `"${name}": ${onOneLine(each)}`);
	return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** @param {unknown} field */
function unwrapped(field) {
	let inner = field;
	while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
	return inner;
}

/** @param {Node} node @param {unknown} field the zod schema behind it, which tells bytes from characters @returns {string} */
function kindOf(node, field) {
	if (node.const !== undefined) return code(node.const);
	if (node.enum !== undefined) return node.enum.map(code).join(" or ");
	if (node.anyOf !== undefined)
		return node.anyOf.map((each) => kindOf(each, undefined)).join("; or ");
	switch (node.type) {
		case "integer":
			return `integer, ${number(node.minimum)} to ${number(node.maximum)}`;
		case "boolean":
			return "`true` or `false`";
		case "string": {
			if (node.maxLength === undefined) return "string";
			const inner = unwrapped(field);
			const counted = inner instanceof z.ZodString && inner.maxLength === node.maxLength;
			const least = node.minLength === undefined ? "" : "not empty, ";
			return `string, ${least}at most ${number(node.maxLength)} ${counted ? "characters" : "bytes"}`;
		}
		case "array": {
			const range = node.minItems === undefined ? "at most " : `${node.minItems} to `;
			const different = node.uniqueItems === true ? "different " : "";
			const elements = node.items?.type === "string" ? "strings" : "objects";
			return `list of ${range}${number(node.maxItems)} ${different}${elements}`;
		}
		default:
			return `object of ${node.minProperties === undefined ? "at most" : `${node.minProperties} to`} ${number(node.maxProperties)} entries`;
	}
}

/** Descriptions are written for the JSON Schema, where text with `$` needs no marks. @param {string} description */
const marked = (description) =>
	description
		.split(/(`[^`]*`)/)
		.map((part) =>
			part.startsWith("`")
				? part
				: part.replace(/\$\{[^}]*\}|\$\$|\$\w*(?:…\$\w+)?/g, (text) => code(text)),
		)
		.join("");

/**
 * @param {Node} schema
 * @param {Record<string, unknown>} shape the zod schemas of the fields
 * @param {string} interpolated the sentence that descriptions of templates end with
 * @param {Pick<Action, "defaults" | "texts">} [action]
 */
function fieldTable(
	schema,
	shape,
	interpolated,
	{ defaults, texts } = { defaults: {}, texts: {} },
) {
	const { properties = {}, required = [] } = schema;
	if (Object.keys(properties).length === 0) return "It has no fields.";
	const rows = Object.entries(properties).map(([name, node]) => {
		const given = node.default ?? defaults[name];
		const optional = given === undefined ? "none" : code(JSON.stringify(given));
		const { description } = node;
		if (description === undefined) throw new Error(`${name} has no description`);
		const filled = texts[name] === "template" || description.includes(interpolated);
		const takes = filled ? " Takes `${CEL}`." : "";
		return [
			code(name),
			kindOf(node, shape[name]),
			required.includes(name) ? "required" : optional,
			marked(description.replace(interpolated, "").trim()) + takes,
		];
	});
	return table(["field", "value", "default", "meaning"], rows);
}

/** @param {Action} action */
function laterRules({ ends }) {
	if (ends.when === "never") return "run";
	const outbound =
		ends.with === "response" ? "outbound rules see the response" : "nor do outbound rules";
	return ends.when === "always"
		? `do not run; ${outbound}`
		: `run, unless the action answers the request: then none does, ${outbound}`;
}

/** @param {ExampleRequest} request */
function requestOf({ method = "GET", url, clientIp, headers = [], responseStatus }) {
	const from = clientIp === undefined ? "" : ` from ${clientIp}`;
	const fields = headers.map(([name, value]) => `, ${code(`${name}: ${value}`)}`).join("");
	const answer = responseStatus === undefined ? "" : `, the backend answers ${responseStatus}`;
	return `${code(`${method} ${url}`)}${from}${fields}${answer}`;
}

/** @param {string} who @param {readonly string[]} [lines] */
function gets(who, lines = []) {
	if (lines.length === 0) return "";
	const told = lines.map((line) =>
		line.startsWith("no ") ? `no ${code(line.slice("no ".length))}` : code(line),
	);
	return `; the ${who} gets ${told.join(", ")}`;
}

/** @param {ExampleRequest} request */
const fateOf = ({ becomes, backendGets, clientGets }) =>
	outcomeOf(becomes) + gets("backend", backendGets) + gets("client", clientGets);

/** @param {string} becomes */
function outcomeOf(becomes) {
	if (!/^\d/.test(becomes)) return becomes.replace(/(http\S+|\{.*\})/g, code("$1"));
	const [status = "", ...rest] = becomes.split(" ");
	const answer = rest.join(" ").replace(/^retry-after /, "retry-after: ");
	return answer === "" ? status : `${status}, ${code(answer)}`;
}

/** @param {string} type @param {Action["results"]} results */
function leaves(type, results) {
	const rows = Object.entries(results).map(([name, field]) => [
		code(`actions.${type.replaceAll("-", "_")}.${name}`),
		code(field.type),
		field.doc,
	]);
	if (rows.length === 0) return "It leaves no results under `actions`.\n\n";
	return `${table(["it leaves for expressions", "type", "meaning"], rows)}\n\n`;
}

/** @param {string} type @param {Action} action @param {string} interpolated */
function section(type, action, interpolated) {
	const { config, phases, lints, documentation, results } = action;
	const { purpose, effect, example } = documentation;
	const schema = /** @type {Node} */ (z.toJSONSchema(config, { io: "input" }));
	const codes = lints.map((lint) => `[${code(lint.code)}](#warnings)`);
	const warnings = codes.length === 0 ? "" : `\n- **Warnings:** ${codes.join(", ")}.`;
	return `## ${type}

${purpose}

- **Phases:** ${phases.join(" and ")}.
- **Effect:** ${effect}
- **Later actions and rules** ${laterRules(action)}.${warnings}

${fieldTable(schema, config.shape, interpolated, action)}

${leaves(type, results)}For example:

\`\`\`json
${pretty(example.document)}
\`\`\`

${table(
	["request", "what becomes of it"],
	example.requests.map((request) => [requestOf(request), fateOf(request)]),
)}`;
}

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	const { ACTIONS } = await load("policy/actions/table");
	const { INTERPOLATED } = await load("policy/document/fields");
	const { policyJsonSchema, policySchema, ruleSchema } = await load("policy/document/schema");
	const { WARNINGS } = await load("policy/lint/warnings");
	const { LIMITS } = await load("limits/limits");
	/** @type {[string, Action][]} */
	const actions = Object.entries(ACTIONS);
	/** @type {[string, { finds: string, remedy: string }][]} */
	const warnings = Object.entries(WARNINGS);
	const document = policyJsonSchema();
	return `# Actions

<!-- Generated by \`npm run docs\` from src/policy/actions/, src/policy/document/schema.ts, src/policy/lint/warnings.ts
     and scripts/docs/actions.mjs. -->

A policy is a list of rules for the requests of one route, and one for the responses. A rule applies if all its
[expressions](expressions.md) are true; then its actions run, in order. This page has the policy's fields, every action
and every warning; the [contract](contract.md#5-actions) says what holds exactly, of rate-limits above all.

${table(
	["action", "phases", "ends the phase", "changes for later rules"],
	actions.map(([type, { phases, ends, changes }]) => [
		`[${type}](#${type})`,
		phases.join(", "),
		ends.when,
		changes.length === 0 ? "nothing" : `the ${changes.join(", the ")}`,
	]),
)}

## The document

${fieldTable(document, policySchema.shape, INTERPOLATED)}

A rule:

${fieldTable(document.properties.inbound.items, ruleSchema.shape, INTERPOLATED)}

An action has a \`type\`, one of those on this page, and a \`config\` with the fields listed there; where none of them is
required, \`config\` may be left out.

- **Rules run in order**, and later rules see the changes that earlier ones made. An expression that fails when a
  request comes to it refuses the request with 500, or with \`expression_errors: skip\` its rule does not apply.
- **Nothing unknown is accepted.** An unknown field, type or variable, a wrong type, or an action that could never run is
  refused with 400; all problems are listed at once, each with its place and the nearest valid name.
- **\`null\`** for a field that has a default is the same as leaving it out.
- **Other published forms** are accepted, and stored in this one: \`on_http_request\` and \`on_http_response\`, \`body\` of a
  custom-response, YAML, \`{"module": …}\` around a policy, \`{"value": "…"}\` to \`…/traffic_policy\`
  ([contract](contract.md#forms)). An action that others have and weir lacks is refused with what to do instead.
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
		["a header value with its expressions filled in", `${number(LIMITS.headerValueBytes)} bytes`],
		["a URL that a rewrite makes", `${number(LIMITS.rewrittenUrlCharacters)} characters`],
		[
			"problems or warnings in one answer",
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
		...warnings.map(([name, { finds, remedy }]) => [code(name), finds, remedy]),
		...actions.flatMap(([type, { lints }]) =>
			lints.map((lint) => [code(lint.code), `[${type}](#${type}): ${lint.finds}`, lint.remedy]),
		),
	],
)}
`;
}
