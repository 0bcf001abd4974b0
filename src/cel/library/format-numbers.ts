/**
 * Numbers as `%f`, `%e`, `%s` and `%d` of `format` write them (strings extension of CEL). A double is
 * rounded as the number that it exactly is, ties to the even digit; the platform's `toFixed` rounds them up
 * and ends at 100 digits. Called by `format.ts`.
 */
import { charge } from "../budget.ts";
import { boundedText } from "../values/concatenation.ts";

/** A number without sign: `digits` / 10^`scale`; the digits have no zeros in front. */
interface Decimal {
	readonly digits: string;
	readonly scale: number;
}

const bits = new DataView(new ArrayBuffer(8));
const MANTISSA_BITS = 52n;
/** mantissa × 2^(exponent − this) is the double */
const EXPONENT_BIAS = 1075;
/** Nanoseconds for the digits of a fraction: measured some 500, and 30 more a binary place. */
const DIGITS_NS = 500;
const BINARY_PLACE_NS = 30;
/** of the smallest doubles, which take longest */
const BINARY_PLACES_MAX = 1074;
/** Nanoseconds for one number, its precision aside. */
export const NUMBER_NS = DIGITS_NS + BINARY_PLACE_NS * BINARY_PLACES_MAX;

function decimalOf(magnitude: number | bigint): Decimal {
	if (typeof magnitude === "bigint") return { digits: String(magnitude), scale: 0 };
	if (Number.isInteger(magnitude)) return { digits: String(BigInt(magnitude)), scale: 0 };
	bits.setFloat64(0, magnitude);
	const pattern = bits.getBigUint64(0);
	const exponent = Number(pattern >> MANTISSA_BITS);
	const fraction = pattern & ((1n << MANTISSA_BITS) - 1n);
	// the smallest doubles have no leading one
	const mantissa = exponent === 0 ? fraction : fraction | (1n << MANTISSA_BITS);
	const scale = EXPONENT_BIAS - Math.max(exponent, 1);
	charge(DIGITS_NS + BINARY_PLACE_NS * scale);
	// m / 2^s = m × 5^s / 10^s
	return { digits: String(mantissa * 5n ** BigInt(scale)), scale };
}

/** The digits without the last `count`, to which they are rounded, half to even. */
function rounded(digits: string, count: number): string {
	const all = digits.padStart(count + 1, "0");
	const kept = all.slice(0, all.length - count);
	const dropped = all.slice(all.length - count);
	const isHalf = /^50*$/.test(dropped);
	const isUp = isHalf ? Number(kept.at(-1)) % 2 === 1 : dropped >= "5";
	return isUp ? String(BigInt(kept) + 1n) : kept;
}

/** Digits and a sign, or the name of what is no finite number. */
function withSign(value: number | bigint, write: (magnitude: number | bigint) => string): string {
	if (typeof value === "bigint") return value < 0n ? `-${write(-value)}` : write(value);
	if (!Number.isFinite(value)) return String(value);
	return value < 0 || Object.is(value, -0) ? `-${write(-value)}` : write(value);
}

/** `[-]dddd.dddd` with `precision` decimals, and without the point if there are none. */
export const fixedText = (value: number | bigint, precision: number): string =>
	withSign(value, (magnitude) => {
		boundedText(precision);
		const { digits, scale } = decimalOf(magnitude);
		const missing = precision - scale;
		const all = missing < 0 ? rounded(digits, -missing) : digits + "0".repeat(missing);
		return pointed(all.padStart(precision + 1, "0"), precision);
	});

/** `[-]d.dddde±dd` with `precision` decimals. */
export const scientificText = (value: number | bigint, precision: number): string =>
	withSign(value, (magnitude) => {
		boundedText(precision);
		const { digits, scale } = decimalOf(magnitude);
		const wanted = precision + 1;
		const surplus = digits.length - wanted;
		const all = surplus > 0 ? rounded(digits, surplus) : digits.padEnd(wanted, "0");
		// 9.9 may have become 10
		const exponent = digits.length - 1 - scale + (all.length - wanted);
		const power = String(Math.abs(exponent)).padStart(2, "0");
		return `${pointed(all.slice(0, wanted), precision)}e${exponent < 0 ? "-" : "+"}${power}`;
	});

const pointed = (digits: string, decimals: number): string =>
	decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;

/** The fewest digits that tell a double from its neighbours, never with an exponent. */
export const shortestText = (value: number | bigint): string =>
	withSign(value, (magnitude) => {
		const text = String(magnitude);
		const [significand = "", power] = text.split("e");
		if (power === undefined) return text;
		const [whole = "", decimals = ""] = significand.split(".");
		const exponent = Number(power);
		const digits = whole + decimals;
		if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
		return digits.padEnd(exponent + 1, "0");
	});
