/** How much memory a value takes, roughly: what is kept of a request is bounded by it. Asked by set-vars. */
import { LIMITS } from "../../limits/limits.ts";
import { isList } from "./types.ts";
import { Optional, type Value, ValueMap } from "./value.ts";

const SCALAR_BYTES = 8;

/**
 * UTF-8 bytes of texts, and some for everything else.
 * @param most stops looking beyond it, and then returns more
 */
export function bytesOf(value: Value, most: number, depth = 0): number {
	if (typeof value === "string") return Buffer.byteLength(value);
	if (value instanceof Uint8Array) return value.length;
	if (depth > LIMITS.jsonDepth) return most + 1;
	if (value instanceof Optional) return bytesOf(value.value ?? null, most, depth + 1);
	if (isList(value)) return sum(value, most, depth);
	if (!(value instanceof ValueMap)) return SCALAR_BYTES;
	if (value.size * SCALAR_BYTES > most) return most + 1;
	const keys = value.keys();
	const bytes = sum(keys, most, depth);
	if (bytes > most) return bytes;
	const values = keys.map((key) => value.get(key) ?? null);
	return bytes + sum(values, most - bytes, depth);
}

function sum(values: readonly Value[], most: number, depth: number): number {
	let bytes = SCALAR_BYTES;
	for (const value of values) {
		if (bytes > most) return bytes;
		bytes += bytesOf(value, most - bytes, depth + 1);
	}
	return bytes;
}
