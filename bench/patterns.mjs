/**
 * Patterns: what V8, our automaton and RE2 in JavaScript take for ordinary ones, what ordinary ones take on long
 * headers made for them, and whether `matchCost` is above what the worst searches take that could be thought of. Exits
 * with 1 if one takes more than twice its cost. `npm run bench:patterns`
 */

import { Dfa } from "#dist/cel/pattern/dfa.js";
import { matchCost, openPattern, preparePattern } from "#dist/cel/pattern/pattern.js";
import { matchAutomaton } from "#dist/cel/pattern/prepare.js";
import { compileRe2 } from "#dist/cel/pattern/re2.js";
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

/** calls of one run: a clock can't time one */
const CALLS = 256;
const TIMES = { sliceMs: 20, warmUpMs: 50 };

const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const URL = "http://example.com/v1/items/42?page=3";
const LONG_URL = `http://example.com/v1/items/42?${"page=3&size=20&".repeat(130)}`;

/** @typedef {import("#dist/cel/pattern/program.js").PatternProgram} PatternProgram */

/** @type {[string, string][]} */
const ordinary = [
	["(?i)(gptbot|chatgpt-user)/", AGENT],
	["(?i)bot|crawl|spider|slurp|facebookexternalhit|curl|wget|python-requests", AGENT],
	["Firefox/1[0-9]{2}", AGENT],
	["Chrome/[0-9]+.*Safari", AGENT],
	[".*Linux.*", AGENT],
	["\\bLinux\\b", AGENT],
	["^/api/[^/]+/items/[0-9]+$", "/api/v1/items/42"],
	["\\.(?:jpg|png|gif|css|js)$", "/assets/app.3f2a9c.css"],
	["^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$", "somebody+tag@mail.example.com"],
	["^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$", "192.0.2.147"],
	["(?i)union\\s+select", LONG_URL],
	["page=.*size=99", LONG_URL],
	["[?&]size=([0-9]+)", LONG_URL],
];
/** @type {[string, string][]} */
const rewrites = [
	["items/([0-9]+)", URL],
	["v1/items/([0-9]+).*", URL],
	["^(https?)://[^/]+/(v1|v2)/(.*)$", URL],
	["nothing", URL],
	["([?&])page=[0-9]+&?", LONG_URL],
];

/** @param {() => unknown} call */
const taskOf = (call) => ({
	calls: CALLS,
	run: () => {
		for (let count = 0; count < CALLS; count++) call();
	},
});

const whole = (/** @type {number} */ number) => number.toFixed(0);
const automatonOf = (/** @type {string} */ source) => {
	const nfa = matchAutomaton(source);
	return nfa && new Dfa(nfa, true);
};
/** @param {string} source */
const re2Of = (source) => {
	const re2 = compileRe2(source);
	if ("message" in re2) throw new Error(`${source}: ${re2.message}`);
	return re2;
};
/** @param {string} source */
const programOf = (source) => {
	const program = preparePattern(source);
	if ("message" in program) throw new Error(`${source}: ${program.message}`);
	return program;
};
/** @param {PatternProgram} program @param {number} length */
const engineOf = ({ test, automaton }, length) => {
	if (test !== undefined && length <= test.longestText) return "V8";
	return automaton === undefined ? "RE2" : "DFA";
};
const replacement = (/** @type {readonly (string | undefined)[]} */ [, group]) => group ?? "";
/** @typedef {Pick<ReturnType<typeof openPattern>, "test" | "replace">} Pattern */
/** @type {["matches" | "replaces", string, string, (one: Pattern) => () => unknown][]} */
const calls = [
	...ordinary.map(
		/** @returns {(typeof calls)[number]} */
		([source, text]) => ["matches", source, text, (one) => () => one.test(text)],
	),
	...rewrites.map(
		/** @returns {(typeof calls)[number]} */
		([source, text]) => ["replaces", source, text, (one) => () => one.replace(text, replacement)],
	),
];
/** @type {string[][]} */
const engineRows = [];
for (const [what, source, text, call] of calls) {
	const program = programOf(source);
	const automaton = what === "matches" ? automatonOf(source) : undefined;
	const slices = await timeInTurns(
		[
			taskOf(call(openPattern(program))),
			taskOf(call(re2Of(source))),
			...(automaton === undefined ? [] : [taskOf(() => automaton.test(text))]),
		],
		TIMES,
	);
	const [own, re2, dfa] = slices.map((each) => whole(lowerQuartile(each)));
	engineRows.push([
		`${what} \`${source.replaceAll("|", "\\|")}\``,
		whole(text.length),
		what === "matches"
			? engineOf(program, text.length)
			: text.length <= (program.replace?.longestText ?? -1)
				? "V8"
				: "RE2",
		own ?? "",
		dfa ?? "",
		re2 ?? "",
		ratioText(compare(slices[1] ?? [], slices[0] ?? []), 1),
		what === "matches" ? whole(matchCost(program, text.length)) : "",
	]);
}

