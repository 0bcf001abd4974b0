/**
 * The functions that lowered code calls by name: those that make variables (`variables/`), and the ones below.
 * Everything else that the code refers to is a constant or a function of the library. `open.ts` hands them to the
 * code.
 */
import { charge } from "../budget.ts";
import { FAILURE } from "../cost/table.ts";
import { EvaluationFailure, type Pattern } from "../expression.ts";
import { inPreparedRanges, inRangesCharged } from "../library/addresses.ts";
import { dispatch } from "../library/dispatch.ts";
import { type PatternProgram, searchCharge } from "../pattern/pattern.ts";
import { asking, noted } from "../trace/record.ts";
import {
	contains,
	hasField,
	index,
	listAt,
	optionalIndex,
	optionalSelect,
	select,
} from "../values/access.ts";
import { add, divide, modulo, multiply, negate, subtract } from "../values/arithmetic.ts";
import { addText } from "../values/concatenation.ts";
import { NO_COOKIE, NO_SET_COOKIE } from "../values/cookies.ts";
import { chargeKey, entryMap, MapBuilder } from "../values/entry-map.ts";
import { equals } from "../values/equality.ts";
import { addInt, divideInt, moduloInt, multiplyInt, subtractInt } from "../values/integers.ts";
import { compare } from "../values/order.ts";
import { textOf } from "../values/text.ts";
import { isList, typeOf } from "../values/types.ts";
import { Optional, RecordValue, type Value, ValueMap } from "../values/value.ts";
import { DERIVE_FUNCTIONS } from "../variables/table.ts";
import type { Choice } from "./constants.ts";

/** A bool where the checker knew no type. @throws EvaluationFailure */
function truth(value: Value): boolean {
	if (typeof value === "boolean") return value;
	throw new EvaluationFailure(`${typeOf(value).name} where a bool is needed`);
}

/** Keeps a failure that another operand may absorb. @throws every other error again */
function absorbed(error: unknown): EvaluationFailure {
	if (!(error instanceof EvaluationFailure)) throw error;
	charge(FAILURE);
	return error;
}

function unlessFailed(value: Value, failure: EvaluationFailure | undefined): Value {
	if (failure !== undefined) throw failure;
	return value;
}

/** The elements or keys that a macro runs over, where the checker knew no type. @throws EvaluationFailure */
function elementsOf(range: Value): readonly Value[] {
	if (isList(range)) return range;
	if (range instanceof ValueMap) return range.keys();
	throw new EvaluationFailure(`a macro runs over a list or a map, not over ${typeOf(range).name}`);
}

/** of texts of one length, while they are alike */
const CHARACTERS_PER_NANOSECOND = 8;

function equalTexts(left: string, right: string): boolean {
	if (left.length !== right.length) return false;
	charge(left.length / CHARACTERS_PER_NANOSECOND);
	return left === right;
}

/** A text that is looked for in a set. */
function hashed(text: string): string {
	chargeKey(text);
	return text;
}

function matchesCharged(pattern: Pattern, program: PatternProgram, text: string): boolean {
	charge(searchCharge(program, text.length));
	return pattern.test(text);
}

const dispatched = ({ name, overloads }: Choice, operands: readonly Value[]): Value =>
	dispatch(name, overloads, operands);

const firstCookie = (cookies: readonly RecordValue[]): RecordValue => cookies[0] ?? NO_COOKIE;
const firstSetCookie = (cookies: readonly RecordValue[]): RecordValue =>
	cookies[0] ?? NO_SET_COOKIE;

/** Null passes the checker for an optional, and dyn may be anything. @throws EvaluationFailure */
function asOptional(value: Value): Optional {
	if (value instanceof Optional) return value;
	throw new EvaluationFailure(`${typeOf(value).name} where an optional is needed`);
}

/** @throws EvaluationFailure */
const heldBy = (optional: Value): Value | undefined => asOptional(optional).value;

/** The element of `[?x]`, if there is one. @throws EvaluationFailure */
function present(optional: Value): readonly Value[] {
	const held = heldBy(optional);
	return held === undefined ? [] : [held];
}

const presentEntry = (key: Value, optional: Value): readonly (readonly [Value, Value])[] =>
	present(optional).map((value) => [key, value]);

const mapBuilder = (): MapBuilder => new MapBuilder();

/** Adds the entries that one turn of `transformMapEntry` makes. @throws EvaluationFailure, OutOfBudget */
function addEntries(builder: MapBuilder, map: Value): void {
	if (!(map instanceof ValueMap)) {
		throw new EvaluationFailure(`${typeOf(map).name} where a map is needed`);
	}
	for (const key of map.keys()) builder.put(key, map.get(key) ?? null);
}

/** @throws EvaluationFailure for null, which the checker takes for a record too */
function fieldOf(record: Value, field: string): Value {
	const value = record instanceof RecordValue ? record.fields[field] : undefined;
	if (value !== undefined) return value;
	throw new EvaluationFailure(`${typeOf(record).name} has no field "${field}"`);
}

export const RUNTIME = {
	...DERIVE_FUNCTIONS,
	absorbed,
	add,
	addEntries,
	addInt,
	asking,
	asOptional,
	charge,
	compare,
	concat: addText,
	contains,
	dispatched,
	divide,
	divideInt,
	elementsOf,
	entryMap,
	equals,
	equalTexts,
	fieldOf,
	firstCookie,
	firstSetCookie,
	hasField,
	hashed,
	heldBy,
	index,
	inPreparedRanges,
	inRangesCharged,
	listAt,
	mapBuilder,
	matchesCharged,
	modulo,
	moduloInt,
	multiply,
	multiplyInt,
	negate,
	noted,
	optionalIndex,
	optionalSelect,
	present,
	presentEntry,
	select,
	subtract,
	subtractInt,
	textOf,
	truth,
	unlessFailed,
} as const;
