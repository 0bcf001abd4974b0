/**
 * `a[b]`, `a.b`, `has(a.b)`, `a in b` and their optional forms, for operands of types that the checker does
 * not know. Called by lowered expressions.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { chargeKey, keyText } from "./entry-map.ts";
import { equals } from "./equality.ts";
import { noOperator } from "./no-overload.ts";
import { isList, typeOf } from "./types.ts";
import { Optional, RecordValue, Uint, type Value, ValueMap } from "./value.ts";

/** Nanoseconds for an element that is looked at: any, a text, and a character of it. */
const ELEMENT_NS = 30;
const TEXT_NS = 5;
const CHARACTER_NS = 0.1;

/** Hot. @throws EvaluationFailure if nothing is at `index`, which may be any number */
export function listAt(list: readonly Value[], index: number): Value {
	const element = list[index];
	if (element === undefined) {
		const count = list.length === 1 ? "1 element" : `${list.length} elements`;
		throw new EvaluationFailure(`index ${index} is outside of the list's ${count}`);
	}
	return element;
}

/** Where a number points to in a list, beyond 2⁵³ near enough; of any kind, since 1.0 is 1. */
function listIndex(key: Value): number {
	if (typeof key === "bigint") return Number(key);
	if (typeof key === "number") return key;
	if (key instanceof Uint) return Number(key.value);
	throw new EvaluationFailure(`a list has elements by number, not by ${typeOf(key).name}`);
}

const noSuchKey = (key: Value): EvaluationFailure =>
	new EvaluationFailure(`no such key: ${keyText(key)}`);

/** `container[key]`; of an optional it is an optional. @throws EvaluationFailure */
export function index(container: Value, key: Value): Value {
	if (isList(container)) return listAt(container, listIndex(key));
	if (container instanceof ValueMap) {
		chargeField(container, key);
		const value = container.get(key);
		if (value === undefined) throw noSuchKey(key);
		return value;
	}
	if (container instanceof Optional) return optionalIndex(container, key);
	throw noElements(container);
}

/** Other maps charge for their keys themselves. */
function chargeField(map: ValueMap, key: Value): void {
	if (map instanceof RecordValue && typeof key === "string") chargeKey(key);
}

const noElements = (value: Value): EvaluationFailure =>
	new EvaluationFailure(`a value of type ${typeOf(value).name} has no elements`);

const noFields = (value: Value, field: string): EvaluationFailure =>
	new EvaluationFailure(`a value of type ${typeOf(value).name} has no field ${field}`);

/** `container[?key]`. @throws EvaluationFailure for a value without elements, or without such a kind of index */
export function optionalIndex(container: Value, key: Value): Optional {
	if (container instanceof Optional) {
		return container.value === undefined ? Optional.NONE : optionalIndex(container.value, key);
	}
	if (isList(container)) return present(container[listIndex(key)]);
	if (container instanceof ValueMap) return optionalEntry(container, key);
	throw noElements(container);
}

const present = (value: Value | undefined): Optional =>
	value === undefined ? Optional.NONE : new Optional(value);

/** Header maps answer for missing names too, so it is not enough to ask for the value. */
function optionalEntry(map: ValueMap, key: Value): Optional {
	chargeField(map, key);
	return map.has(key) ? present(map.get(key)) : Optional.NONE;
}

/** `operand.field`; of an optional it is an optional. @throws EvaluationFailure */
export function select(operand: Value, field: string): Value {
	if (operand instanceof ValueMap) {
		const value = operand.get(field);
		if (value === undefined) throw noSuchKey(field);
		return value;
	}
	if (operand instanceof Optional) return optionalSelect(operand, field);
	throw noFields(operand, field);
}

/** `operand.?field`. @throws EvaluationFailure for a value without fields */
export function optionalSelect(operand: Value, field: string): Optional {
	if (operand instanceof Optional) {
		return operand.value === undefined ? Optional.NONE : optionalSelect(operand.value, field);
	}
	if (operand instanceof ValueMap) return optionalEntry(operand, field);
	throw noFields(operand, field);
}

/** `has(operand.field)`. @throws EvaluationFailure for a value without fields */
export function hasField(operand: Value, field: string): boolean {
	if (operand instanceof ValueMap) return operand.has(field);
	if (operand instanceof Optional) {
		return operand.value !== undefined && hasField(operand.value, field);
	}
	throw noFields(operand, field);
}

/** `element in container`: of a list an element that equals it, of a map a key. @throws EvaluationFailure */
export function contains(element: Value, container: Value): boolean {
	if (isList(container)) return listContains(element, container);
	if (container instanceof ValueMap) {
		chargeField(container, element);
		return container.has(element);
	}
	throw noOperator("in", element, container);
}

/** Hot. */
export function listContains(element: Value, list: readonly Value[]): boolean {
	if (typeof element === "string") {
		// only a text equals a text, and the platform is quick to find it
		charge(list.length * (TEXT_NS + element.length * CHARACTER_NS));
		return list.includes(element);
	}
	charge(list.length * ELEMENT_NS);
	return list.some((each) => equals(element, each));
}
