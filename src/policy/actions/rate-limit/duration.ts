/**
 * Durations as Go writes them (`90s`, `1h30m`, `1.5m`), for a rate-limit's `rate` (contract 5).
 * Exact: decimal fractions are never rounded through floating point.
 */

import { Cache } from "../../../cel/cache.ts";
import { quoted } from "../../../documents/nearest.ts";
import { fail, ok, type Result } from "../../../errors.ts";
import { LIMITS } from "../../../limits/limits.ts";

const NANOSECONDS: Readonly<Record<string, bigint>> = {
	ns: 1n,
	us: 1000n,
	µs: 1000n,
	μs: 1000n,
	ms: 1_000_000n,
	s: 1_000_000_000n,
	m: 60_000_000_000n,
	h: 3_600_000_000_000n,
};
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Number and unit; Go allows `1.h` and `.5h`, and needs a digit somewhere. */
const TERM = /(\d*)(?:\.(\d*))?([a-zµμ]+)/y;

/** Nobody writes a longer duration; the bound keeps the arithmetic small. */
const DURATION_CHARACTERS = 64;

/**
 * Go's `time.ParseDuration`, without its overflow.
 * @returns nanoseconds, with fractions of one cut off; or a sentence that says what is wrong
 */
export function parseDuration(text: string): Result<bigint, string> {
	if (text.length > DURATION_CHARACTERS) return fail("is too long for a duration");
	const signed = /^[+-]/.test(text);
	const digits = signed ? text.slice(1) : text;
	if (digits === "0") return ok(0n);
	if (/^\d+$/.test(digits)) {
		return fail(`${quoted(text)} has no unit; did you mean "${text}s"?`);
	}
	let total = 0n;
	TERM.lastIndex = 0;
	while (TERM.lastIndex < digits.length || digits === "") {
		const match = TERM.exec(digits);
		if (match === null) return fail(`${quoted(text)} is no duration; write e.g. "90s" or "1h30m"`);
		const term = nanoseconds(match[1] ?? "", match[2] ?? "", match[3] ?? "");
		if (!term.ok) return term;
		total += term.value;
	}
	return ok(text.startsWith("-") ? -total : total);
}

function nanoseconds(whole: string, fraction: string, unit: string): Result<bigint, string> {
	const size = Object.hasOwn(NANOSECONDS, unit) ? NANOSECONDS[unit] : undefined;
	if (size === undefined) {
		return fail(`unknown unit ${quoted(unit)} in a duration; units are h, m, s, ms, us, ns`);
	}
	if (whole === "" && fraction === "") return fail("a number is missing before a unit");
	const scale = 10n ** BigInt(fraction.length);
	return ok((BigInt(`${whole}${fraction}`) * size) / scale);
}

/**
 * A rate-limit's window: 60 s to 24 h, a whole multiple of 10 s (contract 5).
 * @returns milliseconds, or a sentence that says what is wrong
 */
export function parseRate(text: string): Result<number, string> {
	if (text.length > DURATION_CHARACTERS) return rateOf(text);
	return RATES.get(text) ?? RATES.put(text, rateOf(text));
}

/** Many policies have few of them. */
const RATES = new Cache<Result<number, string>>(LIMITS.ratesKept);

function rateOf(text: string): Result<number, string> {
	const parsed = parseDuration(text);
	if (!parsed.ok) return parsed;
	const milliseconds = Number(parsed.value / NANOSECONDS_PER_MILLISECOND);
	if (parsed.value < BigInt(LIMITS.rateMinMs) * NANOSECONDS_PER_MILLISECOND) {
		return fail(`${quoted(text)} is too short; at least ${formatDuration(LIMITS.rateMinMs)}`);
	}
	if (parsed.value > BigInt(LIMITS.rateMaxMs) * NANOSECONDS_PER_MILLISECOND) {
		return fail(`${quoted(text)} is too long; at most ${formatDuration(LIMITS.rateMaxMs)}`);
	}
	if (parsed.value % (BigInt(LIMITS.rateStepMs) * NANOSECONDS_PER_MILLISECOND) !== 0n) {
		return fail(
			`${quoted(text)} is no whole multiple of ${formatDuration(LIMITS.rateStepMs)}, e.g. "90s" or "10m"`,
		);
	}
	return ok(milliseconds);
}

/** Whole milliseconds in the shortest of the accepted spellings: `5400000` is `1h30m`. */
export function formatDuration(milliseconds: number): string {
	const hours = Math.floor(milliseconds / 3_600_000);
	const minutes = Math.floor(milliseconds / 60_000) % 60;
	const seconds = Math.floor(milliseconds / 1000) % 60;
	const rest = milliseconds % 1000;
	const parts = [
		hours > 0 ? `${hours}h` : "",
		minutes > 0 ? `${minutes}m` : "",
		seconds > 0 ? `${seconds}s` : "",
		rest > 0 ? `${rest}ms` : "",
	];
	return parts.join("") || "0s";
}
