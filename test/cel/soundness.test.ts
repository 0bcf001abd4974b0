/**
 * What the checker accepts runs: expressions made at random from the table of declarations never meet a
 * missing overload, and what they yield is of the type that the checker gave them.
 */
import { isCelList, isCelMap, isCelType, isCelUint } from "@bufbuild/cel";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../../src/cel/compile.ts";
import { DECLARATIONS } from "../../src/cel/declarations.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import type { Overload } from "../../src/cel/signatures.ts";
import { resolve, type Type, typeName } from "../../src/cel/types.ts";
import { VARIABLES } from "../../src/cel/variables.ts";
import { ATTRIBUTES } from "./attributes.ts";

const LITERALS: Readonly<Record<string, readonly string[]>> = {
	bool: ["true", "false"],
	bytes: ["b''", "b'ab\\xff'"],
	double: ["0.0", "-1.5", "1e300", "3.0"],
	duration: ["duration('90s')", "duration('-1.5h')"],
	int: ["0", "1", "-3", "9223372036854775807", "7"],
	string: ["''", "'abc'", "'😀b'", "'10'", "'10.0.0.0/8'", "'%s,%d'", "'UTC'"],
	timestamp: ["timestamp(0)", "timestamp('2024-02-29T12:30:00.5Z')"],
	type: ["int", "type('a')"],
	uint: ["0u", "5u"],
	null: ["null"],
	dyn: ["dyn(1)", "dyn('a')", "dyn([1])", "dyn({'a': 1})"],
};

/** What a type parameter stands for in a generated call. */
const PARAMETER_TYPES = ["int", "string", "bool", "list<int>", "dyn"];

interface Call {
	readonly result: string;
	readonly parameters: readonly string[];
	readonly write: (args: readonly string[]) => string;
}

const OPERATOR = /^_(\W+)_$/;

function writer(name: string, { isMethod }: Overload): Call["write"] {
	const operator = OPERATOR.exec(name)?.[1];
	if (name === "_?_:_") return ([a, b, c]) => `((${a}) ? (${b}) : (${c}))`;
	if (name === "_[_]") return ([a, b]) => `(${a})[${b}]`;
	if (name === "@in") return ([a, b]) => `((${a}) in (${b}))`;
	if (name === "!_" || name === "-_") return ([a]) => `${name[0]}(${a})`;
	if (operator !== undefined) return ([a, b]) => `((${a}) ${operator} (${b}))`;
	if (isMethod) return ([target, ...rest]) => `(${target}).${name}(${rest.join(", ")})`;
	return (args) => `${name}(${args.join(", ")})`;
}

/** Each overload, once for each type that its parameters may stand for. */
const CALLS: readonly Call[] = [...DECLARATIONS]
	.filter(([name]) => !name.startsWith("@") || name === "@in")
	.flatMap(([name, overloads]) =>
		overloads.flatMap((overload) =>
			PARAMETER_TYPES.map((stand) => ({
				result: nameWith(overload.result, stand),
				parameters: overload.parameters.map((type) => nameWith(type, stand)),
				write: writer(name, overload),
			})),
		),
	)
	// what may not be a key
	.filter(({ parameters }) => !parameters.some((type) => /^map<(list|dyn)/.test(type)));

function nameWith(type: Type, stand: string): string {
	const known = resolve(type);
	if (known.kind === "variable") return stand;
	if (known.kind === "list") return `list<${nameWith(known.element, stand)}>`;
	if (known.kind === "map")
		return `map<${nameWith(known.key, stand)}, ${nameWith(known.value, stand)}>`;
	return typeName(known);
}

