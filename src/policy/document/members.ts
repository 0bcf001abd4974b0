/**
 * Reads values that come from outside and may be anything. Used where a document is looked at before, or beside, its
 * schema: by `validate.ts`, `bounds.ts` and the actions that prepare themselves from a config as submitted.
 */
import type { JsonValue } from "../exchange.ts";

/** Own member or undefined; nothing that an object inherits. */
export function member(config: Readonly<Record<string, unknown>>, name: string): unknown {
	return Object.hasOwn(config, name) ? config[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string of no more than `bytes`; longer ones are refused by the schema and never compiled. */
export function isText(value: unknown, bytes: number): value is string {
	return typeof value === "string" && Buffer.byteLength(value) <= bytes;
}

/** Can JSON hold the value, nested no deeper than `depth`? Documents may come from YAML, which holds more. */
export function isJson(value: unknown, depth: number): value is JsonValue {
	if (value === null || typeof value === "string" || typeof value === "boolean") return true;
	if (typeof value === "number") return Number.isFinite(value);
	if (typeof value !== "object" || depth === 0) return false;
	if (Array.isArray(value)) return value.every((element) => isJson(element, depth - 1));
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== null) return false;
	return Object.values(value).every((element) => isJson(element, depth - 1));
}
