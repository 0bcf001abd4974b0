/**
 * Macros and syntax of generated expressions: loops with one and two variables, values by name, fields,
 * optionals. Each production makes a term of a type, or nothing if it can't.
 */
import { FIELDS } from "./generator-literals.ts";
import type { Term } from "./generator-term.ts";

/** A variable of a macro, in scope. */
export interface Local {
	readonly name: string;
	readonly type: string;
}

/** What productions need of the generator. */
export interface Terms {
	term(type: string, depth: number): Term;
	one<T>(choices: readonly T[]): T;
	/** variables of macros in scope */
	visible(type: string): readonly string[];
	/** @param inner made with the variables in scope */
	within(locals: readonly Local[], inner: () => Term): Term;
}

export type Production = (terms: Terms, type: string, depth: number) => Term | undefined;

/** What macros range over and bind, and what `dyn` may be. */
export const SIMPLE_TYPES: readonly string[] = [
	"int",
	"string",
	"bool",
	"double",
	"uint",
	"bytes",
	"timestamp",
	"duration",
];
const KEY_TYPES = ["string", "int", "bool", "uint"];
const SORTABLE_TYPES = [...SIMPLE_TYPES, "dyn"];
const ELEMENT_TYPES = ["int", "string", "double", "dyn", "list<string>", "map<string, int>"];

/** `req` hides the variables below it. */
const LOCAL_NAMES = ["x", "y", "z", "req", "size"];

export const kindOf = (type: string): string => /^\w+/.exec(type)?.[0] ?? type;

const elementOf = (type: string): string => /^\w+<(.*)>$/.exec(type)?.[1] ?? "int";

const keyAndValueOf = (type: string): readonly [string, string] => {
	const [, key = "string", value = "int"] = /^map<(\w+), (.*)>$/.exec(type) ?? [];
	return [key, value];
};

interface Range {
	readonly term: Term;
	readonly locals: readonly [Local] | readonly [Local, Local];
}

/** Something to loop over, with one variable or two. */
function rangeOf(terms: Terms, depth: number, count: 1 | 2): Range {
	const first = terms.one(LOCAL_NAMES);
	const second = terms.one(LOCAL_NAMES.filter((name) => name !== first));
	if (terms.one([true, true, false])) {
		const element = terms.one(ELEMENT_TYPES);
		const term = terms.term(`list<${element}>`, depth);
		return count === 1
			? { term, locals: [{ name: first, type: element }] }
			: {
					term,
					locals: [
						{ name: first, type: "int" },
						{ name: second, type: element },
					],
				};
	}
	const key = terms.one(KEY_TYPES);
	const value = terms.one(["int", "string", "list<string>"]);
	const term = terms.term(`map<${key}, ${value}>`, depth);
	return count === 1
		? { term, locals: [{ name: first, type: key }] }
		: {
				term,
				locals: [
					{ name: first, type: key },
					{ name: second, type: value },
				],
			};
}

function loop(
	terms: Terms,
	type: string,
	macro: string,
	range: Range,
	bodies: readonly string[],
	depth: number,
): Term {
	const names = range.locals.map(({ name }) => name).join(", ");
	return {
		type,
		parts: [
			range.term,
			...bodies.map((each) => terms.within(range.locals, () => terms.term(each, depth))),
		],
		write: ([over, ...rest]) => `(${over}).${macro}(${names}, ${rest.join(", ")})`,
	};
}

export const quantified: Production = (terms, type, depth) => {
	const range = rangeOf(terms, depth, terms.one([1, 2]));
	const macro = terms.one([
		"all",
		"exists",
		range.locals.length === 2 ? "existsOne" : "exists_one",
	]);
	return loop(terms, type, macro, range, ["bool"], depth);
};

const mapped: Production = (terms, type, depth) => {
	const body = elementOf(type);
	const condition = terms.one([[], ["bool"]]);
	const count = terms.one([1, 2] as const);
	const macro = count === 1 ? "map" : "transformList";
	return loop(terms, type, macro, rangeOf(terms, depth, count), [...condition, body], depth);
};

const filtered: Production = (terms, type, depth) => {
	const local = { name: terms.one(LOCAL_NAMES), type: elementOf(type) };
	const range = { term: terms.term(type, depth), locals: [local] as const };
	return loop(terms, type, "filter", range, ["bool"], depth);
};

const sortedBy: Production = (terms, type, depth) => {
	const local = { name: terms.one(LOCAL_NAMES), type: elementOf(type) };
	const range = { term: terms.term(type, depth), locals: [local] as const };
	return loop(terms, type, "sortBy", range, [terms.one(SORTABLE_TYPES)], depth);
};

