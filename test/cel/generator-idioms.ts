/**
 * Conditions as people write them about requests. The lowerer has ways of its own for many of them, which
 * expressions made of single operators rarely meet. Used by `generator.ts`.
 */
import { LITERALS, SMALL_INTS } from "./generator-literals.ts";
import type { Production, Terms } from "./generator-productions.ts";
import { leaf, type Term } from "./generator-term.ts";

const TEXT_VARIABLES = [
	"req.method",
	"req.host",
	"req.url.path",
	"req.url",
	"req.user_agent",
	"conn.client_ip",
	"conn.geo.country_code",
	"req.content_type",
];
const INT_VARIABLES = [
	"req.content_length",
	"res.status_code",
	"conn.client_port",
	"conn.bytes_in",
	"req.url.port",
];
const HEADERS = ["req.headers", "res.headers", "req.url.query_params", "req.cookies"];
const NAMES = ["accept", "Accept", "x", "a", "theme", "X-Forwarded-For", "missing"];
const TEXTS = [
	"'GET'",
	"'POST'",
	"'example.com'",
	"'/'",
	"'/v0'",
	"'text/html'",
	"'BR'",
	"''",
	"'a'",
];
const RANGES = ["'10.0.0.0/8'", "'192.0.2.0/24'", "'2001:db8::/32'", "'0.0.0.0/0'", "'::/0'"];
const PATTERNS = [
	"'^/v0/'",
	"'(?i)EDG/'",
	"'[a-c]+$'",
	"'^$'",
	"'.*(gptbot|curl)/\\\\d'",
	"'a|b|^c'",
];

const literalList = (terms: Terms, choices: readonly string[]): string =>
	`[${Array.from({ length: terms.one([0, 1, 2, 3, 6]) }, () => terms.one(choices)).join(", ")}]`;

const number = (terms: Terms): string => terms.one([...SMALL_INTS, ...(LITERALS.int ?? [])]);

/** An int made of a variable, within and beyond what doubles hold. */
const sum = (terms: Terms): string =>
	terms.one([
		terms.one(INT_VARIABLES),
		`(${terms.one(INT_VARIABLES)} ${terms.one(["+", "-", "*", "/", "%"])} ${number(terms)})`,
		`-${terms.one(INT_VARIABLES)}`,
		`size(${terms.one(["req.headers['accept']", "req.url.path", "req.headers"])})`,
	]);

const NEAR_LIMITS = [
	"9007199254740991",
	"9007199254740992",
	"9007199254740993",
	"9223372036854775807",
];

const EDGE_DOUBLES = ["9007199254740992.0", "9223372036854775808.0", "0.5", "-1.0"];

/** The same near the ends of what numbers and ints hold. */
const edgeSum = (terms: Terms): string =>
	`(${terms.one(INT_VARIABLES)} ${terms.one(["+", "-", "*"])} ${terms.one(["", "-"])}${terms.one(NEAR_LIMITS)})`;

const RELATIONS = ["==", "!=", "<", "<=", ">", ">="];

/** Each writes a condition. */
const IDIOMS: readonly ((terms: Terms) => string)[] = [
	(terms) => `${terms.one(TEXT_VARIABLES)} ${terms.one(["==", "!=", "<"])} ${terms.one(TEXTS)}`,
	(terms) => `${terms.one(TEXTS)} == ${terms.one(TEXT_VARIABLES)}`,
	(terms) => `${terms.one(TEXT_VARIABLES)} in ${literalList(terms, TEXTS)}`,
	(terms) => {
		const method = terms.one(["contains", "startsWith", "endsWith"]);
		return `${terms.one(TEXT_VARIABLES)}.${method}(${terms.one(TEXTS)})`;
	},
	(terms) => `${terms.one(TEXT_VARIABLES)}.matches(${terms.one(PATTERNS)})`,
	(terms) => `${sum(terms)} ${terms.one(RELATIONS)} ${number(terms)}`,
	(terms) => `${sum(terms)} ${terms.one(RELATIONS)} ${sum(terms)}`,
	(terms) =>
		`${edgeSum(terms)} ${terms.one(RELATIONS)} ${terms.one([...EDGE_DOUBLES, ...NEAR_LIMITS])}`,
	(terms) => `${sum(terms)} in ${literalList(terms, [...SMALL_INTS, "200", "404", "443"])}`,
	(terms) => `'${terms.one(NAMES)}' in ${terms.one(HEADERS)}`,
	(terms) => `has(${terms.one(HEADERS)}.${terms.one(["accept", "x", "theme", "missing"])})`,
	(terms) => `${terms.one(HEADERS)}['${terms.one(NAMES)}'].size() > 0`,
	(terms) => `req.headers['${terms.one(NAMES)}'][0] == ${terms.one(TEXTS)}`,
	(terms) => `${terms.one(TEXTS)} in req.headers['${terms.one(NAMES)}']`,
	(terms) => {
		const macro = terms.one(["exists", "all", "exists_one"]);
		const test = terms.one([
			`v.contains(${terms.one(TEXTS)})`,
			`v == ${terms.one(TEXTS)}`,
			`v.matches(${terms.one(PATTERNS)})`,
			`int(v) > ${terms.one(SMALL_INTS)}`,
			`v == req.headers['${terms.one(NAMES)}'][0]`,
			"v in req.headers",
		]);
		return `req.headers['${terms.one(NAMES)}'].${macro}(v, ${test})`;
	},
	(terms) => `req.headers.exists(n, n.startsWith(${terms.one(TEXTS)}))`,
	(terms) => `hasReqHeader('${terms.one(NAMES)}')`,
	(terms) => `getQueryParam('${terms.one(NAMES)}')[0] == ${terms.one(TEXTS)}`,
	(terms) => `getReqCookie('${terms.one(NAMES)}').value != ''`,
	(terms) => `inCidrRanges(conn.client_ip, ${literalList(terms, RANGES)})`,
	(terms) => `inCidrRange(conn.client_ip, ${terms.one(RANGES)})`,
	(terms) => `inCidrRange(req.headers['x-forwarded-for'][0], ${terms.one(RANGES)})`,
	(terms) =>
		`time.now < timestamp('${terms.one(["2023-11-14T22:13:21Z", "2024-02-29T00:00:00Z"])}')`,
	(terms) => `req.ts.header_received.getHours(${terms.one(["", "'UTC'", "'-03:00'"])}) < 12`,
];

