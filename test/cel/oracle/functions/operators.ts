/**
 * Operators whose meaning in the library differs from the specification's: equality and `in` over header
 * maps, keys of maps, fields and elements of values whose type is not known before.
 */
import {
	type CelFunc,
	type CelList,
	type CelMap,
	CelScalar,
	type CelValue,
	celFunc,
	celList,
	celMap,
	celUint,
	isCelList,
	isCelMap,
	isCelUint,
	listType,
} from "@bufbuild/cel";
import { equal } from "../equality.ts";
import { isListMap } from "../header-map.ts";
import { isOptional, NONE, some } from "../optional.ts";
import { at, variadic } from "./variadic.ts";

const { DYN, STRING, BOOL, UINT } = CelScalar;
const LIST = listType(DYN);

type Key = Parameters<CelMap["get"]>[0];

const isKey = (value: CelValue): value is Extract<CelValue, Key> =>
	["string", "bigint", "boolean", "number"].includes(typeof value) || isCelUint(value);

export const hasKey = (map: CelMap, key: CelValue): boolean => {
	if (!isKey(key)) return false;
	return isListMap(map) ? map.has(key) : map.get(key) !== undefined;
};

export const entryOf = (map: CelMap, key: CelValue): CelValue | undefined =>
	isKey(key) ? map.get(key) : undefined;

/** Undefined for a number that is no whole one. */
function wholeNumber(value: CelValue): number | undefined {
	if (typeof value === "bigint") return Number(value);
	if (isCelUint(value)) return Number(value.value);
	return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

function elementOf(list: CelList, index: CelValue): CelValue | undefined {
	const position = wholeNumber(index);
	if (position === undefined) throw new Error("no index of a list");
	return list.get(position);
}

function foundAt(container: CelValue, index: CelValue): CelValue | undefined {
	if (isCelMap(container)) return entryOf(container, index);
	if (isCelList(container)) return elementOf(container, index);
	throw new Error("neither a list nor a map");
}

/** `a[b]`; of an optional, an optional. */
function indexed(container: CelValue, index: CelValue): CelValue {
	if (isOptional(container)) return optionallyIndexed(container, index);
	const found = foundAt(container, index);
	if (found === undefined) throw new Error("no such key or index");
	return found;
}

/** `a[?b]` and `a.?b` */
function optionallyIndexed(container: CelValue, index: CelValue): CelValue {
	if (isOptional(container)) {
		return container.value === undefined ? NONE : optionallyIndexed(container.value, index);
	}
	if (isCelMap(container) && !hasKey(container, index)) return NONE;
	return some(foundAt(container, index));
}

function selected(operand: CelValue, field: CelValue): CelValue {
	if (isOptional(operand)) return optionallySelected(operand, field);
	if (!isCelMap(operand)) throw new Error("nothing that has fields");
	return indexed(operand, field);
}

function optionallySelected(operand: CelValue, field: CelValue): CelValue {
	if (isOptional(operand)) {
		return operand.value === undefined ? NONE : optionallySelected(operand.value, field);
	}
	if (!isCelMap(operand)) throw new Error("nothing that has fields");
	return optionallyIndexed(operand, field);
}

function present(operand: CelValue, field: CelValue): boolean {
	if (isOptional(operand)) return operand.value !== undefined && present(operand.value, field);
	if (!isCelMap(operand)) throw new Error("nothing that has fields");
	return hasKey(operand, field);
}

function isIn(element: CelValue, container: CelValue): boolean {
	if (isCelMap(container)) return hasKey(container, element);
	if (isCelList(container)) return [...container].some((each) => equal(each, element));
	throw new Error("neither a list nor a map");
}

/** Keys and values in turn. */
function madeMap(values: readonly CelValue[]): CelValue {
	const entries = new Map<Extract<CelValue, Key>, CelValue>();
	for (let each = 0; each < values.length; each += 2)
		put(entries, at(values, each), at(values, each + 1));
	return celMap(entries as Parameters<typeof celMap>[0]);
}

export function put(entries: Map<unknown, CelValue>, key: CelValue, value: CelValue): void {
	if (!isKey(key) || typeof key === "number") throw new Error("no key of a map");
	if ([...entries.keys()].some((other) => equal(other as CelValue, key))) {
		throw new Error("a repeated key");
	}
	entries.set(key, value);
}

const codePoints = (text: string): Buffer => Buffer.from(text);
const order = (left: string, right: string): number =>
	Buffer.compare(codePoints(left), codePoints(right));

export const OPERATORS: readonly CelFunc[] = [
	celFunc("_==_", [DYN, DYN], BOOL, equal),
	celFunc("_!=_", [DYN, DYN], BOOL, (left, right) => !equal(left, right)),
	celFunc("_<_", [STRING, STRING], BOOL, (left, right) => order(left, right) < 0),
	celFunc("_<=_", [STRING, STRING], BOOL, (left, right) => order(left, right) <= 0),
	celFunc("_>_", [STRING, STRING], BOOL, (left, right) => order(left, right) > 0),
	celFunc("_>=_", [STRING, STRING], BOOL, (left, right) => order(left, right) >= 0),
	// the library takes quotients for ints
	celFunc("_/_", [UINT, UINT], UINT, (left, right) => {
		if (right.value === 0n) throw new Error("division by zero");
		return celUint(left.value / right.value);
	}),
	celFunc("_+_", [LIST, LIST], LIST, (left, right) => celList([...left, ...right])),
	variadic("@contained", (values) => isIn(at(values, 0), at(values, 1))),
	variadic("@index", (values) => indexed(at(values, 0), at(values, 1))),
	variadic("@optionalIndex", (values) => optionallyIndexed(at(values, 0), at(values, 1))),
	variadic("@select", (values) => selected(at(values, 0), at(values, 1))),
	variadic("@optionalSelect", (values) => optionallySelected(at(values, 0), at(values, 1))),
	variadic("@has", (values) => present(at(values, 0), at(values, 1))),
	variadic("@map", madeMap),
];
