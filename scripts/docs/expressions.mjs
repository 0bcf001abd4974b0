// docs/expressions.md, from the tables of src/cel: variables, records, operators, macros and functions come with their
// text, examples and types. test/cel/documentation.test.ts evaluates every example over lib/sample-exchange.mjs.
import { code, table } from "./lib/markdown.mjs";
import { REQUEST, RESPONSE } from "./lib/sample-exchange.mjs";

export const file = "expressions.md";

/** @typedef {readonly [expression: string, value: string]} Example */
/** @typedef {{name: string, type: string, doc: string, example: string, use?: Example, absent?: string}} Variable */
/** @typedef {{name: string, doc: string, examples: readonly Example[], overloads: Record<string, unknown>}} Func */
/** @typedef {{title: string, about?: string | undefined, names: readonly string[], body: string}} Section */

/** @param {Example} example */
const shown = ([expression, value]) =>
	`${code(expression)} is ${/^(?:true|false)$/.test(value) ? value : code(value)}`;

/** @param {readonly Example[]} examples */
const allShown = (examples) => examples.map(shown).join("<br>");

/** @param {string} title */
const anchor = (title) =>
	title
		.toLowerCase()
		.replace(/[^\w -]/g, "")
		.replaceAll(" ", "-");

/** @param {Variable} variable */
const variableRow = ({ name, type, doc, example, use, absent }) => [
	code(name),
	code(type),
	doc,
	use === undefined ? code(example) : shown(use),
	absent ?? "",
];

/** @param {string} title @param {readonly Variable[]} rows @param {string} [about] @returns {Section} */
const variables = (title, rows, about) => ({
	title,
	about,
	names: rows.map(({ name }) => name),
	body: table(
		["variable", "type", "what it holds", "in the example", "where there is none"],
		rows.map(variableRow),
	),
});

/** @param {string} title @param {readonly Func[]} family @param {string} [about] @returns {Section} */
const functions = (title, family, about) => {
	const callable = family.filter(({ name }) => !name.includes("@"));
	return {
		title,
		about,
		names: callable.map(({ name }) => name),
		body: table(
			["function", "what it yields", "examples"],
			callable.map(({ overloads, doc, examples }) => [
				Object.keys(overloads).map(code).join("<br>"),
				doc,
				allShown(examples),
			]),
		),
	};
};

/** @param {import("./lib/markdown.mjs").Load} load */
const variableSections = async (load) => {
	/** @type {{VARIABLE_TABLE: readonly Variable[]}} */
	const { VARIABLE_TABLE } = await load("cel/variables/table");
	const { RECORD_TABLE } = await load("cel/variables/records");
	/** @param {RegExp} pattern */
	const named = (pattern) => VARIABLE_TABLE.filter(({ name }) => pattern.test(name));
	const sections = [
		variables("Request", named(/^req\.(?!url)/)),
		variables(
			"URL of the request",
			named(/^req\.url/),
			"`req.url` is a text, and the beginning of the names of its parts. A url-rewrite changes them for the rules behind it, and nothing else that rules see.",
		),
		variables("Connection", named(/^conn\./)),
		variables(
			"Response",
			named(/^res\./),
			"These exist in outbound rules only; an inbound rule that names one is refused.",
		),
		variables("Edge, route and time", named(/^(?:edge|route|endpoint|time)\./)),
		variables(
			"Results of actions, and variables",
			// A policy declares their fields with types (cel/check/declared.ts).
			named(/^(?:actions|vars)$/).map((row) => ({ ...row, type: "record" })),
			"What stands before an expression in its policy says which names they have, so names are written, not worked out: `vars.tier` reads, `has(vars.tier)` asks, `vars.?tier` yields an optional. They are no maps: `vars['tier']`, `'tier' in vars` and macros over them are refused.",
		),
	];
	const shownNames = sections.flatMap(({ names }) => names);
	if (shownNames.length !== VARIABLE_TABLE.length) throw new Error("a variable is in no section");
	/** @type {Section} */
	const records = {
		title: "Cookies",
		names: [],
		body: RECORD_TABLE.map(
			(/** @type {any} */ { name, doc, of, fields }) =>
				`${code(name)}: ${doc}\n\n${table(
					["field", "type", "what it holds", `of ${code(of)}`],
					fields.map((/** @type {any} */ field) => [
						code(field.name),
						code(field.type),
						field.doc,
						code(field.example),
					]),
				)}`,
		).join("\n\n"),
	};
	return [...sections, records];
};