/** @param {number} length @param {string} characters */
const random = (length, characters) => {
	let state = 12345;
	let text = "";
	while (text.length < length) {
		state = (state * 1103515245 + 12345) & 0x7fffffff;
		text += characters[(state >> 16) % characters.length];
	}
	return text.slice(0, length);
};
/** @typedef {(length: number) => string} TextOf */
/** @param {string} part @returns {TextOf} */
const over = (part) => (length) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
/** @param {string} characters @returns {TextOf} */
const over2 = (characters) => (length) => random(length, characters);

/** pattern, and the text it finds hard, by length; what RE2 looks for first is in it, so that it must search @type {[string, TextOf][]} */
const worst = [
	["x.*y", over("x")],
	["ab.*cd.*ef", over("abcd")],
	["x[^y]*x[^y]*y", over("x")],
	["(?:[^/]*/)*!", over("/a")],
	["^(?:[a-z]*,)*!", over("a,")],
	["[a-z]{1,63}\\.[a-z]{1,63}!", over("a")],
	["(?:a{1,9}b?){1,9}c", over("a")],
	["(?s).{40}x", over("中")],
	["[^a]{1,30}😀", over("中")],
	["(?m)^a*$b", over("a\n")],
	["\\b(?:a\\b|b\\B*?)*c|d", over("ab ")],
	["(?i)(?:kk|sk|ks|ss)*[^ks]", over("\u017f\u212a")],
	["(?:😀|😁)+😂", over("😀😁")],
	["a".repeat(60), over("a")],
	[Array.from({ length: 60 }, (_, n) => `a{${n % 9}}b`).join("|"), over("a")],
	["(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)c", over2("ab")],
	["(?:a?){20}b", over("a")],
	["^(a+)+$", over("a")],
	["(?:a|ab|b)*[c-f]", over2("ab")],
	["[ab]*a[ab]{10}[c-f]", over2("ab")],
	["[ab]*a[ab]{100}[c-f]", over2("ab")],
	["[ab]*a[ab]{900}[c-f]", over2("ab")],
	["(?:[ab]{0,100}a[ab]{100}){2}[c-f]", over2("ab")],
	["(?:a|b|ab|ba|aab|bba)*[ab]{200}[c-f]", over2("ab")],
	["(?:a?b?){250}[c-f]", over2("ab")],
	["(?:(?:a?){30}b?){20}[c-f]", over2("ab")],
	["\\b(?:[ab]*a[ab]{200})\\b[c-f]", over2("ab ")],
	["\\pL*a\\pL{100}[0-9]", over2("abé中")],
	["[ab]{0,1000}[c-f]", over2("ab")],
];

/** ordinary patterns, and the long headers that they find hardest @type {[string, TextOf][]} */
const long = [
	["[A-Za-z0-9+/]{200,}={0,2}", over(`${"aB3+/".repeat(39)}-`)],
	["(?i)on(load|error|click)\\s*=", over("onloadonERROR onclick  ")],
	["(?i)select.*from.*where", over("select from ")],
	["(?i)\\b(or|and)\\b\\s+\\d+\\s*=\\s*\\d+", over("or 1 and 22 = x ")],
	["(?i)union\\s+select", over("union   selec ")],
	["session=([a-z0-9]+);", over("session=abc0123-")],
	["^(a|aa)+$", over("a")],
	["^(a*)*b", over("a")],
	["(?i)bot|crawl|spider|slurp|curl|wget", over("cra spid slur cur ")],
	["(?i)<script[^>]*>", over("<scrip <SCRIPT ")],
	["^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$", over("a.b@c-d")],
	["(?:[0-9]{1,3}\\.){3}[0-9]{1,3}", over("255.255.255")],
];

