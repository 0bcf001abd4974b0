/**
 * What the checker accepts runs: expressions made at random from the table of declarations never meet a
 * missing overload, and what they yield is of the type that the checker gave them. What else the compiler
 * says of them is true as well: whether they can fail, what they read, what must hold for them to be true.
 */
import { expect, test } from "vitest";
import type { Attributes } from "../../src/cel/attributes.ts";
import { attributesFrom, copyAttributes } from "../../src/cel/attributes-copy.ts";
import { isNullable, resolve, type Type } from "../../src/cel/check/types.ts";
import { type CheckedExpression, checkExpression } from "../../src/cel/compile.ts";
import { evaluateFreely } from "../../src/cel/evaluation.ts";
import { EvaluationFailure, type Guard } from "../../src/cel/expression.ts";
import { guardHolds } from "../../src/cel/guard/algebra.ts";
import { guardsOf } from "../../src/cel/guard/guard.ts";
import { assemble } from "../../src/cel/lower/assemble.ts";
import { openCode } from "../../src/cel/lower/open.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	ValueMap,
} from "../../src/cel/values/value.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { compileExpression } from "./compiled.ts";
import { Generator, TYPES } from "./generator.ts";
import { attributesOf } from "./generator-attributes.ts";
import { CALLS } from "./generator-calls.ts";
import { pick, randomFrom } from "./generator-random.ts";
import { written } from "./generator-term.ts";
import { described } from "./values.ts";

const CASES = Number(process.env.SOUNDNESS_CASES ?? 3000);
const SEED = Number(process.env.SOUNDNESS_SEED ?? 1);

function conforms(value: unknown, declared: Type): boolean {
	const type = resolve(declared);
	if (value === null && isNullable(type)) return true;
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
			return value instanceof Uint;
		case "string":
			return typeof value === "string";
		case "null_type":
			return value === null;
		case "type":
			return value instanceof TypeValue;
		case "timestamp":
			return value instanceof Timestamp;
		case "duration":
			return value instanceof Duration;
		case "optional":
			return (
				value instanceof Optional &&
				(value.value === undefined || conforms(value.value, type.element))
			);
		case "record":
			return (
				value instanceof ValueMap &&
				[...type.fields].every(([name, each]) => conforms(value.get(name), each))
			);
		case "list":
			return Array.isArray(value) && value.every((each) => conforms(each, type.element));
		case "map":
			return (
				value instanceof ValueMap &&
				value.keys().every((key) => conforms(key, type.key) && conforms(value.get(key), type.value))
			);
		default:
			return described(value) !== "no value";
	}
}