/** @param {import("./lib/markdown.mjs").Load} load @returns {Promise<Section[]>} */
const callableSections = async (load) => {
	const { OPERATORS } = await load("cel/library/operators");
	const { MACROS } = await load("cel/library/macros");
	const { FAMILIES } = await load("cel/library/table");
	const { macroSteps, ...families } = FAMILIES;
	const titles = {
		stringTests: "Texts: tests",
		patterns: "Texts: patterns",
		strings: "Texts: parts and changes",
		sizes: "Sizes",
		lookUps: "Headers, cookies and query parameters",
		addresses: "Addresses",
		times: "Times",
		lists: "Lists",
		sets: "Lists as sets",
		optionals: "Optional values",
		conversions: "Conversions",
		encoders: "Base64, hashes and JSON",
		math: "Numbers",
		chance: "Chance",
	};
	/** @type {Record<string, string>} */
	const about = {
		lookUps:
			"Short for look-ups in `req.headers`, `req.cookies`, `req.url.query_params`, `res.headers` and `res.cookies`.",
		times:
			"Fields of timestamps are those of UTC, or of the zone that is given: a name such as `Europe/Berlin`, or an offset such as `-07:00`; `''` is UTC. An unknown zone fails. Durations have the last four functions too.",
		optionals:
			"For what may be missing: `a[?b]`, `a.?b`, `first()` and `last()` yield optionals, which have a value or none and never fail to be made.",
		strings: "Places count characters (code points), from 0.",
	};
	if (Object.keys(families).toSorted().join() !== Object.keys(titles).toSorted().join()) {
		throw new Error("every family of functions has a title here");
	}
	return [
		{
			title: "Operators",
			about:
				"From the weakest to the strongest: `?:`, `||`, `&&`, comparisons and `in`, `+ -`, `* / %`, `! -`, and what stands behind a value (`.`, `[]`, calls).",
			names: [],
			body: table(
				["operator", "what it yields", "examples"],
				OPERATORS.map((/** @type {any} */ { written, doc, examples }) => [
					code(written),
					doc,
					allShown(examples),
				]),
			),
		},
		{
			title: "Macros",
			about:
				"They bind names of your choice: `x` an element (of a map: a key), or `i, v` its place and itself (of a map: key and value). `c` is a condition, `e` any expression over these names.",
			names: MACROS.map((/** @type {any} */ { name }) => name),
			body: table(
				["macro", "what it yields", "examples"],
				MACROS.map((/** @type {any} */ { written, doc, examples }) => [
					written.map(code).join("<br>"),
					doc,
					allShown(examples),
				]),
			),
		},
		...Object.entries(titles).map(([key, title]) => functions(title, families[key], about[key])),
	];
};

/** @param {Section} section */
const sectionText = ({ title, about, body }) =>
	`### ${title}\n\n${about === undefined ? "" : `${about}\n\n`}${body}`;

/** @param {readonly Section[]} sections */
const contents = (sections) =>
	sections.map(({ title }) => `[${title}](#${anchor(title)})`).join(" · ");

