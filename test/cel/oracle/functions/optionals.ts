/** Functions of optional values, and literals with optional elements and entries. */
import {
	type CelFunc,
	CelScalar,
	type CelValue,
	celFunc,
	celList,
	celMap,
	celMethod,
	celType,
	isCelList,
	isCelMap,
	isCelUint,
	listType,
	objectType,
} from "@bufbuild/cel";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { isOptional, NONE, some } from "../optional.ts";
import { put } from "./operators.ts";
import { at, variadic } from "./variadic.ts";

const { DYN, BOOL, TYPE } = CelScalar;
const LIST = listType(DYN);

/** What an optional holds; undefined for none. @throws if the value is no optional */
export function held(value: CelValue): CelValue | undefined {
	if (!isOptional(value)) throw new Error("no optional");
	return value.value;
}

function heldValue(optional: CelValue): CelValue {
	const value = held(optional);
	if (value === undefined) throw new Error("none has no value");
	return value;
}

function isZero(value: CelValue): boolean {
	if (isCelList(value) || isCelMap(value)) return value.size === 0;
	if (value instanceof Uint8Array) return value.length === 0;
	if (isCelUint(value)) return value.value === 0n;
	if (isReflectMessage(value)) {
		const { message } = value;
		if (!("seconds" in message && "nanos" in message)) return false;
		return message.seconds === 0n && message.nanos === 0;
	}
	return value === null || value === false || value === 0 || value === 0n || value === "";
}

function unwrapped(list: CelValue): CelValue {
	if (!isCelList(list)) throw new Error("no list");
	return celList([...list].map(held).filter((each) => each !== undefined));
}

/** Flags and elements in turn: is the element an optional that may be left out? */
function madeList(values: readonly CelValue[]): CelValue {
	const elements: CelValue[] = [];
	for (let each = 0; each < values.length; each += 2) {
		const value = at(values, each + 1);
		const element = at(values, each) === true ? held(value) : value;
		if (element !== undefined) elements.push(element);
	}
	return celList(elements);
}

/** Flags, keys and values in turn. */
function madeMap(values: readonly CelValue[]): CelValue {
	const entries = new Map<unknown, CelValue>();
	for (let each = 0; each < values.length; each += 3) {
		const value = at(values, each + 2);
		const entry = at(values, each) === true ? held(value) : value;
		if (entry !== undefined) put(entries, at(values, each + 1), entry);
	}
	return celMap(entries as Parameters<typeof celMap>[0]);
}

export const OPTIONALS: readonly CelFunc[] = [
	celFunc("optional.of", [DYN], DYN, some),
	celFunc("optional.none", [], DYN, () => NONE),
	celFunc("optional.ofNonZeroValue", [DYN], DYN, (value) => (isZero(value) ? NONE : some(value))),
	celFunc("optional.unwrap", [LIST], LIST, (list) => unwrapped(list) as typeof list),
	celMethod("unwrapOpt", LIST, [], LIST, function () {
		return unwrapped(this) as typeof this;
	}),
	celMethod("hasValue", DYN, [], BOOL, function () {
		return held(this) !== undefined;
	}),
	celMethod("value", DYN, [], DYN, function () {
		return heldValue(this);
	}),
	// `or` and `orValue` are rewritten: they look at their argument only if they need it
	variadic("@held", (values) => held(at(values, 0)) !== undefined),
	variadic("@value", (values) => heldValue(at(values, 0))),
	variadic("@optional", (values) => {
		held(at(values, 0));
		return at(values, 0);
	}),
	celMethod("first", LIST, [], DYN, function () {
		return some(this.get(0));
	}),
	celMethod("last", LIST, [], DYN, function () {
		return some(this.get(this.size - 1));
	}),
	variadic("@optionalList", madeList),
	variadic("@optionalMap", madeMap),
	celFunc("type", [DYN], TYPE, (value) =>
		isOptional(value) ? objectType("optional_type") : celType(value),
	),
];
