/**
 * The largest and smallest of numbers: what the macros `math.greatest` and `math.least` become, for one number, two,
 * or a list of them. Joined by `math.ts`.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { noFunction } from "../values/no-overload.ts";
import { compareNumbers } from "../values/order.ts";
import { Uint, type Value } from "../values/value.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

const NUMBERS = ["int", "uint", "double"];
/** Nanoseconds to compare with one more number. */
const COMPARISON_NS = 30;

function numberOf(value: Value, name: string): number | bigint {
	if (typeof value === "number" || typeof value === "bigint") return value;
	if (value instanceof Uint) return value.value;
	throw noFunction(name, [value]);
}

/** Of equal ones the first. */
function further(name: string, sign: 1 | -1, a: Value, b: Value): Value {
	const order = compareNumbers(numberOf(b, name), numberOf(a, name));
	if (Number.isNaN(order)) throw new EvaluationFailure(`${name}: NaN is neither more nor less`);
	return order === sign ? b : a;
}

function furthest(name: string, sign: 1 | -1, list: readonly Value[]): Value {
	charge(list.length * COMPARISON_NS);
	const [first, ...others] = list;
	if (first === undefined) throw new EvaluationFailure(`${name} of an empty list`);
	numberOf(first, name);
	return others.reduce((found, each) => further(name, sign, found, each), first);
}

/** @param internal the function that the macro of this name becomes */
function extreme(internal: string, name: string, sign: 1 | -1, doc: string): FunctionDefinition {
	const alone: Implementation = {
		call: (value: Value) => value,
		fails: false,
		resultSize: () => 1,
	};
	const pair: Implementation = {
		call: (a: Value, b: Value) => further(name, sign, a, b),
		fails: true,
		cost: () => 100,
		resultSize: () => 1,
	};
	const list: Implementation = {
		call: (values: readonly Value[]) => furthest(name, sign, values),
		fails: true,
		cost: (elements = 0) => 100 + 2 * COMPARISON_NS * elements,
		resultSize: () => 1,
	};
	const overloads = Object.fromEntries([
		...NUMBERS.map((type) => [`${internal}(${type}) -> ${type}`, alone] as const),
		...NUMBERS.flatMap((left) =>
			NUMBERS.map((right) => {
				const result = left === right ? left : "dyn";
				return [`${internal}(${left}, ${right}) -> ${result}`, pair] as const;
			}),
		),
		...NUMBERS.map((type) => [`${internal}(list<${type}>) -> ${type}`, list] as const),
	]);
	return { name: internal, doc, examples: [], overloads };
}

export const EXTREMES: readonly FunctionDefinition[] = [
	extreme("math.@max", "math.greatest", 1, "What `math.greatest` becomes."),
	extreme("math.@min", "math.least", -1, "What `math.least` becomes."),
];
