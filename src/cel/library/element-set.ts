/**
 * Sets of values by CEL's equality, in which 1, 1u and 1.0 are one element and NaN is none, with look-ups
 * that don't compare with every element. For `sets.*` and `distinct`.
 */
import { charge } from "../budget.ts";
import { isList } from "../values/types.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	ValueMap,
} from "../values/value.ts";

/** Nanoseconds to put in or look up an element, or a part of one. */
const PART_NS = 200;
/** Nanoseconds for a character or byte, which the platform hashes. */
const CHARACTER_NS = 1.5;
const UNCOUNTED_CHARACTERS = 64;
/** Nanoseconds for an entry of a map and each doubling of their number, since they are sorted. */
const SORTING_NS = 100;

export class ElementSet {
	readonly #simple = new Set<Value>();
	/** of values that hold others, and objects of other kinds: what they are, as text */
	readonly #structures = new Set<string>();

	/** Was it not in the set before? Always true of what is or holds NaN. */
	add(value: Value): boolean {
		const key = simpleKey(value);
		const structure = key === undefined ? structureOf(value) : undefined;
		const size = this.#size;
		if (key !== undefined) this.#simple.add(key);
		else if (structure !== undefined) this.#structures.add(structure);
		else return true;
		return this.#size > size;
	}

	has(value: Value): boolean {
		const key = simpleKey(value);
		if (key !== undefined) return this.#simple.has(key);
		const structure = structureOf(value);
		return structure !== undefined && this.#structures.has(structure);
	}

	get #size(): number {
		return this.#simple.size + this.#structures.size;
	}
}

/** A value that the platform takes for the same where CEL does; undefined if there is none. */
function simpleKey(value: Value): Value | undefined {
	charge(PART_NS);
	if (typeof value === "string") {
		chargeText(value.length);
		return value;
	}
	if (typeof value === "boolean" || value === null) return value;
	if (typeof value === "bigint") return simpleInteger(value);
	if (typeof value === "number") return simpleNumber(value);
	return value instanceof Uint ? simpleInteger(value.value) : undefined;
}

function simpleInteger(value: bigint): number | bigint {
	const rounded = Number(value);
	return Number.isSafeInteger(rounded) ? rounded : value;
}

function simpleNumber(value: number): number | bigint | undefined {
	if (Number.isNaN(value)) return undefined;
	return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
}

function chargeText(length: number): void {
	if (length > UNCOUNTED_CHARACTERS) charge(length * CHARACTER_NS);
}

/** The same text for equal values and for no others; undefined for what is or holds NaN. */
function structureOf(value: Value): string | undefined {
	const key = simpleKey(value);
	if (typeof key === "string") return `"${key.length}:${key}`;
	if (key !== undefined) return String(key);
	if (isList(value)) return joined("[", value.map(structureOf));
	if (value instanceof ValueMap) return mapStructure(value);
	if (value instanceof Uint8Array) {
		chargeText(value.length);
		return `b${value.length}:${Buffer.from(value).toString("latin1")}`;
	}
	if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}`;
	if (value instanceof Duration) return `d${value.seconds}.${value.nanos}`;
	if (value instanceof TypeValue) return `y${value.name.length}:${value.name}`;
	if (value instanceof Optional) {
		return value.value === undefined ? "none" : joined("o", [structureOf(value.value)]);
	}
	return undefined;
}

function mapStructure(map: ValueMap): string | undefined {
	charge(map.size * SORTING_NS * Math.log2(map.size + 2));
	const entries = map
		.keys()
		.map((key) => joined(":", [structureOf(key), structureOf(map.get(key) ?? null)]));
	return joined("{", entries.toSorted());
}

function joined(kind: string, parts: readonly (string | undefined)[]): string | undefined {
	if (parts.includes(undefined)) return undefined;
	const text = `${kind}${parts.length}(${parts.join(",")})`;
	chargeText(text.length);
	return text;
}
