/** Reads `--expires` of `weir keys create`: a span from now, or a time. Pure. Called by `key-choices.ts`. */
import { fail, ok, type Result } from "../../errors.ts";

const HOUR_MS = 3_600_000;
const UNITS_MS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS } as const;

/** the last year that four digits can say */
const LATEST_MS = Date.UTC(10_000, 0) - 1;

const SPAN = /^([1-9]\d{0,5})([hdw])$/;
/** A date alone is its first moment in UTC; a time says how far it is from UTC. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** @param nowMs since 1970 @returns RFC 3339 in UTC; the error is a sentence */
export function parseExpiry(text: string, nowMs: number): Result<string, string> {
	const span = SPAN.exec(text);
	const unitMs = UNITS_MS[(span?.[2] ?? "d") as keyof typeof UNITS_MS];
	const atMs = span === null ? timeOf(text) : nowMs + Number(span[1]) * unitMs;
	if (atMs === undefined || !(atMs <= LATEST_MS))
		return fail(
			`--expires: "${text}" is no span and no date; write e.g. 90d (or h, w), 2027-01-31 or 2027-01-31T18:00:00Z`,
		);
	const expiresAt = new Date(atMs).toISOString();
	if (atMs <= nowMs) return fail(`--expires: ${expiresAt} has passed already`);
	return ok(expiresAt);
}

/** Undefined of what is no time, such as the 31st of February, which `Date` would take for one in March. */
function timeOf(text: string): number | undefined {
	if (!TIME.test(text)) return undefined;
	const day = text.slice(0, 10);
	const midnight = new Date(`${day}T00:00:00Z`);
	const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
	return isDay ? Date.parse(text) : undefined;
}