/** A map of the keys of another, or of a list's indices. */
const transformed: Production = (terms, type, depth) => {
	const [key, value] = keyAndValueOf(type);
	const element = terms.one(ELEMENT_TYPES);
	const over =
		key === "int" ? terms.one([`list<${element}>`, `map<int, ${element}>`]) : `map<${key}, int>`;
	const [first, second] = ["k", terms.one(LOCAL_NAMES)];
	const range: Range = {
		term: terms.term(over, depth),
		locals: [
			{ name: first, type: key },
			{ name: second, type: over.startsWith("map<string") || key !== "int" ? "int" : element },
		],
	};
	return loop(terms, type, "transformMap", range, [...terms.one([[], ["bool"]]), value], depth);
};

const transformedEntries: Production = (terms, type, depth) =>
	loop(
		terms,
		type,
		"transformMapEntry",
		rangeOf(terms, depth, 2),
		[...terms.one([[], ["bool"]]), type],
		depth,
	);

const bound: Production = (terms, type, depth) => {
	const local = {
		name: terms.one(LOCAL_NAMES),
		type: terms.one([...SIMPLE_TYPES, ...ELEMENT_TYPES, type]),
	};
	return {
		type,
		parts: [terms.term(local.type, depth), terms.within([local], () => terms.term(type, depth))],
		write: ([value, body]) => `cel.bind(${local.name}, ${value}, ${body})`,
	};
};

const field: Production = (terms, type, depth) => {
	const name = terms.one(FIELDS);
	return {
		type,
		parts: [terms.term(`map<string, ${type}>`, depth)],
		write: ([map]) => `(${map}).${name}`,
	};
};

const has: Production = (terms, type, depth) => {
	const name = terms.one(FIELDS);
	const over = terms.one(["map<string, int>", "map<string, list<string>>", "dyn"]);
	return { type, parts: [terms.term(over, depth)], write: ([map]) => `has((${map}).${name})` };
};

const cookieField: Production = (terms, type, depth) => {
	const [record, name] = terms.one<readonly [string, string]>([
		["cookie", "name"],
		["cookie", "value"],
		["set_cookie", "path"],
		["set_cookie", "same_site"],
	]);
	return { type, parts: [terms.term(record, depth)], write: ([cookie]) => `(${cookie}).${name}` };
};

const optionalIndex: Production = (terms, type, depth) => {
	const value = elementOf(type);
	const [over, key] = terms.one<readonly [string, string]>([
		[`list<${value}>`, "int"],
		[`map<string, ${value}>`, "string"],
		[`map<int, ${value}>`, "int"],
		[`optional<list<${value}>>`, "int"],
	]);
	return {
		type,
		parts: [terms.term(over, depth), terms.term(key, depth)],
		write: ([container, index], dialect) =>
			dialect === "weir" ? `(${container})[?${index}]` : `__optionalIndex(${container}, ${index})`,
	};
};

const optionalField: Production = (terms, type, depth) => {
	const name = terms.one(FIELDS);
	const over = terms.one([
		`map<string, ${elementOf(type)}>`,
		`optional<map<string, ${elementOf(type)}>>`,
	]);
	return {
		type,
		parts: [terms.term(over, depth)],
		write: ([map], dialect) =>
			dialect === "weir" ? `(${map}).?${name}` : `__optionalSelect(${map}, '${name}')`,
	};
};

const optionalMap: Production = (terms, type, depth) => {
	const local = { name: terms.one(LOCAL_NAMES), type: terms.one(SIMPLE_TYPES) };
	const range = { term: terms.term(`optional<${local.type}>`, depth), locals: [local] as const };
	const [macro, body] = terms.one<readonly [string, string]>([
		["optMap", elementOf(type)],
		["optFlatMap", type],
	]);
	return loop(terms, type, macro, range, [body], depth);
};

/** To the checker these types take null. */
const nullable: Production = (terms, type, depth) => ({
	type,
	parts: [terms.term("bool", depth), terms.term(type, depth)],
	write: ([condition, value]) => `((${condition}) ? (${value}) : null)`,
});

const extreme: Production = (terms, type, depth) => {
	const macro = terms.one(["math.greatest", "math.least"]);
	const operands = terms.one([[`list<${type}>`], [type], [type, type], [type, type, type]]);
	return {
		type,
		parts: operands.map((each) => terms.term(each, depth)),
		write: (texts) => `${macro}(${texts.join(", ")})`,
	};
};

/** For every type. */
export const ANY_TYPE: readonly Production[] = [bound, bound, bound, field];

/** By the first word of the type's name. */
export const PRODUCTIONS_BY_KIND: Readonly<Record<string, readonly Production[]>> = {
	bool: [...ANY_TYPE, quantified, quantified, quantified, has],
	list: [...ANY_TYPE, mapped, mapped, filtered, sortedBy],
	map: [...ANY_TYPE, transformed, transformedEntries],
	timestamp: [...ANY_TYPE, nullable],
	duration: [...ANY_TYPE, nullable],
	cookie: [...ANY_TYPE, nullable],
	optional: [...ANY_TYPE, nullable, optionalIndex, optionalField, optionalMap],
	int: [...ANY_TYPE, extreme],
	uint: [...ANY_TYPE, extreme],
	double: [...ANY_TYPE, extreme],
	string: [...ANY_TYPE, cookieField],
};
