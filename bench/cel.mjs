/**
 * What an expression costs to evaluate: the rules of the published policies, compiled as a worker compiles
 * them, beside other CEL libraries and beside JavaScript written by hand. All answers are compared before
 * anything is measured. `npm run bench:cel`, after `npm run build`
 */
import { predicateProgram } from "#dist/cel/compile.js";
import { openPredicate } from "#dist/cel/program.js";
import { compilePolicy } from "#dist/policy/rules/compile.js";
import { PEERS, variablesFor } from "./cel-peers.mjs";
import { REQUESTS } from "./cel-requests.mjs";
import { RULES } from "./cel-rules.mjs";
import { recordResults, table } from "./results.mjs";
import {
	compare,
	HOW_MEASURED,
	lowerQuartile,
	median,
	ratioText,
	SLICES,
	timeInTurns,
} from "./slices.mjs";

/** evaluations in one sample: a clock can't time one */
const EVALUATIONS = 1024;
const TIMES = { sliceMs: 50, warmUpMs: 100 };
/** a thousand functions are compiled one by one, as they are called often enough */
const MODULE_TIMES = { sliceMs: 250, warmUpMs: 3000 };

/**
 * @typedef {import("./cel-rules.mjs").Rule} Rule
 * @typedef {(input: any) => unknown} Evaluate
 * @typedef {{ name: string, inputs: readonly object[], compile: (rule: Rule) => Evaluate | undefined }} Implementation
 */

/**
 * For each implementation what a rule becomes, and over what it is evaluated.
 * @type {Implementation[]}
 */
const implementations = [
	{ name: "weir", inputs: REQUESTS, compile: weir },
	...PEERS.map(({ name, compile, ...conventions }) => ({
		name,
		inputs: REQUESTS.map((request) => variablesFor(request, conventions)),
		compile,
	})),
	{ name: "by hand", inputs: REQUESTS, compile: ({ byHand }) => byHand },
];

/** @param {Rule} rule @returns {Evaluate} */
function weir({ expression, phase }) {
	const program = predicateProgram(expression, phase);
	if (!program.ok) throw new Error(`${expression}: ${program.error[0]?.message}`);
	const predicate = openPredicate(program.value);
	return (attributes) => predicate.evaluate(attributes);
}

/** Each rule as each implementation runs it; undefined where it can't. */
const compiled = RULES.map((rule) => implementations.map(({ compile }) => compile(rule)));

RULES.forEach(({ expression }, rule) => {
	REQUESTS.forEach((request, index) => {
		const answers = implementations.map(({ inputs }, at) => compiled[rule]?.[at]?.(inputs[index]));
		const different = answers.findIndex((each) => each !== undefined && each !== answers[0]);
		if (different >= 0) {
			const name = implementations[different]?.name;
			throw new Error(
				`${expression} of ${request.url.full}: ${name} says ${answers[different]}, weir ${answers[0]}`,
			);
		}
	});
});

/**
 * A loop of its own for each function, so that the engine sees what it would see in a program with one rule.
 * @param {Evaluate} evaluate @param {readonly object[]} inputs
 */
const loopOver = (evaluate, inputs) =>
	new Function(
		"evaluate",
		"inputs",
		`return () => {
			let count = 0;
			for (let at = 0; at < ${EVALUATIONS}; at++) if (evaluate(inputs[at & 7]) === true) count++;
			return count;
		}`,
	)(evaluate, inputs);

/**
 * One loop over all: every call goes somewhere else.
 * @param {readonly Evaluate[]} functions @param {readonly object[]} inputs
 */
const loopInTurn = (functions, inputs) => () => {
	let count = 0;
	for (const input of inputs) {
		for (const evaluate of functions) if (evaluate(input) === true) count++;
	}
	return count;
};

/** @param {readonly number[] | undefined} slices in nanoseconds */
const shown = (slices) => {
	if (slices === undefined || slices.length === 0) return "—";
	const nanoseconds = lowerQuartile(slices);
	return nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0);
};

async function alone() {
	const tasks = RULES.flatMap((_, rule) =>
		implementations.flatMap(({ inputs }, at) => {
			const evaluate = compiled[rule]?.[at];
			if (evaluate === undefined) return [];
			return [{ rule, at, run: loopOver(evaluate, inputs), calls: EVALUATIONS }];
		}),
	);
	const times = await timeInTurns(tasks, TIMES);
	return RULES.map((_, rule) =>
		implementations.map((_, at) => {
			const index = tasks.findIndex((task) => task.rule === rule && task.at === at);
			return index < 0 ? undefined : times[index];
		}),
	);
}

const results = await alone();
/** @type {number[]} */
const ratios = [];
const rows = RULES.map(({ expression }, rule) => {
	const [own = [], ...others] = results[rule] ?? [];
	const byHand = others.pop() ?? [];
	const [fastest] = others
		.filter((each) => each !== undefined)
		.toSorted((one, other) => lowerQuartile(one) - lowerQuartile(other));
	const ahead = fastest && compare(fastest, own);
	if (ahead !== undefined) ratios.push(ahead.ratio);
	const name = expression.length > 60 ? `${expression.slice(0, 57)}…` : expression;
	return [
		`\`${name.replaceAll("|", "\\|")}\``,
		shown(own),
		...others.map(shown),
		shown(byHand),
		ratioText(ahead, 1),
		ratioText(compare(own, byHand), 1),
	];
});
const names = implementations.map(({ name }) => name);
const first = table(
	[
		"ns per evaluation, each rule alone",
		...names,
		"fastest library ÷ weir (paired)",
		"weir ÷ by hand (paired)",
	],
	rows,
);

