/** Functions over optional values (CEL's optional types extension). Joined by `table.ts`. */
import { charge } from "../budget.ts";
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
import type { Implementation, Implementations } from "./implementation.ts";

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

const OF: Implementation = { call: (value: Value) => new Optional(value), fails: false };
const UNWRAP: Implementation = {
	call: unwrap,
	fails: true,
	cost: (elements = 0) => 100 + 2 * ELEMENT_NS * elements,
	resultSize: (elements = 0) => elements,
};
/** Fails only for null, and for what a dyn brought into an optional's place. */
const accessor = (call: Implementation["call"]): Implementation => ({ call, fails: true });

export const OPTIONALS: Implementations = {
	"optional.none() -> optional<A>": {
		call: () => Optional.NONE,
		fails: false,
		resultSize: () => 1,
	},
	"optional.of(A) -> optional<A>": OF,
	"optional.ofNonZeroValue(A) -> optional<A>": { call: unlessZero, fails: false, cost: () => 500 },
	"optional.unwrap(list<optional<A>>) -> list<A>": UNWRAP,
	"list<optional<A>>.unwrapOpt() -> list<A>": UNWRAP,
	"optional<A>.hasValue() -> bool": { ...accessor(hasValue), resultSize: () => 1 },
	"optional<A>.value() -> A": accessor(heldBy),
	"optional<A>.or(optional<A>) -> optional<A>": accessor(or),
	"optional<A>.orValue(A) -> A": accessor(orValue),
};