/** @param {readonly Section[]} sections */
const index = (sections) => {
	const names = sections.flatMap(({ title, names }) =>
		names.map((name) => ({ name, link: `[${code(name)}](#${anchor(title)})` })),
	);
	return names
		.toSorted((one, other) => (one.name < other.name ? -1 : 1))
		.map(({ link }) => link)
		.join(" ");
};

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	const { LIMITS } = await load("limits/limits");
	const ofVariables = await variableSections(load);
	const ofCallables = await callableSections(load);
	/** @param {number} count */
	const number = (count) => count.toLocaleString("en");
	return `# Expressions

<!-- Generated by \`npm run docs\` from src/cel/variables, src/cel/library and scripts/docs/expressions.mjs. -->

Rules decide by expressions in [CEL](https://cel.dev), the Common Expression Language: one line that reads the request,
cannot change anything, and ends. A rule applies if all of its \`expressions\` are true; texts of actions take
expressions as \`\${…}\`.

\`\`\`yaml
inbound:
  - name: only our scripts may change orders
    expressions:
      - req.url.path.startsWith('/v1/orders/') && req.method != 'GET'
      - "!inCidrRanges(conn.client_ip, ['10.0.0.0/8', '192.168.0.0/16'])"
    actions: [{type: deny}]
outbound:
  - expressions: ["res.status_code >= 500"]
    actions: [{type: log, config: {metadata: {path: "\${req.url.path}", took: "\${time.now - req.ts.header_received}"}}}]
\`\`\`

${contents(ofVariables)}<br>
${contents(ofCallables)}<br>
[All names](#all-names)

## How to read this

Every value and example below is that of one exchange. It came to the route \`orders\` of the edge \`shop\`, over TLS and
with PROXY protocol from 203.0.113.7, on 4 May 2026 at 10:20:30.250 UTC; a geo database is configured.

\`\`\`http
${REQUEST}
\`\`\`

\`\`\`http
${RESPONSE}
\`\`\`

**Types** are checked when a policy is written: \`res.status_code == '500'\` is refused, since an int is no text. There
are \`bool\`, \`int\` (64 bits), \`uint\`, \`double\`, \`string\`, \`bytes\`, \`timestamp\`, \`duration\`, \`list<…>\`,
\`map<…, …>\`, \`optional<…>\`, the records \`cookie\` and \`set_cookie\`, \`type\`, and \`dyn\` for what is known when
evaluated only. Single capitals in signatures stand for any type. A signature such as \`string.contains(string) -> bool\`
is a method, \`a.contains(b)\`; \`size(string) -> int\` is a function, \`size(a)\`.

**Literals**: \`true\`, \`null\`, \`42\`, \`42u\`, \`0xff\`, \`1.5\`, \`'text'\` or \`"text"\` with escapes such as \`\\n\`,
\`r'^\\d+$'\` without escapes, \`b'bytes'\`, \`[1, 2]\`, \`{'a': 1}\`.

**What is missing is empty, and does not fail.** A header, cookie or parameter that is not there is \`[]\`; a text is
\`''\`. What fails is a *place* in such a list: \`req.headers['x-api-key'][0]\` fails for requests without that header.
Write \`'secret' in req.headers['x-api-key']\`, or \`req.headers['x-api-key'].exists(v, v == 'secret')\`.

**A failure** (a place outside of a list, \`int('x')\`, a division by 0) makes the request fail closed with status 500,
logged with edge, route, rule and expression; with \`expression_errors: skip\` the rule does not apply instead. In
\`a && b\` and \`a || b\` an operand that decides makes up for a failure of the other, on either side.

**Time and memory are bounded.** What an expression could take at worst is worked out when it is written. Most take well
under a microsecond; patterns are searched in linear time. Costly ones go on in threads of their own with a deadline
(\`expressions.deadline_ms\`, see [configuration](configuration.md)); one that overruns it fails closed. An expression has
at most ${number(LIMITS.expressionBytes)} bytes, a rule ${number(LIMITS.expressionsPerRule)} expressions; a text made while evaluating has at most
${number(LIMITS.evaluationTextCharacters)} characters, a list made by \`flatten\` ${number(LIMITS.flatListElements)} elements.

**What is cheap:** rules that compare \`req.method\`, \`req.host\` or \`req.url.path\` with literals are passed over without
being evaluated where the comparison does not hold. A header by its literal name is read directly; \`req.cookies\` and
\`req.url.query_params\` are parsed once for a request, and only if a rule asks. Parts that no request can change, literal
lists, patterns and address ranges are prepared when the policy is written.

## Variables

${ofVariables.map(sectionText).join("\n\n")}

## Operators, macros and functions

${ofCallables.map(sectionText).join("\n\n")}

## All names

${index([...ofVariables, ...ofCallables])}
`;
}
