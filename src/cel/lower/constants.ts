/**
 * The constants of a lowered expression, as plain data that can be passed between threads, and as what the
 * code works with. Nothing that a user wrote is ever part of the code itself: texts, patterns and lists all
 * come in through here.
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

/** A value in a form that survives structured cloning. */
export type PackedValue =
	| null
	| boolean
	| string
	| bigint
	| number
	| Uint8Array
	| readonly PackedValue[]
	| { readonly uint: bigint }
	| { readonly timestamp: readonly [seconds: number, nanos: number] }
	| { readonly duration: readonly [seconds: number, nanos: number] }
	| { readonly type: string }
	| { readonly optional: readonly PackedValue[] }
	| { readonly map: readonly (readonly [PackedValue, PackedValue])[] };

export type Constant =
	| { readonly kind: "value"; readonly value: PackedValue }
	/** members of a literal list, for `in` */
	| { readonly kind: "set"; readonly members: readonly (string | bigint | number)[] }
	| { readonly kind: "pattern"; readonly program: PatternProgram }
	/** the same, to find out what a search costs */
	| { readonly kind: "pattern_program"; readonly program: PatternProgram }
	| { readonly kind: "ranges"; readonly texts: readonly string[] }
	/** of a call whose operands' types are known at run time only */
	| { readonly kind: "overloads"; readonly name: string; readonly signatures: readonly string[] };

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
	if (isList(value)) return Object.freeze(value.map(unpacked));
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