/** Conditions on a loop's variable that hold, don't, or fail, from one element to the next. */
const IDIOMS_OF_INTS: readonly ((terms: Terms, x: string) => string)[] = [
	(terms, x) => `12 / (${x} - ${terms.one(SMALL_INTS)}) ${terms.one(RELATIONS)} 4`,
	(terms, x) => `[3, 1, 2][${x}] ${terms.one(RELATIONS)} ${terms.one(SMALL_INTS)}`,
	(terms, x) => `${x} ${terms.one(RELATIONS)} ${number(terms)}`,
	(terms, x) => `${x} % 2 == ${terms.one(["0", "1"])}`,
	(terms, x) => `${x} + ${terms.one(NEAR_LIMITS)} > 0`,
	(terms, x) => `${x} in ${literalList(terms, SMALL_INTS)}`,
];
const IDIOMS_OF_TEXTS: readonly ((terms: Terms, x: string) => string)[] = [
	(terms, x) => `int(${x}) ${terms.one(RELATIONS)} ${terms.one(SMALL_INTS)}`,
	(terms, x) => `{'a': 1, 'x': 2}[${x}] == ${terms.one(["1", "2"])}`,
	(terms, x) => `${x} ${terms.one(RELATIONS)} ${terms.one(TEXTS)}`,
	(terms, x) => `${x} in ${terms.one(HEADERS)}`,
	(_, x) => `req.headers[${x}][0] == 'a'`,
	(terms, x) => `${x}.matches(${terms.one(PATTERNS)})`,
	(_, x) => `${x}.charAt(1) == 'b'`,
];

export const idiom = (terms: Terms, type: string): Term => {
	const ints = terms.visible("int");
	const texts = terms.visible("string");
	const choice = terms.one(["", "int", "string"]);
	if (choice === "int" && ints.length > 0) {
		return leaf(type, `(${terms.one(IDIOMS_OF_INTS)(terms, terms.one(ints))})`);
	}
	if (choice === "string" && texts.length > 0) {
		return leaf(type, `(${terms.one(IDIOMS_OF_TEXTS)(terms, terms.one(texts))})`);
	}
	return leaf(type, `(${terms.one(IDIOMS)(terms)})`);
};

export const arithmetic = (terms: Terms, type: string): Term =>
	leaf(type, terms.one([sum, edgeSum, edgeSum])(terms));

/** `a || b || c`, with brackets in various places. */
export const chained: Production = (terms, type, depth) => {
	const operators = Array.from({ length: terms.one([2, 2, 3, 4]) }, () =>
		terms.one(["&&", "||", terms.one(["&&", "||"])]),
	);
	const parts: Term[] = [type, ...operators].map(() =>
		terms.one([true, true, false]) ? idiom(terms, type) : terms.term(type, depth),
	);
	const isNegated = operators.map(() => terms.one([true, false, false]));
	return {
		type,
		parts,
		write: ([first, ...rest]) =>
			`(${first}${rest.map((each, at) => ` ${operators[at]} ${isNegated[at] ? "!" : ""}(${each})`).join("")})`,
	};
};

const INT_RANGES = [
	"[0, 1, 2, 3]",
	"[3, conn.client_port, 0]",
	"[1, 1, 2]",
	"req.headers.map(n, size(n))",
];
const TEXT_RANGES = [
	"['a', '1', 'x']",
	"req.headers",
	"req.headers['x']",
	"req.url.query_params['a']",
];

/** A loop whose condition may fail for some elements and hold for others, before or after them. */
export const searched: Production = (terms, type) => {
	const variable = terms.one(["x", "y"]);
	const isOfInts = terms.one([true, false]);
	const condition = (): Term => {
		const idioms = isOfInts ? IDIOMS_OF_INTS : IDIOMS_OF_TEXTS;
		return leaf("bool", `(${terms.one(idioms)(terms, variable)})`);
	};
	const operator = terms.one(["&&", "||"]);
	const macro = terms.one(["exists", "all", "exists_one"]);
	const range = leaf("list", terms.one(isOfInts ? INT_RANGES : TEXT_RANGES));
	return {
		type,
		parts: [range, ...terms.one([[condition()], [condition(), condition()]])],
		write: ([over, ...rest]) => `${over}.${macro}(${variable}, ${rest.join(` ${operator} `)})`,
	};
};
