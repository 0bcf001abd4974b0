/**
 * CEL's types as the checker sees them (CEL specification, "Type Checking"): `dyn` goes with every type, a
 * type parameter takes the most general of the types that it meets, and null goes with optionals, records,
 * timestamps and durations. `unify.ts` makes types agree.
 *
 * So a type is a promise with two holes: a value of type timestamp, duration, optional or record may be
 * null, and what passed through dyn may be anything (`[1] + dyn(['a'])` is a list<int>).
 *
 * Variables bound to types with variables in them can make types of any size out of little text. Two rules
 * keep them small. A variable that stands for a map's key takes no list, map or optional, so a type has one
 * branch; and every walk through a type stops at `LIMITS.typeDepth`, below which the type counts as dyn.
 */
import { LIMITS } from "../../limits/limits.ts";

export type ScalarKind =
	| "bool"
	| "bytes"
	| "double"
	| "duration"
	| "dyn"
	| "error"
	| "int"
	| "null_type"
	| "string"
	| "timestamp"
	| "type"
	| "uint";

export interface ListType {
	readonly kind: "list";
	readonly element: Type;
}
export interface MapType {
	readonly kind: "map";
	readonly key: Type;
	readonly value: Type;
}
/** A value that may be missing: `optional.none()`. */
export interface OptionalType {
	readonly kind: "optional";
	readonly element: Type;
}
/** A value with named fields, e.g. a cookie. */
export interface RecordType {
	readonly kind: "record";
	readonly name: string;
	readonly fields: ReadonlyMap<string, Type>;
	/** the sentence about a name that is no field, where there is more to say than that */
	readonly absent?: (field: string) => string;
}
/** A type not known yet; `Unifier` binds it. */
export interface TypeVariable {
	readonly kind: "variable";
	bound: Type | undefined;
	/** of a signature's type parameter: which one it is; −1 for others */
	readonly index: number;
	/** does it stand for a map's key? */
	readonly isKey: boolean;
	/** for `Unifier`: how long a chain of variables may end here */
	rank: number;
}
export type Type =
	| { readonly kind: ScalarKind }
	| ListType
	| MapType
	| OptionalType
	| RecordType
	| TypeVariable;

export const BOOL: Type = { kind: "bool" };
export const BYTES: Type = { kind: "bytes" };
export const DOUBLE: Type = { kind: "double" };
export const DURATION: Type = { kind: "duration" };
export const DYN: Type = { kind: "dyn" };
/** The type of a node that was refused: goes with every type, so that one mistake is reported once. */
export const ERROR: Type = { kind: "error" };
export const INT: Type = { kind: "int" };
export const NULL: Type = { kind: "null_type" };
export const STRING: Type = { kind: "string" };
export const TIMESTAMP: Type = { kind: "timestamp" };
export const TYPE: Type = { kind: "type" };
export const UINT: Type = { kind: "uint" };

export const listOf = (element: Type): ListType => ({ kind: "list", element });
export const mapOf = (key: Type, value: Type): MapType => ({ kind: "map", key, value });
export const optionalOf = (element: Type): OptionalType => ({ kind: "optional", element });
export const newVariable = (isKey = false, index = -1): TypeVariable => ({
	kind: "variable",
	bound: undefined,
	index,
	isKey,
	rank: 0,
});

/** Follows the bindings of a variable to the type at their end; an unbound variable is returned itself. */
export function resolve(type: Type): Type {
	let current = type;
	while (current.kind === "variable" && current.bound !== undefined) current = current.bound;
	return current;
}

/** The type without variables: those that are still open become dyn. */
export function substitute(type: Type, depth = 0): Type {
	const known = resolve(type);
	if (depth > LIMITS.typeDepth) return DYN;
	switch (known.kind) {
		case "variable":
			return DYN;
		case "list":
		case "optional": {
			const element = substitute(known.element, depth + 1);
			return element === known.element ? known : { kind: known.kind, element };
		}
		case "map": {
			const key = substitute(known.key, depth + 1);
			const value = substitute(known.value, depth + 1);
			return key === known.key && value === known.value ? known : mapOf(key, value);
		}
		default:
			return known;
	}
}

/** As people write it: `map<string, list<string>>`. */
export function typeName(type: Type, depth = 0): string {
	const known = resolve(type);
	if (depth > LIMITS.typeDepth) return "dyn";
	switch (known.kind) {
		case "variable":
			return "dyn";
		case "list":
		case "optional":
			return `${known.kind}<${typeName(known.element, depth + 1)}>`;
		case "map":
			return `map<${typeName(known.key, depth + 1)}, ${typeName(known.value, depth + 1)}>`;
		case "record":
			return known.name;
		case "null_type":
			return "null";
		default:
			return known.kind;
	}
}

export const isDynamic = (type: Type): boolean => type.kind === "dyn" || type.kind === "error";

/** May a value of this type be null all the same? */
export const isNullable = ({ kind }: Type): boolean =>
	kind === "timestamp" || kind === "duration" || kind === "record" || kind === "optional";

const KEY_KINDS: ReadonlySet<Type["kind"]> = new Set([
	"bool",
	"dyn",
	"error",
	"int",
	"string",
	"uint",
	"variable",
]);

/** Can values of this type be keys of a map? */
export const isKeyType = (type: Type): boolean => KEY_KINDS.has(resolve(type).kind);

export function sameType(left: Type, right: Type, depth = 0): boolean {
	const a = resolve(left);
	const b = resolve(right);
	if (a === b || depth > LIMITS.typeDepth) return true;
	switch (a.kind) {
		case "list":
		case "optional":
			return a.kind === b.kind && sameType(a.element, b.element, depth + 1);
		case "map":
			return (
				a.kind === b.kind &&
				sameType(a.key, b.key, depth + 1) &&
				sameType(a.value, b.value, depth + 1)
			);
		case "record":
			return a.kind === b.kind && a.name === b.name;
		default:
			return a.kind === b.kind && a.kind !== "variable";
	}
}
