/**
 * Every function and operator that an expression may call, with all its signatures (contract 4,
 * "Functions"; CEL specification, "Standard Definitions"). The checker resolves calls against this
 * table; `environment.ts` gives each its implementation, and a test holds the two together.
 */
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
	"_[_]": ["(list<A>, int) -> A", "(map<A, B>, A) -> B"],
	"@in": ["(A, list<A>) -> bool", "(A, map<A, B>) -> bool"],
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
	// strings extension
	"string.charAt(int) -> string",
	"string.format(list<A>) -> string",
	"string.indexOf(string) -> int",
	"string.indexOf(string, int) -> int",
	"list<string>.join() -> string",
	"list<string>.join(string) -> string",
	"string.lastIndexOf(string) -> int",
	"string.lastIndexOf(string, int) -> int",
	"string.lowerAscii() -> string",
	"string.replace(string, string) -> string",
	"string.replace(string, string, int) -> string",
	"string.reverse() -> string",
	"string.split(string) -> list<string>",
	"string.split(string, int) -> list<string>",
	"string.substring(int) -> string",
	"string.substring(int, int) -> string",
	"string.trim() -> string",
	"string.upperAscii() -> string",
	"strings.quote(string) -> string",
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
		add(qualified(signature) ?? /(\w+)\(/.exec(signature)?.[1] ?? "", signature);
	}
	return table;
}

/** The whole name of a function in a namespace, e.g. `rand.int`; undefined for methods. */
function qualified(signature: string): string | undefined {
	const match = /^(?:strings|rand|base64|hash|json)\.\w+/.exec(signature);
	return match?.[0];
}

/** Names that people may call as `name(…)` or `value.name(…)`; operators have names of their own kind. */
export const FUNCTION_NAMES: readonly string[] = [...DECLARATIONS.keys()].filter((name) =>
	/^[a-zA-Z]/.test(name),
);
