/**
 * Maps that expressions make: literals, macros that build maps, decoded JSON. Keys are bool, int, uint or
 * string, and numbers that are equal are one key (CEL specification, "Map"). Called by lowered expressions
 * and the function library.
 */
import { charge } from "../budget.ts";
import { ENTRY, HASHED_CHARACTERS, KEY_CHARACTER } from "../cost/table.ts";
import { EvaluationFailure } from "../expression.ts";
import { typeOf } from "./types.ts";
import { Uint, type Value, ValueMap } from "./value.ts";

/** hashing a key of up to so many characters is included in the charge for a look-up */
const UNCOUNTED_CHARACTERS = 64;

/** Hot. For a text that is looked up in a map, and may not have been hashed yet. @throws OutOfBudget */
export function chargeKey(key: string): void {
	const { length } = key;
	if (length > UNCOUNTED_CHARACTERS) charge(Math.min(length, HASHED_CHARACTERS) * KEY_CHARACTER);
}

/** The key of the platform's map for a CEL key: whole numbers are numbers where those are exact, else bigints. */
type InnerKey = string | boolean | number | bigint;

function innerKey(key: Value): InnerKey | undefined {
	if (typeof key === "string") {
		chargeKey(key);
		return key;
	}
	if (typeof key === "boolean") return key;
	if (typeof key === "bigint") return innerNumber(key);
	if (typeof key === "number") {
		if (Number.isSafeInteger(key)) return key;
		return Number.isInteger(key) ? BigInt(key) : undefined;
	}
	return key instanceof Uint ? innerNumber(key.value) : undefined;
}

function innerNumber(value: bigint): number | bigint {
	const rounded = Number(value);
	return Number.isSafeInteger(rounded) ? rounded : value;
}

export class EntryMap extends ValueMap {
	readonly #values: ReadonlyMap<InnerKey, Value>;
	/** as they were put in; made when asked for if all are inside what they are outside */
	#keys: readonly Value[] | undefined;

	/** For `MapBuilder` and `mapFromStrings`. */
	constructor(values: ReadonlyMap<InnerKey, Value>, keys: readonly Value[] | undefined) {
		super();
		this.#values = values;
		this.#keys = keys;
	}

	get size(): number {
		return this.#values.size;
	}

	/** Hot. */
	get(key: Value): Value | undefined {
		const inner = innerKey(key);
		return inner === undefined ? undefined : this.#values.get(inner);
	}

	has(key: Value): boolean {
		const inner = innerKey(key);
		return inner !== undefined && this.#values.has(inner);
	}

	keys(): readonly Value[] {
		this.#keys ??= [...this.#values.keys()];
		return this.#keys;
	}
}

/** Collects entries one at a time; spent once the map is built. */
export class MapBuilder {
	readonly #values = new Map<InnerKey, Value>();
	readonly #keys: Value[] = [];
	#isPlain = true;

	/** @throws EvaluationFailure if the key is there already, or of a type that no key has; OutOfBudget */
	put(key: Value, value: Value): void {
		charge(ENTRY);
		const inner = typeof key === "number" ? undefined : innerKey(key);
		if (inner === undefined) {
			throw new EvaluationFailure(`a ${typeOf(key).name} cannot be the key of a map`);
		}
		if (this.#values.has(inner)) throw new EvaluationFailure(`repeated key: ${keyText(key)}`);
		this.#values.set(inner, value);
		this.#keys.push(key);
		this.#isPlain &&= inner === key;
	}

	build(): EntryMap {
		return new EntryMap(this.#values, this.#isPlain ? undefined : this.#keys);
	}
}

/** In this order. @throws EvaluationFailure as `MapBuilder.put` */
export function entryMap(pairs: readonly (readonly [key: Value, value: Value])[]): EntryMap {
	const builder = new MapBuilder();
	for (const [key, value] of pairs) builder.put(key, value);
	return builder.build();
}

/** @param values not copied, so not to be changed any more */
export const mapFromStrings = (values: ReadonlyMap<string, Value>): EntryMap =>
	new EntryMap(values, undefined);

const KEY_CHARACTERS = 100;

/** A key, or a value that is no key, for messages: texts quoted, long texts cut. */
export function keyText(key: Value): string {
	if (typeof key === "string") return JSON.stringify(key.slice(0, KEY_CHARACTERS));
	if (key instanceof Uint) return `${key.value}u`;
	return typeof key === "object" ? `a ${typeOf(key).name}` : String(key);
}