/** Evenly spread numbers in [0, 1): what fast-check draws is drawn to the ends. */
function randomFrom(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

const pick = (random: () => number, choices: readonly string[]): string =>
	choices[Math.floor(random() * choices.length)] ?? "null";

/** An expression of the type, from a source of numbers in [0, 1). */
function expressionOf(type: string, depth: number, random: () => number): string {
	const variables = [...VARIABLES.values()].filter((each) => typeName(each.type) === type);
	const calls = depth > 0 ? CALLS.filter(({ result }) => result === type) : [];
	if (calls.length > 0 && random() < 0.7) {
		const call = calls[Math.floor(random() * calls.length)];
		if (call !== undefined) {
			return call.write(call.parameters.map((each) => expressionOf(each, depth - 1, random)));
		}
	}
	if (depth > 0 && random() < 0.3) {
		const macro = macroOf(type, depth - 1, random);
		if (macro !== undefined) return macro;
	}
	if (variables.length > 0 && random() < 0.5)
		return pick(
			random,
			variables.map(({ name }) => name),
		);
	return leafOf(type, depth, random);
}

function leafOf(type: string, depth: number, random: () => number): string {
	const element = /^list<(.*)>$/.exec(type)?.[1];
	if (element !== undefined) {
		const elements = [0, 1].map(() => expressionOf(element, Math.min(depth, 1) - 1, random));
		const list = `[${elements.join(", ")}]`;
		// a bare [] could be a list of anything, and what is made of its elements too
		return random() < 0.2 ? `${list}.filter(e, false)` : list;
	}
	const [, key, value] = /^map<(\w+), (.*)>$/.exec(type) ?? [];
	if (key !== undefined && value !== undefined) {
		return `{${pick(random, LITERALS[key] ?? ["1"])}: ${expressionOf(value, depth - 1, random)}}`;
	}
	if (type === "cookie") return "getReqCookie('theme')";
	if (type === "set_cookie") return "getResCookie('id')";
	return pick(random, LITERALS[type] ?? ["null"]);
}

function macroOf(type: string, depth: number, random: () => number): string | undefined {
	const list = expressionOf("list<int>", depth, random);
	const body = (each: string): string => expressionOf(each, depth, random);
	if (type === "bool") {
		return `(${list}).${pick(random, ["all", "exists", "exists_one"])}(x, x > ${body("int")} || ${body("bool")})`;
	}
	if (type === "list<int>") return `(${list}).filter(x, ${body("bool")})`;
	const element = /^list<(.*)>$/.exec(type)?.[1];
	return element === undefined ? undefined : `(${list}).map(x, ${body(element)})`;
}

function conforms(value: unknown, declared: Type): boolean {
	const type = resolve(declared);
	switch (type.kind) {
		case "bool":
			return typeof value === "boolean";
		case "bytes":
			return value instanceof Uint8Array;
		case "double":
			return typeof value === "number";
		case "int":
			return typeof value === "bigint";
		case "uint":
			return isCelUint(value);
		case "string":
			return typeof value === "string";
		case "null_type":
			return value === null;
		case "type":
			return isCelType(value);
		case "timestamp":
		case "duration":
			return isReflectMessage(value) && value.desc.name.toLowerCase() === type.kind;
		case "record":
			return (
				isCelMap(value) && [...type.fields].every(([name, each]) => conforms(value.get(name), each))
			);
		case "list":
			return isCelList(value) && [...value].every((each) => conforms(each, type.element));
		case "map":
			return (
				isCelMap(value) &&
				[...value].every(([key, each]) => conforms(key, type.key) && conforms(each, type.value))
			);
		default:
			return true;
	}
}

/** What the checker rules out, unless something dynamic is in the expression. */
const TYPE_FAILURE =
	/no matching overload|unbound function|unresolved|type mismatch|unsupported|a constant is missing/;

const TYPES = [...new Set(CALLS.map(({ result }) => result)), "map<string, int>"];

test("property: what is accepted runs, and yields what the checker says", () => {
	const used = new Map<string, number>();
	fc.assert(
		fc.property(fc.constantFrom(...TYPES), fc.nat(), (type, seed) => {
			const source = expressionOf(type, 3, randomFrom(seed));
			const compiled = compileExpression(source, "outbound", () => undefined);
			if (!compiled.ok) {
				// literals are judged when written: patterns, ranges; nothing else may be wrong here
				const codes = compiled.error.map(({ code, message }) => `${code} ${message} in ${source}`);
				expect(codes.filter((each) => !/^invalid_(argument|pattern)/.test(each))).toEqual([]);
				return;
			}
			const value = compiled.value.evaluate(ATTRIBUTES);
			const kind = value instanceof EvaluationFailure ? "failed" : "yielded";
			used.set(kind, (used.get(kind) ?? 0) + 1);
			if (value instanceof EvaluationFailure) {
				if (!source.includes("dyn(")) expect(value.message, source).not.toMatch(TYPE_FAILURE);
			} else {
				expect(conforms(value, compiled.value.type), source).toBe(true);
			}
		}),
		{ numRuns: 3000 },
	);
	expect(used.get("yielded")).toBeGreaterThan(1000);
});

test("every declared overload has an implementation that takes its types", () => {
	const missing = CALLS.flatMap(({ parameters, write, result }) => {
		const source = write(parameters.map((type) => leafOf(type, 0, () => 0.5)));
		const compiled = compileExpression(source, "outbound", () => undefined);
		if (!compiled.ok) {
			const serious = compiled.error.filter(({ code }) => !code.startsWith("invalid_"));
			return serious.map(({ message }) => `${source}: ${message}`);
		}
		const value = compiled.value.evaluate(ATTRIBUTES);
		const failed = value instanceof EvaluationFailure && TYPE_FAILURE.test(value.message);
		return failed && !source.includes("dyn(") ? [`${source} (${result}): ${value.message}`] : [];
	});
	expect(missing).toEqual([]);
});
