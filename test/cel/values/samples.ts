/** Arbitrary values of every kind, and the library's evaluator to hold ours against. */
import {
	type CelInput,
	celEnv,
	celList,
	celMap,
	celUint,
	isCelError,
	parse,
	plan,
} from "@bufbuild/cel";
import { create } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { durationOf } from "../../../src/cel/values/duration.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { isList } from "../../../src/cel/values/types.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	ValueMap,
} from "../../../src/cel/values/value.ts";
import { described as describedByLibrary } from "../values.ts";

/** Around the ends of what doubles hold exactly, of int, of uint. */
const EDGES = [0n, 1n, 2n, 2n ** 53n, 2n ** 63n, 2n ** 64n].flatMap((edge) => [
	edge - 1n,
	edge,
	edge + 1n,
]);
const within = (min: bigint, max: bigint): fc.Arbitrary<bigint> =>
	fc.oneof(
		fc.constantFrom(
			...EDGES.flatMap((edge) => [edge, -edge]).filter((edge) => edge >= min && edge <= max),
		),
		fc.bigInt({ min, max }),
		fc.bigInt({ min: min < 0n ? -9n : 0n, max: 9n }),
	);

export const INTS = within(-(2n ** 63n), 2n ** 63n - 1n);
export const UINTS = within(0n, 2n ** 64n - 1n).map((value) => new Uint(value));
export const DOUBLES = fc.oneof(
	fc.double(),
	fc.integer({ min: -9, max: 9 }),
	fc.constantFrom(...EDGES.flatMap((edge) => [Number(edge), -Number(edge), Number(edge) + 0.5])),
);
/** Rich in characters that UTF-16 orders differently from code points. */
export const TEXTS = fc.string({
	unit: fc.oneof(
		fc.constantFrom("a", "b", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"),
		fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
	),
	maxLength: 5,
});
export const BYTES = fc.uint8Array({ maxLength: 4 });
export const TIMESTAMPS = fc
	.tuple(
		fc.oneof(
			fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
			fc.constantFrom(-62_135_596_800, -1, 0, 253_402_300_799),
		),
		fc.oneof(fc.nat(999_999_999), fc.constantFrom(0, 1, 999_999_999)),
	)
	.map(([seconds, nanos]) => new Timestamp(seconds, nanos));
export const DURATIONS = fc
	.tuple(
		fc.oneof(
			fc.integer({ min: -9_223_372_035, max: 9_223_372_035 }),
			fc.integer({ min: -2, max: 2 }),
			fc.constantFrom(-9_223_372_036, 9_223_372_036),
		),
		fc.integer({ min: -854_775_807, max: 854_775_807 }),
	)
	.map(([seconds, nanos]) => durationOf(seconds, nanos));

export const NUMBERS = fc.oneof(INTS, UINTS, DOUBLES);
export const KEYS = fc.oneof(fc.boolean(), TEXTS, INTS, UINTS);
export const SCALARS: fc.Arbitrary<Value> = fc.oneof(
	NUMBERS,
	fc.constant(null),
	fc.boolean(),
	TEXTS,
	BYTES,
	TIMESTAMPS,
	DURATIONS,
);

/** Keys that are one are put in once. */
const sameKey = (key: Value): Value => (key instanceof Uint ? key.value : key);

export const VALUES: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 2, withCrossShrink: true },
		SCALARS,
		fc.array(tie("value"), { maxLength: 3 }),
		fc
			.uniqueArray(fc.tuple(KEYS, tie("value")), {
				maxLength: 3,
				selector: ([key]) => sameKey(key),
			})
			.map((pairs) => entryMap(pairs)),
	),
})).value;

/** As `described` of `../values.ts` has the library's values: `[int 1, string "a"]`. */
export function described(value: Value): string {
	if (value instanceof Uint) return `uint ${value.value}`;
	if (value instanceof Timestamp) return `timestamp ${value.seconds}.${value.nanos}`;
	if (value instanceof Duration) return `duration ${value.seconds}.${value.nanos}`;
	if (value instanceof TypeValue) return `type ${value.name}`;
	if (value instanceof Optional) {
		return `optional ${value.value === undefined ? "none" : described(value.value)}`;
	}
	if (isList(value)) return `[${value.map(described).join(", ")}]`;
	if (value instanceof ValueMap) {
		const entries = value
			.keys()
			.map((key) => `${described(key)}: ${described(value.get(key) ?? null)}`);
		return `{${entries.toSorted().join(", ")}}`;
	}
	return describedByLibrary(value);
}

/** What `call` gives, described; `failure` if it throws one. */
export function outcome(call: () => Value): string {
	try {
		return described(call());
	} catch (failure) {
		if (failure instanceof EvaluationFailure) return "failure";
		throw failure;
	}
}

function toLibrary(value: Value): CelInput {
	if (value instanceof Uint) return celUint(value.value);
	if (value instanceof Timestamp || value instanceof Duration) {
		const { seconds, nanos } = value;
		const time = { seconds: BigInt(seconds), nanos };
		return value instanceof Timestamp
			? reflect(TimestampSchema, create(TimestampSchema, time))
			: reflect(DurationSchema, create(DurationSchema, time));
	}
	if (isList(value)) return celList(value.map(toLibrary));
	if (value instanceof ValueMap) {
		return celMap(
			new Map(
				value.keys().map((key) => [toLibrary(key), toLibrary(value.get(key) ?? null)] as never),
			),
		);
	}
	if (value instanceof TypeValue || value instanceof Optional)
		throw new Error("not in the library");
	return value;
}

const plans = new Map<string, ReturnType<typeof plan>>();

/** What the library makes of `source`, in which `a` and `b` are the operands; or `failure`. */
export function byLibrary(source: string, a: Value, b: Value = null): string {
	const run = plans.get(source) ?? planned(source);
	plans.set(source, run);
	const result = run({ a: toLibrary(a), b: toLibrary(b) });
	return isCelError(result) ? "failure" : describedByLibrary(result);
}

function planned(source: string): ReturnType<typeof plan> {
	const { expr } = parse(source);
	if (expr === undefined) throw new Error(`${source} is not understood`);
	return plan(celEnv(), expr);
}
