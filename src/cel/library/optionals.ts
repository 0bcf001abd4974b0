/** Functions over optional values (CEL's optional types extension). Joined by `table.ts`. */
import { charge } from "../budget.ts";
import { eitherOperand, sameElements, scalar } from "../cost/estimates.ts";
import { EvaluationFailure } from "../expression.ts";
import { noFunction } from "../values/no-overload.ts";
import { isList } from "../values/types.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	Uint,
	type Value,
	ValueMap,
} from "../values/value.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

const ELEMENT_NS = 20;

/** A null passes the checker for an optional. */
function optional(name: string, value: Value): Optional {
	if (value instanceof Optional) return value;
	throw noFunction(name, [value]);
}

const hasValue = (value: Value): boolean => optional("hasValue", value).value !== undefined;

function heldBy(value: Value): Value {
	const held = optional("value", value).value;
	if (held === undefined) throw new EvaluationFailure("the optional has no value");
	return held;
}

const or = (value: Value, other: Value): Value => (hasValue(value) ? value : optional("or", other));

function orValue(value: Value, other: Value): Value {
	const held = optional("orValue", value).value;
	return held === undefined ? other : held;
}

const unlessZero = (value: Value): Optional =>
	isZero(value) ? Optional.NONE : new Optional(value);

/** The value that a field of its type has when nobody has set it; a cookie's, if all its fields have theirs. */
function isZero(value: Value): boolean {
	if (value === null || value === false || value === 0 || value === 0n || value === "") return true;
	if (isList(value) || value instanceof Uint8Array) return value.length === 0;
	if (value instanceof RecordValue) return Object.values(value.fields).every(isZero);
	if (value instanceof ValueMap) return value.size === 0;
	if (value instanceof Uint) return value.value === 0n;
	if (value instanceof Timestamp || value instanceof Duration) {
		return value.seconds === 0 && value.nanos === 0;
	}
	return false;
}

function unwrap(list: readonly Value[]): readonly Value[] {
	charge(list.length * ELEMENT_NS);
	const held: Value[] = [];
	for (const element of list) {
		const { value } = optional("unwrap", element);
		if (value !== undefined) held.push(value);
	}
	return held;
}

const UNWRAP: Implementation = {
	call: unwrap,
	fails: true,
	cost: (elements = 0) => 100 + 2 * ELEMENT_NS * elements,
	resultSize: (elements = 0) => elements,
};
/** Fails only for null, and for what a dyn brought into an optional's place. */
const accessor = (call: Implementation["call"]): Implementation => ({ call, fails: true });

export const OPTIONALS: readonly FunctionDefinition[] = [
	{
		name: "optional.none",
		doc: "An optional without a value.",
		examples: [["optional.none().hasValue()", "false"]],
		overloads: {
			"optional.none() -> optional<A>": {
				call: () => Optional.NONE,
				fails: false,
				resultSize: () => 1,
			},
		},
		neverNull: true,
		estimate: scalar,
	},
	{
		name: "optional.of",
		doc: "An optional of a value.",
		examples: [["optional.of('a').value()", "'a'"]],
		overloads: {
			"optional.of(A) -> optional<A>": {
				call: (value: Value) => new Optional(value),
				fails: false,
			},
		},
		neverNull: true,
		estimate: sameElements,
	},
	{
		name: "optional.ofNonZeroValue",
		doc: "An optional of a value; without one for `''`, `0`, `false`, `null`, empty lists and maps and their like.",
		examples: [["optional.ofNonZeroValue(req.location).orValue('none')", "'none'"]],
		overloads: {
			"optional.ofNonZeroValue(A) -> optional<A>": {
				call: unlessZero,
				fails: false,
				cost: () => 500,
			},
		},
		neverNull: true,
		estimate: sameElements,
	},
	{
		name: "optional.unwrap",
		doc: "The values of those optionals of a list that have one.",
		examples: [["optional.unwrap([optional.of(1), optional.none()])", "[1]"]],
		overloads: { "optional.unwrap(list<optional<A>>) -> list<A>": UNWRAP },
		estimate: sameElements,
	},
	{
		name: "unwrapOpt",
		doc: "The same as a method.",
		examples: [["[optional.of(1), optional.none()].unwrapOpt()", "[1]"]],
		overloads: { "list<optional<A>>.unwrapOpt() -> list<A>": UNWRAP },
		estimate: sameElements,
	},
	{
		name: "hasValue",
		doc: "Has the optional a value?",
		examples: [["req.headers[?'x-none'].hasValue()", "false"]],
		overloads: {
			"optional<A>.hasValue() -> bool": { ...accessor(hasValue), resultSize: () => 1 },
		},
	},
	{
		name: "or",
		doc: "The optional if it has a value, else the other one, which is only then looked at.",
		examples: [["optional.none().or(optional.of(2)).value()", "2"]],
		overloads: { "optional<A>.or(optional<A>) -> optional<A>": accessor(or) },
		estimate: eitherOperand,
	},
	{
		name: "orValue",
		doc: "What the optional holds, else the value, which is only then looked at.",
		examples: [["req.content_type.parameters[?'charset'].orValue('none')", "'utf-8'"]],
		overloads: { "optional<A>.orValue(A) -> A": accessor(orValue) },
		estimate: eitherOperand,
	},
	{
		name: "value",
		doc: "What the optional holds. Fails if it holds nothing.",
		examples: [["optional.of(7).value()", "7"]],
		overloads: { "optional<A>.value() -> A": accessor(heldBy) },
		estimate: sameElements,
	},
];
