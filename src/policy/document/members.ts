/**
 * Reads values that come from outside and may be anything. Used where a document is looked at before, or beside, its
 * schema: by `validate.ts`, `bounds.ts` and the actions that prepare themselves from a config as submitted.
 */

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
