/**
 * The values of expressions at run time: plain JavaScript values for the types of CEL that JavaScript has, small
 * classes for the others. Lowered expressions (`lower/`) and the function library (`library/`) share them.
 *
 * | CEL | here |
 * |---|---|
 * | bool, string, null | boolean, string, null |
 * | int | bigint (inside one lowered expression a number, where it provably fits) |
 * | uint | `Uint` |
 * | double | number |
 * | bytes | Uint8Array |
 * | list | array, never changed once it is a value |
 * | map, cookies | `ValueMap` |
 * | timestamp, duration, type, optional | `Timestamp`, `Duration`, `TypeValue`, `Optional` |
 */

export type Value =
	| null
	| boolean
	| string
	| bigint
	| number
	| Uint8Array
	| Uint
	| Timestamp
	| Duration
	| TypeValue
	| Optional
	| ValueMap
	| readonly Value[];

export class Uint {
	/** 0 to 2⁶⁴ − 1 */
	readonly value: bigint;
	constructor(value: bigint) {
		this.value = value;
	}
}

/** A moment from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z. */
export class Timestamp {
	/** since the epoch, rounded down */
	readonly seconds: number;
	/** 0 to 999,999,999, added to the seconds */
	readonly nanos: number;
	constructor(seconds: number, nanos: number) {
		this.seconds = seconds;
		this.nanos = nanos;
	}
}

/** 64 bits of nanoseconds: some 292 years either way. */
export class Duration {
	/** rounded towards zero */
	readonly seconds: number;
	/** 0 to 999,999,999 in size, of the seconds' sign */
	readonly nanos: number;
	constructor(seconds: number, nanos: number) {
		this.seconds = seconds;
		this.nanos = nanos;
	}
}

export class TypeValue {
	/** e.g. `int`, `null_type`, `google.protobuf.Timestamp` */
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
}

export class Optional {
	static readonly NONE = new Optional(undefined);
	/** undefined: `optional.none()` */
	readonly value: Value | undefined;
	constructor(value: Value | undefined) {
		this.value = value;
	}
}

/**
 * Keys are bool, int, uint and string; numbers that are equal are one key, so `1`, `1u` and `1.0` find the
 * same entry (CEL specification, "Equality"). Only `entry-map.ts` and `request-maps.ts` implement it.
 */
export abstract class ValueMap {
	abstract readonly size: number;
	/** Undefined if the map has no such key, or nothing could be such a key. A header map has `[]` for every string. */
	abstract get(key: Value): Value | undefined;
	/** Is there an entry? Told apart from `get`, because header maps answer for missing names too. */
	abstract has(key: Value): boolean;
	/** In the order of insertion. */
	abstract keys(): readonly Value[];
}

/** A value with the fixed fields of its type, such as a cookie; to dynamic code a map of its fields. */
export class RecordValue extends ValueMap {
	readonly fields: Readonly<Record<string, Value>>;
	constructor(fields: Readonly<Record<string, Value>>) {
		super();
		this.fields = fields;
	}
	get size(): number {
		return Object.keys(this.fields).length;
	}
	get(key: Value): Value | undefined {
		return typeof key === "string" && Object.hasOwn(this.fields, key)
			? this.fields[key]
			: undefined;
	}
	has(key: Value): boolean {
		return this.get(key) !== undefined;
	}
	keys(): readonly Value[] {
		return Object.keys(this.fields);
	}
}

/** A value as plain data, which can be sent to another thread (`portable.ts`). */
export type Portable =
	| null
	| boolean
	| string
	| bigint
	| number
	| Uint8Array
	| readonly Portable[]
	| Tagged;

type Tagged =
	| { readonly is: "uint"; readonly value: bigint }
	| { readonly is: "timestamp" | "duration"; readonly seconds: number; readonly nanos: number }
	| { readonly is: "type"; readonly name: string }
	| { readonly is: "optional"; readonly held: readonly Portable[] }
	| { readonly is: "map" | "record"; readonly entries: readonly (readonly [Portable, Portable])[] };
