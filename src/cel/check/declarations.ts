/**
 * Every function and operator that an expression may call, with all its signatures (contract 4,
 * "Functions"; CEL specification, "Standard Definitions"). The checker resolves calls against this
 * table; `library/` has an implementation for each, and a test holds the two together.
 */
import { EXTENSIONS } from "./extensions.ts";
import { type Overload, readSignature } from "./signatures.ts";
import { RECORDS } from "./variables.ts";

/** `a < b` and its like: same kinds, and numbers of any two kinds. */
const ORDERED = [
	"(bool, bool)",
	"(string, string)",
	"(bytes, bytes)",
	"(timestamp, timestamp)",
	"(duration, duration)",
	...["int", "uint", "double"].flatMap((left) =>
		["int", "uint", "double"].map((right) => `(${left}, ${right})`),
	),
].map((parameters) => `${parameters} -> bool`);

const NUMBERS = ["(int, int) -> int", "(uint, uint) -> uint", "(double, double) -> double"];

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
	"!_": ["(bool) -> bool"],
	"-_": ["(int) -> int", "(double) -> double"],
	"@not_strictly_false": ["(bool) -> bool"],
	"_&&_": ["(bool, bool) -> bool"],
	"_||_": ["(bool, bool) -> bool"],
	"_?_:_": ["(bool, A, A) -> A"],
	"_==_": ["(A, A) -> bool"],
	"_!=_": ["(A, A) -> bool"],
	"_<_": ORDERED,
	"_<=_": ORDERED,
	"_>_": ORDERED,
	"_>=_": ORDERED,
	"_+_": [
		...NUMBERS,
		"(string, string) -> string",
		"(bytes, bytes) -> bytes",
		"(list<A>, list<A>) -> list<A>",
		"(duration, duration) -> duration",
		"(duration, timestamp) -> timestamp",
		"(timestamp, duration) -> timestamp",
	],
	"_-_": [
		...NUMBERS,
		"(duration, duration) -> duration",
		"(timestamp, duration) -> timestamp",
		"(timestamp, timestamp) -> duration",
	],
	"_*_": NUMBERS,
	"_/_": NUMBERS,
	"_%_": ["(int, int) -> int", "(uint, uint) -> uint"],
	"_[_]": [
		"(list<A>, int) -> A",
		"(map<A, B>, A) -> B",
		"(optional<list<A>>, int) -> optional<A>",
		"(optional<map<A, B>>, A) -> optional<B>",
	],
	"_[?_]": [
		"(list<A>, int) -> optional<A>",
		"(map<A, B>, A) -> optional<B>",
		"(optional<list<A>>, int) -> optional<A>",
		"(optional<map<A, B>>, A) -> optional<B>",
	],
	"@in": ["(A, list<A>) -> bool", "(A, map<A, B>) -> bool"],
	// what the checker makes of getReqCookie and getResCookie
	"@firstCookie": ["(list<cookie>) -> cookie"],
	"@firstSetCookie": ["(list<set_cookie>) -> set_cookie"],
};

const CONVERSIONS: Readonly<Record<string, readonly string[]>> = {
	bool: ["bool", "string"],
	bytes: ["bytes", "string"],
	double: ["double", "int", "uint", "string"],
	duration: ["duration", "string"],
	dyn: ["A"],
	int: ["int", "uint", "double", "string", "timestamp", "duration"],
	string: ["string", "bool", "int", "uint", "double", "bytes", "timestamp", "duration"],
	timestamp: ["timestamp", "string", "int"],
	type: ["A"],
	uint: ["uint", "int", "double", "string"],
};

