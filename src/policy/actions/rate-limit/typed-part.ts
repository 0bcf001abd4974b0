/**
 * A value of an expression as a part of a bucket's key: a text that tells types apart (`1`, `1u`, `1.0` and `"1"` are
 * four keys) and where each part of a list or map ends, so that no two values have the same. Used by `elements.ts` and `weighed-run.ts`.
 */
import { Uint, type Value, ValueMap } from "../../../cel/values/value.ts";

/** Types that an expression of a key may have, as signatures write them. */
const KEY_TYPE = /^(?:(?:string|int|uint|bool|double|dyn|list<|map<)[>, ]*)+$/;

/** @param type that the checker knows; dyn is judged with the request */
export const mayBeKey = (type: string): boolean => KEY_TYPE.test(type);

/** Undefined for a value that can't be part of a key: null, bytes, a time, a type. */
export function typedPart(value: Value): string | undefined {
	switch (typeof value) {
		case "string":
			return `s${value}`;
		case "bigint":
			return `i${value}`;
		case "boolean":
			return value ? "t" : "f";
		case "number":
			// 0.0 and -0.0 are equal
			return `d${value === 0 ? 0 : value}`;
	}
	if (value instanceof Uint) return `u${value.value}`;
	if (Array.isArray(value)) return sequence("l", value);
	if (value instanceof ValueMap) return mapPart(value);
	return undefined;
}

function sequence(kind: string, values: readonly Value[]): string | undefined {
	let text = `${kind}${values.length}:`;
	for (const value of values) {
		const part = typedPart(value);
		if (part === undefined) return undefined;
		text += `${part.length}:${part}`;
	}
	return text;
}

/** Entries in the order of their keys' texts, as equal maps may have them in any. */
function mapPart(map: ValueMap): string | undefined {
	const entries: (readonly [string, Value])[] = [];
	for (const key of map.keys()) {
		const part = typedPart(key);
		const value = map.get(key);
		if (part === undefined || value === undefined) return undefined;
		entries.push([part, value]);
	}
	entries.sort(([one], [other]) => (one < other ? -1 : 1));
	return sequence("m", entries.flat());
}
