/**
 * Signatures of the functions that the CEL specification's extensions add to the standard definitions
 * (contract 4, "Functions"): strings, math, lists, sets, optional types, and what the macros of
 * `macros.ts` call. Part of the table of `declarations.ts`.
 */

const STRINGS: readonly string[] = [
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
];

const NUMBERS = ["int", "uint", "double"];

/** `math.greatest` and `math.least` by the names that their macros give them, for one, two or a list. */
const EXTREMES: readonly string[] = ["math.@max", "math.@min"].flatMap((name) => [
	...NUMBERS.map((type) => `${name}(${type}) -> ${type}`),
	...NUMBERS.flatMap((left) =>
		NUMBERS.map((right) => `${name}(${left}, ${right}) -> ${left === right ? left : "dyn"}`),
	),
	...NUMBERS.map((type) => `${name}(list<${type}>) -> ${type}`),
]);

const MATH: readonly string[] = [
	...EXTREMES,
	...["ceil", "floor", "round", "trunc"].map((name) => `math.${name}(double) -> double`),
	...["isNaN", "isInf", "isFinite"].map((name) => `math.${name}(double) -> bool`),
	...["abs", "sign"].flatMap((name) => NUMBERS.map((type) => `math.${name}(${type}) -> ${type}`)),
	...NUMBERS.map((type) => `math.sqrt(${type}) -> double`),
	...["bitAnd", "bitOr", "bitXor"].flatMap((name) => [
		`math.${name}(int, int) -> int`,
		`math.${name}(uint, uint) -> uint`,
	]),
	"math.bitNot(int) -> int",
	"math.bitNot(uint) -> uint",
	...["bitShiftLeft", "bitShiftRight"].flatMap((name) => [
		`math.${name}(int, int) -> int`,
		`math.${name}(uint, int) -> uint`,
	]),
];

/** Types whose values have an order, so that lists of them can be sorted. */
const ORDERED = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

const LISTS: readonly string[] = [
	"list<A>.distinct() -> list<A>",
	"list<A>.first() -> optional<A>",
	"list<list<A>>.flatten() -> list<A>",
	"list<dyn>.flatten(int) -> list<dyn>",
	"list<A>.last() -> optional<A>",
	"list<A>.reverse() -> list<A>",
	"list<A>.slice(int, int) -> list<A>",
	...ORDERED.map((type) => `list<${type}>.sort() -> list<${type}>`),
	...ORDERED.map((type) => `list<A>.@sortByAssociatedKeys(list<${type}>) -> list<A>`),
	"lists.range(int) -> list<int>",
	"sets.contains(list<A>, list<A>) -> bool",
	"sets.equivalent(list<A>, list<A>) -> bool",
	"sets.intersects(list<A>, list<A>) -> bool",
];

const OPTIONALS: readonly string[] = [
	"optional.none() -> optional<A>",
	"optional.of(A) -> optional<A>",
	"optional.ofNonZeroValue(A) -> optional<A>",
	"optional.unwrap(list<optional<A>>) -> list<A>",
	"list<optional<A>>.unwrapOpt() -> list<A>",
	"optional<A>.hasValue() -> bool",
	"optional<A>.or(optional<A>) -> optional<A>",
	"optional<A>.orValue(A) -> A",
	"optional<A>.value() -> A",
];

/** What `transformMap` and `transformMapEntry` add their entries with. */
const INSERTIONS: readonly string[] = [
	"cel.@mapInsert(map<A, B>, A, B) -> map<A, B>",
	"cel.@mapInsert(map<A, B>, map<A, B>) -> map<A, B>",
];

export const EXTENSIONS: readonly string[] = [
	...STRINGS,
	...MATH,
	...LISTS,
	...OPTIONALS,
	...INSERTIONS,
];
