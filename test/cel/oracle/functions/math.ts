/** The math extension. */
import {
	type CelFunc,
	CelScalar,
	type CelValue,
	celFunc,
	celUint,
	isCelList,
	isCelUint,
} from "@bufbuild/cel";
import { variadic } from "./variadic.ts";

const { INT, UINT, DOUBLE, BOOL } = CelScalar;

const isNumber = (value: CelValue): value is number | bigint | ReturnType<typeof celUint> =>
	typeof value === "number" || typeof value === "bigint" || isCelUint(value);

const plain = (value: CelValue): number | bigint => {
	if (!isNumber(value)) throw new Error("no number");
	return typeof value === "object" ? value.value : value;
};

type Pair = readonly [number | bigint, number | bigint];

/** Beside a double an int is a double. */
const alike = (a: number | bigint, b: number | bigint): Pair =>
	typeof a === typeof b ? [a, b] : [Number(a), Number(b)];

/** Of equal ones the first. */
function extreme(
	values: readonly CelValue[],
	isBetter: (a: number | bigint, b: number | bigint) => boolean,
) {
	const [only] = values;
	const all = values.length === 1 && isCelList(only) ? [...only] : values;
	if (all.length === 0) throw new Error("an empty list");
	let best: CelValue | undefined;
	for (const each of all) {
		const number = plain(each);
		if (Number.isNaN(number) && all.length > 1) throw new Error("NaN has no place in an order");
		if (best === undefined || isBetter(...alike(number, plain(best)))) best = each;
	}
	return best ?? null;
}

const within = (value: bigint): bigint => {
	if (value !== BigInt.asIntN(64, value)) throw new Error("int overflow");
	return value;
};

/** Half away from zero. */
const rounded = (value: number): number => {
	const size = Math.abs(value);
	const below = Math.floor(size);
	return Math.sign(value) * (size - below >= 0.5 ? below + 1 : below);
};

const shift = (by: bigint): bigint => {
	if (by < 0n) throw new Error("a negative shift");
	return by > 64n ? 64n : by;
};

const doubles: Readonly<Record<string, (value: number) => number>> = {
	"math.ceil": Math.ceil,
	"math.floor": Math.floor,
	"math.round": rounded,
	"math.trunc": Math.trunc,
};

const bits: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
	"math.bitAnd": (a, b) => a & b,
	"math.bitOr": (a, b) => a | b,
	"math.bitXor": (a, b) => a ^ b,
};

export const MATH: readonly CelFunc[] = [
	...["math.greatest", "math.@max"].map((name) =>
		variadic(name, (values) => extreme(values, (a, b) => a > b)),
	),
	...["math.least", "math.@min"].map((name) =>
		variadic(name, (values) => extreme(values, (a, b) => a < b)),
	),
	...Object.entries(doubles).map(([name, call]) => celFunc(name, [DOUBLE], DOUBLE, call)),
	celFunc("math.abs", [INT], INT, (value) => within(value < 0n ? -value : value)),
	celFunc("math.abs", [UINT], UINT, (value) => value),
	celFunc("math.abs", [DOUBLE], DOUBLE, Math.abs),
	celFunc("math.sign", [INT], INT, (value) => (value > 0n ? 1n : value < 0n ? -1n : 0n)),
	celFunc("math.sign", [UINT], UINT, ({ value }) => celUint(value > 0n ? 1n : 0n)),
	celFunc("math.sign", [DOUBLE], DOUBLE, (value) => Math.sign(value) + 0),
	celFunc("math.isNaN", [DOUBLE], BOOL, Number.isNaN),
	celFunc("math.isInf", [DOUBLE], BOOL, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
	celFunc("math.isFinite", [DOUBLE], BOOL, Number.isFinite),
	celFunc("math.sqrt", [INT], DOUBLE, (value) => Math.sqrt(Number(value))),
	celFunc("math.sqrt", [UINT], DOUBLE, ({ value }) => Math.sqrt(Number(value))),
	celFunc("math.sqrt", [DOUBLE], DOUBLE, Math.sqrt),
	...Object.entries(bits).flatMap(([name, call]) => [
		celFunc(name, [INT, INT], INT, call),
		celFunc(name, [UINT, UINT], UINT, (a, b) => celUint(call(a.value, b.value))),
	]),
	celFunc("math.bitNot", [INT], INT, (value) => ~value),
	celFunc("math.bitNot", [UINT], UINT, ({ value }) => celUint(BigInt.asUintN(64, ~value))),
	celFunc("math.bitShiftLeft", [INT, INT], INT, (a, by) => BigInt.asIntN(64, a << shift(by))),
	celFunc("math.bitShiftLeft", [UINT, INT], UINT, (a, by) =>
		celUint(BigInt.asUintN(64, a.value << shift(by))),
	),
	// an int is moved as if it were a uint: zeros come in
	celFunc("math.bitShiftRight", [INT, INT], INT, (a, by) =>
		BigInt.asIntN(64, BigInt.asUintN(64, a) >> shift(by)),
	),
	celFunc("math.bitShiftRight", [UINT, INT], UINT, (a, by) => celUint(a.value >> shift(by))),
];
