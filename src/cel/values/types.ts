/**
 * The types of values at run time, as `type(x)` yields them and as names such as `int` stand for them. Messages of
 * failures name the types of operands with it. Called by lowered expressions and by the function library.
 */
import { Duration, Optional, Timestamp, TypeValue, Uint, type Value, ValueMap } from "./value.ts";

const BOOL = new TypeValue("bool");
const BYTES = new TypeValue("bytes");
const DOUBLE = new TypeValue("double");
const DURATION = new TypeValue("google.protobuf.Duration");
const INT = new TypeValue("int");
const LIST = new TypeValue("list");
const MAP = new TypeValue("map");
const NULL = new TypeValue("null_type");
const OPTIONAL = new TypeValue("optional_type");
const STRING = new TypeValue("string");
const TIMESTAMP = new TypeValue("google.protobuf.Timestamp");
const TYPE = new TypeValue("type");
const UINT = new TypeValue("uint");

/** As the compiler cannot tell a readonly array by `Array.isArray`. */
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Records, such as cookies, are maps. */
export function typeOf(value: Value): TypeValue {
	switch (typeof value) {
		case "string":
			return STRING;
		case "bigint":
			return INT;
		case "number":
			return DOUBLE;
		case "boolean":
			return BOOL;
	}
	if (value === null) return NULL;
	if (isList(value)) return LIST;
	if (value instanceof ValueMap) return MAP;
	if (value instanceof Uint) return UINT;
	if (value instanceof Uint8Array) return BYTES;
	if (value instanceof Timestamp) return TIMESTAMP;
	if (value instanceof Duration) return DURATION;
	return value instanceof Optional ? OPTIONAL : TYPE;
}