const FUNCTIONS: readonly string[] = [
	...["string", "bytes", "list<A>", "map<A, B>"].flatMap((type) => [
		`size(${type}) -> int`,
		`${type}.size() -> int`,
	]),
	"string.contains(string) -> bool",
	"string.endsWith(string) -> bool",
	"string.startsWith(string) -> bool",
	"string.matches(string) -> bool",
	"matches(string, string) -> bool",
	...[
		"getFullYear",
		"getMonth",
		"getDate",
		"getDayOfMonth",
		"getDayOfWeek",
		"getDayOfYear",
		"getHours",
		"getMinutes",
		"getSeconds",
		"getMilliseconds",
	].flatMap((name) => [`timestamp.${name}() -> int`, `timestamp.${name}(string) -> int`]),
	...["getHours", "getMinutes", "getSeconds", "getMilliseconds"].map(
		(name) => `duration.${name}() -> int`,
	),
	// the request and the response (contract 4)
	"getReqHeader(string) -> list<string>",
	"hasReqHeader(string) -> bool",
	"getReqCookie(string) -> cookie",
	"hasReqCookie(string) -> bool",
	"getQueryParam(string) -> list<string>",
	"hasQueryParam(string) -> bool",
	"getResHeader(string) -> list<string>",
	"hasResHeader(string) -> bool",
	"getResCookie(string) -> set_cookie",
	"hasResCookie(string) -> bool",
	// addresses, chance and encodings (contract 4)
	"inCidrRange(string, string) -> bool",
	"inCidrRanges(string, list<string>) -> bool",
	"rand.double() -> double",
	"rand.int(int, int) -> int",
	"base64.encode(bytes) -> string",
	"base64.encode(string) -> string",
	"base64.decode(string) -> bytes",
	"hash.sha256(string) -> string",
	"hash.sha256(bytes) -> string",
	"json.decode(string) -> dyn",
	...EXTENSIONS,
];

export const DECLARATIONS: ReadonlyMap<string, readonly Overload[]> = declare();

function declare(): ReadonlyMap<string, readonly Overload[]> {
	const table = new Map<string, Overload[]>();
	const add = (name: string, signature: string): void => {
		const overloads = table.get(name) ?? [];
		overloads.push(readSignature(name, signature, RECORDS));
		table.set(name, overloads);
	};
	for (const [name, signatures] of Object.entries(OPERATORS)) {
		for (const signature of signatures) add(name, name + signature);
	}
	for (const [name, types] of Object.entries(CONVERSIONS)) {
		for (const type of types) add(name, `${name}(${type}) -> ${name}`);
	}
	for (const signature of FUNCTIONS) {
		add(qualified(signature) ?? /(@?\w+)\(/.exec(signature)?.[1] ?? "", signature);
	}
	return table;
}

/** The whole name of a function in a namespace, e.g. `rand.int`; undefined for methods. */
function qualified(signature: string): string | undefined {
	const pattern = /^(?:base64|cel|hash|json|lists|math|optional|rand|sets|strings)\.@?\w+/;
	return pattern.exec(signature)?.[0];
}

type ByShape = readonly (readonly Overload[] | undefined)[];

/** Of each function, its overloads by `shapeOf`. */
const SHAPES: ReadonlyMap<string, ByShape> = new Map(
	[...DECLARATIONS].map(([name, overloads]) => {
		const shapes: Overload[][] = [];
		for (const overload of overloads) {
			const shape = shapeOf(overload.isMethod, overload.parameters.length);
			shapes[shape] = [...(shapes[shape] ?? []), overload];
		}
		return [name, shapes];
	}),
);

function shapeOf(isMethod: boolean, operands: number): number {
	return 2 * operands + (isMethod ? 1 : 0);
}

const NO_OVERLOADS: readonly Overload[] = [];

/** @param operands how many, the receiver of a method included */
export const overloadsFor = (
	name: string,
	isMethod: boolean,
	operands: number,
): readonly Overload[] => SHAPES.get(name)?.[shapeOf(isMethod, operands)] ?? NO_OVERLOADS;

/** Names that people may call as `name(…)` or `value.name(…)`; operators have names of their own kind. */
export const FUNCTION_NAMES: readonly string[] = [...DECLARATIONS.keys()].filter((name) =>
	/^[a-zA-Z][\w.]*$/.test(name),
);