let exceeded = false;
/** @param {[string, TextOf][]} cases @param {(program: PatternProgram) => number[]} lengthsOf */
const measuredOf = (cases, lengthsOf) =>
	cases.flatMap(([source, textOf]) => {
		const program = programOf(source);
		return [...new Set(lengthsOf(program))]
			.sort((one, other) => one - other)
			.map((length) => {
				const text = textOf(length);
				const cost = matchCost(program, length);
				const pattern = openPattern(program);
				/** @type {number[]} */
				const rounds = [];
				let spent = 0;
				// the first two compile; of the others the typical one counts. Processor time, where it is long enough
				// to be told in microseconds: other processes are not the pattern's fault
				while (rounds.length < 5 || (spent < 2e7 && rounds.length < 50)) {
					const processor = process.cpuUsage();
					const begin = process.hrtime.bigint();
					pattern.test(text);
					const wall = Number(process.hrtime.bigint() - begin);
					const { user, system } = process.cpuUsage(processor);
					const taken = wall > 1e6 ? Math.min(wall, 1000 * (user + system)) : wall;
					spent += taken;
					rounds.push(taken);
				}
				const measured = median(rounds.slice(2));
				if (measured > 2 * cost) exceeded = true;
				return [
					`\`${(source.length > 44 ? `${source.slice(0, 41)}…` : source).replaceAll("|", "\\|")}\``,
					whole(length),
					engineOf(program, length),
					((rounds[0] ?? Number.NaN) / 1000).toFixed(1),
					(measured / 1000).toFixed(1),
					(cost / 1000).toFixed(1),
					(measured / cost).toFixed(2),
				];
			});
	});

const engines = table(
	["call", "characters", "engine", "ns", "DFA ns", "RE2 ns", "RE2 ÷ weir (paired)", "matchCost ns"],
	engineRows,
);
const measures = ["characters", "engine", "first µs", "µs (median)", "matchCost µs", "ratio"];
const LONGEST = 65_536;
const longRows = measuredOf(long, () => [512, 2048, 8192, LONGEST]);
const worstRows = measuredOf(worst, ({ test }) =>
	[64, 512, 8192, LONGEST, test?.longestText ?? 0].filter(
		(length) => length >= 16 && length <= LONGEST,
	),
);
process.stdout.write(
	`${engines}\n\n${table(["on long headers", ...measures], longRows)}\n\n${table(["worst searches", ...measures], worstRows)}\n`,
);

const SLOWEST = 5;
const [ENGINE, FIRST, MEDIAN, RATIO] = [2, 3, 4, 6];
/** @param {readonly (readonly string[])[]} rows @param {number} column */
const largest = (rows, column) => Math.max(...rows.map((row) => Number(row[column])));
/** @param {string} name @param {readonly (readonly string[])[]} rows */
const extremes = (name, rows) => [
	name,
	whole(rows.length),
	largest(rows, FIRST).toFixed(0),
	largest(rows, MEDIAN).toFixed(0),
	largest(rows, RATIO).toFixed(2),
];

/** What of the two long tables is recorded: the extremes, and the slowest searches. */
const folded = () => {
	const slowest = worstRows
		.toSorted((one, other) => Number(other[MEDIAN]) - Number(one[MEDIAN]))
		.slice(0, SLOWEST);
	const byEngine = [...new Set(worstRows.map((row) => row[ENGINE]))].map((engine) =>
		extremes(
			`worst searches, ${engine}`,
			worstRows.filter((row) => row[ENGINE] === engine),
		),
	);
	return [
		engines,
		table(
			["512 to 65,536 characters", "searches", "first µs, most", "µs, most", "ratio, most"],
			[extremes("ordinary patterns on long headers", longRows), ...byEngine],
		),
		table([`slowest ${SLOWEST} of the worst`, ...measures], slowest),
	].join("\n\n");
};

if (process.argv.includes("--record"))
	recordResults(
		"Patterns",
		"npm run bench:patterns -- --record",
		[`processor time of engines, ${SLICES} slices of ${TIMES.sliceMs} ms in turns`, HOW_MEASURED],
		folded(),
	);
if (exceeded) process.exitCode = 1;
