/** The lists and sets extensions, and what two-variable macros are rewritten to. */
import {
	type CelFunc,
	type CelList,
	CelScalar,
	type CelValue,
	celFunc,
	celList,
	celMap,
	celMethod,
	celType,
	isCelList,
	isCelMap,
	isCelType,
	isCelUint,
	listType,
} from "@bufbuild/cel";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { equal } from "../equality.ts";
import { put } from "./operators.ts";
import { at, variadic } from "./variadic.ts";

const { DYN, INT, BOOL } = CelScalar;
const LIST = listType(DYN);

function slice(list: CelList, start: bigint, end: bigint): CelValue[] {
	if (start < 0n || end < start || end > BigInt(list.size)) throw new Error("no such part");
	return [...list].slice(Number(start), Number(end));
}

function flat(list: CelList, depth: bigint): CelValue[] {
	if (depth < 0n) throw new Error("a negative depth");
	return [...list].flatMap((each) =>
		isCelList(each) && depth > 0n ? flat(each, depth - 1n) : [each],
	);
}

function distinct(list: CelList): CelValue[] {
	const kept: CelValue[] = [];
	for (const each of list) if (!kept.some((other) => equal(other, each))) kept.push(each);
	return kept;
}

/** Something that `<` orders, by kind. @throws if nothing orders such values */
function orderable(value: CelValue): string | number | bigint | boolean | Buffer {
	if (isCelUint(value)) return value.value;
	if (typeof value === "string") return Buffer.from(value);
	if (value instanceof Uint8Array) return Buffer.from(value);
	if (typeof value === "bigint" || typeof value === "boolean") return value;
	if (typeof value === "number" && !Number.isNaN(value)) return value;
	if (isReflectMessage(value) && "seconds" in value.message && "nanos" in value.message) {
		return (
			BigInt(Number(value.message.seconds)) * 1_000_000_000n + BigInt(Number(value.message.nanos))
		);
	}
	throw new Error("a kind that has no order");
}

function compare(left: CelValue, right: CelValue): number {
	const [a, b] = [orderable(left), orderable(right)];
	if (a instanceof Buffer && b instanceof Buffer) return Buffer.compare(a, b);
	return a < b ? -1 : a > b ? 1 : 0;
}

const kindOf = (value: CelValue): string => (isCelType(value) ? "type" : celType(value).name);

/** Elements ordered by keys of one kind. */
function sorted(list: readonly CelValue[], keys: readonly CelValue[]): CelValue[] {
	const kinds = new Set(keys.map(kindOf));
	if (kinds.size > 1) throw new Error("keys of different kinds");
	for (const key of keys) orderable(key);
	return list
		.map((element, index) => ({ element, key: at(keys, index) }))
		.sort((left, right) => compare(left.key, right.key))
		.map(({ element }) => element);
}

const contains = (whole: CelList, part: CelList): boolean =>
	[...part].every((each) => [...whole].some((other) => equal(each, other)));

/** Indices or keys with what is there: `[[0, a], [1, b]]`. */
function pairs(range: CelValue): CelValue {
	if (isCelList(range))
		return celList([...range].map((each, index) => celList([BigInt(index), each])));
	if (isCelMap(range)) return celList([...range].map(([key, value]) => celList([key, value])));
	throw new Error("neither a list nor a map");
}

/** A map with one more entry, or with all entries of another map. */
function inserted(values: readonly CelValue[]): CelValue {
	const [map, keyOrMap, value] = [at(values, 0), at(values, 1), values[2]];
	if (!isCelMap(map)) throw new Error("no map");
	const entries = new Map<unknown, CelValue>(map);
	if (value !== undefined) put(entries, keyOrMap, value);
	else if (isCelMap(keyOrMap)) for (const [key, each] of keyOrMap) put(entries, key, each);
	else throw new Error("no map to insert");
	return celMap(entries as Parameters<typeof celMap>[0]);
}

export const COLLECTIONS: readonly CelFunc[] = [
	celMethod("slice", LIST, [INT, INT], LIST, function (start, end) {
		return celList(slice(this, start, end));
	}),
	celMethod("flatten", LIST, [], LIST, function () {
		return celList(flat(this, 1n));
	}),
	celMethod("flatten", LIST, [INT], LIST, function (depth) {
		return celList(flat(this, depth));
	}),
	celMethod("sort", LIST, [], LIST, function () {
		return celList(sorted([...this], [...this]));
	}),
	variadic("@sortBy", (values) => {
		const [list, keys] = [at(values, 0), at(values, 1)];
		if (!isCelList(list) || !isCelList(keys)) throw new Error("no list");
		return celList(sorted([...list], [...keys]));
	}),
	celMethod("distinct", LIST, [], LIST, function () {
		return celList(distinct(this));
	}),
	celMethod("reverse", LIST, [], LIST, function () {
		return celList([...this].reverse());
	}),
	celFunc("lists.range", [INT], LIST, (count) => {
		if (count < 0n || count > 10_000n) throw new Error("no such range");
		return celList(Array.from({ length: Number(count) }, (_, index) => BigInt(index)));
	}),
	celFunc("sets.contains", [LIST, LIST], BOOL, contains),
	celFunc("sets.equivalent", [LIST, LIST], BOOL, (a, b) => contains(a, b) && contains(b, a)),
	celFunc("sets.intersects", [LIST, LIST], BOOL, (a, b) =>
		[...a].some((each) => [...b].some((other) => equal(each, other))),
	),
	variadic("@pairs", (values) => pairs(at(values, 0))),
	variadic("@insert", inserted),
];
