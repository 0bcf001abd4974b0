/**
 * The constants of lowered code: values packed into plain data that threads can pass on (`literals.ts`), and
 * opened again to what the code works with (`open.ts`).
 */
import { parseRange, type Range } from "../../http/ip-address.ts";
import { DECLARATIONS } from "../check/declarations.ts";
import type { Overload } from "../check/signatures.ts";
import type { Pattern } from "../expression.ts";
import { openPattern, type PatternProgram } from "../pattern/pattern.ts";
import { entryMap } from "../values/entry-map.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	ValueMap,
} from "../values/value.ts";
import type { Constant, PackedValue } from "./code.ts";

export function packed(value: Value): PackedValue {
	if (Array.isArray(value)) return value.map(packed);
	if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
	if (value instanceof Uint) return { uint: value.value };
	if (value instanceof Timestamp) return { timestamp: [value.seconds, value.nanos] };
	if (value instanceof Duration) return { duration: [value.seconds, value.nanos] };
	if (value instanceof TypeValue) return { type: value.name };
	if (value instanceof Optional) {
		return { optional: value.value === undefined ? [] : [packed(value.value)] };
	}
	if (value instanceof ValueMap) {
		return { map: value.keys().map((key) => [packed(key), packed(value.get(key) ?? null)]) };
	}
	throw new Error("no value of an expression");
}

function unpacked(value: PackedValue): Value {
	if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
	if (isList(value)) return value.map(unpacked);
	if ("uint" in value) return new Uint(value.uint);
	if ("timestamp" in value) return new Timestamp(...value.timestamp);
	if ("duration" in value) return new Duration(...value.duration);
	if ("type" in value) return new TypeValue(value.type);
	if ("optional" in value) {
		const [inner] = value.optional;
		return inner === undefined ? Optional.NONE : new Optional(unpacked(inner));
	}
	return entryMap(value.map.map(([key, each]) => [unpacked(key), unpacked(each)]));
}

const isList = (value: object): value is readonly PackedValue[] => Array.isArray(value);

export type OpenConstant =
	| Value
	| ReadonlySet<string | bigint | number>
	| Pattern
	| PatternProgram
	| readonly Range[]
	| Choice;

export interface Choice {
	readonly name: string;
	readonly overloads: readonly Overload[];
}

/** What the code finds in place of a constant. */
export function openConstant(constant: Constant): OpenConstant {
	switch (constant.kind) {
		case "value":
			return unpacked(constant.value);
		case "set":
			return new Set(constant.members);
		case "pattern":
			return openPattern(constant.program);
		case "pattern_program":
			return constant.program;
		case "ranges":
			return constant.texts.map(parseRange).filter((range) => range !== undefined);
		case "overloads": {
			const { name, signatures } = constant;
			const overloads = DECLARATIONS.get(name) ?? [];
			return {
				name,
				overloads: overloads.filter(({ signature }) => signatures.includes(signature)),
			};
		}
	}
}