/** Every implementation over the rules that it can run, and weir and the hand-written over the same. */
async function inTurn() {
	/** @type {{ name: string | undefined, rules: number[] }[]} */
	const sets = PEERS.map(({ name }, index) => ({
		name,
		rules: RULES.map((_, rule) => rule).filter((rule) => compiled[rule]?.[index + 1] !== undefined),
	}));
	sets.unshift({ name: undefined, rules: RULES.map((_, rule) => rule) });
	const last = implementations.length - 1;
	const tasks = sets.flatMap(({ name, rules }) =>
		[0, last, ...(name === undefined ? [] : [names.indexOf(name)])].map((at) => {
			const functions = rules.flatMap((rule) => compiled[rule]?.[at] ?? []);
			const inputs = implementations[at]?.inputs ?? [];
			return { run: loopInTurn(functions, inputs), calls: functions.length * inputs.length };
		}),
	);
	const times = await timeInTurns(tasks, TIMES);
	return sets.map(({ name, rules }) => {
		const [own = [], byHand] = times.splice(0, 2);
		const other = name === undefined ? undefined : times.shift();
		const ratio = ratioText(other && compare(other, own), 1);
		const title = name === undefined ? "all rules" : `those that ${name} can run`;
		return [title, String(rules.length), shown(own), shown(other), shown(byHand), ratio];
	});
}

const second = table(
	[
		"ns per evaluation, all rules in turn",
		"rules",
		"weir",
		"library",
		"by hand",
		"library ÷ weir (paired)",
	],
	await inTurn(),
);

/** Rules as tenants of a large site have them; none matches any of the requests. */
/** @type {((n: number) => string[])[]} */
const MIXED = [
	(n) => [`req.url.path == '/tenant/${n}/login'`],
	(n) => [`req.url.path.startsWith('/tenant/${n}/')`, "req.method == 'POST'"],
	(n) => [`req.host == 'tenant-${n}.example.com'`],
	(n) => [`req.method == 'DELETE' && req.url.path.startsWith('/v${n}/')`],
	(n) => [`'x-tenant-${n}' in req.headers`],
	(n) => [`req.user_agent.contains('Crawler/${n}')`],
	(n) => [`inCidrRanges(conn.client_ip, ['172.16.${n % 256}.0/24', '198.18.${n % 256}.0/24'])`],
	(n) => [`req.headers['x-key'].exists(k, k == 'key-${n}')`],
];
const MODULES = {
	"1,000 rules on paths, hosts, methods, headers, addresses": MIXED,
	"1,000 rules on paths": MIXED.slice(0, 1),
	"1,000 rules on headers, user agents and addresses": MIXED.slice(4),
};

/** None of the policies has a rate-limit. @type {import("#dist/policy/admission.js").RateLimiters} */
const NO_LIMITERS = {
	open() {
		throw new Error("no rate-limit was expected");
	},
	release() {},
};

async function modules() {
	const tasks = Object.entries(MODULES).map(([name, kinds]) => {
		/** @type {import("#dist/policy/document/schema.js").PolicyDocument["inbound"]} */
		const inbound = Array.from({ length: 1000 }, (_, n) => ({
			name: "",
			expressions: kinds[n % kinds.length]?.(n) ?? [],
			actions: [{ type: "deny", config: {} }],
		}));
		const policy = compilePolicy(
			{ enabled: true, inbound, outbound: [] },
			{ edgeId: "e", routeId: "r", limiters: NO_LIMITERS, expressionErrors: "reject" },
		);
		const exchanges = REQUESTS.map((request) => {
			const expressionFailed = (/** @type {unknown} */ _place, /** @type {string} */ message) => {
				throw new Error(message);
			};
			// as much of an exchange as policies that only deny read
			const exchange = /** @type {unknown} */ ({ ...request, expressionFailed });
			return /** @type {import("#dist/policy/exchange.js").PolicyExchange} */ (exchange);
		});
		for (const exchange of exchanges) {
			const { kind } = policy.inbound(exchange);
			if (kind !== "continue") throw new Error(`${name}: ${kind}`);
		}
		const run = () => {
			for (const exchange of exchanges) policy.inbound(exchange);
		};
		return { name, run, calls: exchanges.length };
	});
	const times = await timeInTurns(tasks, MODULE_TIMES);
	return tasks.map(({ name }, index) => [
		name,
		(lowerQuartile(times[index] ?? []) / 1000).toFixed(2),
		"≤ 10",
	]);
}

const third = table(
	["a module of which no rule matches", "µs per request", "target"],
	await modules(),
);
const text = [
	first,
	`Median of the ratios to the fastest library: ${median(ratios).toFixed(1)} (target ≥ 8).`,
	second,
	third,
].join("\n\n");
process.stdout.write(`${text}\n`);
if (!process.argv.includes("--dry")) {
	const peers =
		"peers: @marcbachmann/cel-js 8.0.0, @bufbuild/cel 0.6.1 with RE2 patterns kept, cel-js 0.8.2";
	const slices = `processor time, ${SLICES} slices of ${TIMES.sliceMs} ms in turns`;
	recordResults("Expressions", "npm run bench:cel", [peers, slices, HOW_MEASURED], text);
}