/** What the checker rules out, unless something dynamic is in the expression. */
const TYPE_FAILURE = /no matching overload|where a \w+ is needed/;
/** What may be of a kind that the checker does not know, or null; empty lists and maps are of any type. */
const DYNAMIC = /\bdyn\(|json\.decode|flatten|\[\]|\{\}|optional\.none|'%|: null\)/;

interface Subject {
	readonly source: string;
	readonly checked: CheckedExpression;
	readonly exchanges: readonly Attributes[];
}

/** Expressions that the checker accepts, with exchanges to evaluate them over. */
function* subjects(types: readonly string[]): Iterable<Subject> {
	for (let index = 0; index < CASES; index++) {
		const random = randomFrom(SEED * 1_000_033 + index);
		const term = new Generator(random).term(pick(random, types), 1 + (index % 4));
		const source = written(term, "weir");
		const checked = checkExpression(source, "outbound", () => undefined);
		if (!checked.ok) continue;
		const exchanges = [attributesOf(random), attributesOf(random)];
		yield { source, checked: checked.value, exchanges };
	}
}
const isFailure = (value: unknown): value is EvaluationFailure =>
	value instanceof EvaluationFailure;

test("what is accepted runs, yields what the checker says, and fails only where it is said to", () => {
	const wrong: string[] = [];
	let yielded = 0;
	for (const { source, checked, exchanges } of subjects(TYPES)) {
		const { scope, expr, type } = checked;
		const { code, fails } = assemble(scope, expr, "value", false);
		const run = openCode(code);
		for (const attributes of exchanges) {
			const value = evaluateFreely(run, attributes);
			if (!isFailure(value)) {
				yielded++;
				if (!conforms(value, type)) wrong.push(`${source} is ${described(value)}`);
			} else if (!fails) wrong.push(`${source} fails: ${value.message}`);
			else if (TYPE_FAILURE.test(value.message) && !DYNAMIC.test(source)) {
				wrong.push(`${source}: ${value.message}`);
			}
		}
	}
	expect(wrong).toEqual([]);
	expect(yielded).toBeGreaterThan(CASES / 2);
});

test("a copy of what an expression says it reads is enough to evaluate it", () => {
	const wrong: string[] = [];
	for (const { source, checked, exchanges } of subjects(TYPES)) {
		const { code } = assemble(checked.scope, checked.expr, "value", false);
		const { reads } = code.shape;
		const run = openCode(code);
		for (const attributes of exchanges) {
			const copied = attributesFrom(structuredClone(copyAttributes(attributes, reads)));
			const [here, there] = [attributes, copied].map((each) => outcome(evaluateFreely(run, each)));
			if (here !== there) wrong.push(`${source}: ${here}, of the copy ${there}`);
		}
	}
	expect(wrong).toEqual([]);
});

const outcome = (value: unknown): string => (isFailure(value) ? value.message : described(value));

const attributeOf = (attributes: Attributes, { attribute }: Guard): string =>
	attribute === "path" ? attributes.url.path : attributes[attribute];

/** Conditions on what guards look at, as people write them. */
const GUARDED = [
	"req.method == 'GET'",
	"req.method in ['GET', 'PATCH']",
	"req.method != 'GET'",
	"req.url.path == '/'",
	"req.url.path.startsWith('/v0')",
	"req.url.path.startsWith('/a') || req.url.path == '/'",
	"req.host == 'example.com'",
	"!(req.host == 'example.com')",
];

test("where a guard does not hold, the predicate is false", () => {
	const wrong: string[] = [];
	let excluded = 0;
	for (const { source, exchanges } of subjects(["bool"])) {
		const random = randomFrom(source.length);
		const [left, right] = [pick(random, GUARDED), pick(random, GUARDED)];
		const whole = pick(random, [
			`(${source}) && (${left})`,
			`(${left}) && (${source})`,
			`(${left}) && (${source}) || (${right})`,
			`(${left}) ? (${source}) : (${right})`,
			`(${left}) || (${right}) && (${source})`,
		]);
		const checked = checkExpression(whole, "outbound", () => undefined);
		if (!checked.ok) continue;
		const { scope, expr } = checked.value;
		const guards = guardsOf(expr);
		const run = openCode(assemble(scope, expr, "bool", false).code);
		for (const attributes of exchanges) {
			const held = guards.every((guard) => guardHolds(guard, attributeOf(attributes, guard)));
			if (held) continue;
			excluded++;
			const value = evaluateFreely(run, attributes);
			if (value !== false) wrong.push(`${whole} is ${outcome(value)} in spite of its guard`);
		}
	}
	expect(wrong).toEqual([]);
	expect(excluded).toBeGreaterThan(CASES / 20);
});

test("every declared overload has an implementation that takes its types", () => {
	const missing = CALLS.flatMap(({ parameters, write, signature }) =>
		[1, 2, 3].flatMap((seed) => {
			const generator = new Generator(randomFrom(seed));
			const args = parameters.map((type) => written(generator.term(type, 0), "weir"));
			const source = write(args, "weir");
			const compiled = compileExpression(source, "outbound", () => undefined);
			if (!compiled.ok) {
				const serious = compiled.error.filter(({ code }) => !code.startsWith("invalid_"));
				return serious.map(({ message }) => `${source}: ${message}`);
			}
			const value = compiled.value.evaluate(ATTRIBUTES);
			const failed = isFailure(value) && TYPE_FAILURE.test(value.message);
			return failed && !DYNAMIC.test(source) ? [`${source} (${signature}): ${value.message}`] : [];
		}),
	);
	expect(missing).toEqual([]);
});

test.each([
	"dyn(['a']).first().orValue(1) < 2",
	"dyn(['a', 'b']).slice(0, 1)[0] ? true : false",
	"optional.unwrap(dyn([optional.of('x')]))[0] + 1 == 2",
	"[dyn(['a']), [2]][0].first().orValue(1) < 2",
	"([1] + dyn(['a']))[1] < 2",
	"(req.method == 'x' ? {dyn('a'): 1} : {'b': dyn('x')})['b'] < 2",
])("what comes of a dyn is of no type until it is there: %s", (source) => {
	const compiled = compileExpression(source, "outbound", () => undefined);
	if (!compiled.ok) throw new Error(compiled.error.map(({ message }) => message).join("; "));
	expect(compiled.value.evaluate(ATTRIBUTES)).toBeInstanceOf(EvaluationFailure);
});
