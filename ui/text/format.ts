/**
 * Numbers, times and durations as people read them. Used by all pages. What changes every second keeps its width as far
 * as it can, so that nothing beside it moves.
 */

const THOUSANDS = [
	[1e9, "G"],
	[1e6, "M"],
	[1e3, "k"],
] as const;

/** `812`, `9,120`, `12.4k`, `1.25M`: four characters of digits at most */
export function count(value: number): string {
	if (value < 10_000) return grouped(Math.round(value));
	const [unit, name] = THOUSANDS.find(([each]) => value >= each * 0.9995) ?? [1, ""];
	const scaled = value / unit;
	return `${scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0)}${name}`;
}

/** A rate per second: one decimal below ten. */
export function rate(value: number): string {
	if (value === 0) return "0";
	if (value < 0.05) return "<0.1";
	return value < 9.95 ? value.toFixed(1) : count(value);
}

/** `12,345,678`, for what is to be compared with other tools */
export const grouped = (value: number): string => value.toLocaleString("en-GB");

/** `0.08 ms`, `1.2 ms`, `140 ms`, `2.3 s`; null is `–` */
export function milliseconds(value: number | null): string {
	if (value === null) return "–";
	if (value >= 9_950) return `${(value / 1000).toFixed(0)} s`;
	if (value >= 999.5) return `${(value / 1000).toFixed(1)} s`;
	return `${value.toFixed(value < 0.995 ? 2 : value < 9.95 ? 1 : 0)} ms`;
}

/** A share of a whole, `0.4 %`; of nothing it is nothing. */
export function share(part: number, whole: number): string {
	if (whole === 0 || part === 0) return "0 %";
	const percent = Math.min((100 * part) / whole, 100);
	if (percent < 0.1) return "<0.1 %";
	return `${percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
}

export function bytes(value: number | null): string {
	if (value === null) return "–";
	if (value < 1e9) return `${(value / 1e6).toFixed(0)} MB`;
	return `${(value / 1e9).toFixed(1)} GB`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long: `a moment`, `12 s`, `4 min`, `3 h 20 min`, `5 d` */
export function duration(elapsed: number): string {
	if (elapsed < SECOND) return "a moment";
	if (elapsed < MINUTE) return `${Math.floor(elapsed / SECOND)} s`;
	if (elapsed < HOUR) return `${Math.floor(elapsed / MINUTE)} min`;
	if (elapsed >= 2 * DAY) return `${Math.floor(elapsed / DAY)} d`;
	const minutes = Math.floor((elapsed % HOUR) / MINUTE);
	return `${Math.floor(elapsed / HOUR)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", {
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
});

/** The time of day where the reader is: `14:03:22` */
export const clock = (time: number): string => CLOCK.format(time);

/** `1 rule`, `12 rules`, `2 entries` */
export function plural(number: number, one: string, many = `${one}s`): string {
	return `${grouped(number)} ${number === 1 ? one : many}`;
}
