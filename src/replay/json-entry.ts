/**
 * Reads weir's own access lines (docs/operations.md, "Access log"). Hot: called by `read-line.ts` for each line of a log. What
 * others have written is believed in nothing but its form.
 */
import { bad, type LogEntry, OTHER, REFUSED, type ReadLine } from "./log-entry.ts";

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const known = (value: unknown): string | undefined =>
	typeof value === "string" ? value : undefined;
const number = (value: unknown, otherwise: number): number =>
	typeof value === "number" && Number.isFinite(value) ? value : otherwise;
const fieldsOf = (value: unknown): Fields =>
	typeof value === "object" && value !== null ? (value as Fields) : NO_FIELDS;
const NO_FIELDS: Fields = Object.freeze({});
const NO_LINES: readonly string[] = Object.freeze([]);

/** How weir begins its lines, and what it begins a duration with; neither can stand in a text, whose quotes are escaped. */
const BEGINNING = '{"level":"info","time":"';
const DURATION = ',"duration_ms":';
const ENDING = '"msg":"request"}';
const TIME_CHARACTERS = "2027-01-31T18:00:00.000Z".length;

/**
 * The times of a line as weir writes it, without reading all of it: most of the lines that wait for earlier ones are best kept as
 * they are. @returns undefined: it may be anything
 */
export function timesIn(
	line: string,
): { readonly startMs: number; readonly endMs: number } | undefined {
	if (!line.startsWith(BEGINNING) || !line.endsWith(ENDING)) return undefined;
	const at = line.indexOf(DURATION, BEGINNING.length + TIME_CHARACTERS);
	if (at < 0) return undefined;
	const endMs = timeOf(line.slice(BEGINNING.length, BEGINNING.length + TIME_CHARACTERS));
	const from = at + DURATION.length;
	const duration = Number(line.slice(from, line.indexOf(",", from)));
	return Number.isNaN(endMs + duration) ? undefined : { startMs: startOf(endMs, duration), endMs };
}

/** @param line that begins with `{` */
export function jsonEntry(line: string): ReadLine {
	let fields: Fields;
	try {
		fields = fieldsOf(JSON.parse(line));
	} catch {
		return bad("it is no whole JSON object");
	}
	const { msg } = fields;
	if (msg !== "request") {
		if (msg === "refused") return REFUSED;
		return typeof msg === "string" && "level" in fields ? OTHER : bad(NO_LINE_OF_WEIR);
	}
	const endMs = timeOf(text(fields.time));
	if (Number.isNaN(endMs)) return bad('its "time" is no time such as 2027-01-31T18:00:00.000Z');
	const { method, path, status } = fields;
	if (typeof method !== "string" || typeof path !== "string" || typeof status !== "number")
		return bad('it lacks one of "method", "path" and "status"');
	return { kind: "request", entry: entryOf(fields, { endMs, method, path, status }) };
}

const NO_LINE_OF_WEIR = 'it is JSON without "msg" and "level", so no line of weir\'s log';

interface Needed {
	readonly endMs: number;
	readonly method: string;
	readonly path: string;
	readonly status: number;
}

function entryOf(fields: Fields, { endMs, method, path, status }: Needed): LogEntry {
	const tls = fields.tls === undefined ? undefined : fieldsOf(fields.tls);
	return {
		form: "json",
		startMs: startOf(endMs, number(fields.duration_ms, 0)),
		endMs,
		requestId: text(fields.request_id),
		edgeId: text(fields.edge),
		routeId: text(fields.route),
		clientIp: text(fields.client_ip),
		country: known(fields.country),
		method,
		host: text(fields.host),
		rawPath: path,
		rawQuery: known(fields.query),
		httpVersion: text(fields.protocol),
		status,
		outcome: text(fields.outcome),
		errorCode: known(fields.error_code),
		phase: known(fields.phase),
		rule: typeof fields.rule === "number" ? fields.rule : undefined,
		ruleName: text(fields.rule_name),
		limit: known(fields.rate_limit),
		scheme: tls === undefined ? "http" : "https",
		tlsVersion: text(tls?.version),
		tlsSni: text(tls?.sni),
		tlsJa4: text(tls?.ja4),
		headers: requestLines(fields),
		responseHeaders: flat(fieldsOf(fields.response_headers)),
		bytesOut: number(fields.bytes_out, 0),
		isSampled: fields.sample_rate !== undefined,
	};
}

/**
 * A line's time is the whole millisecond in which the request ended, its duration is exact. What began after another request had
 * ended is never put before it by this: `end` of the one − 1 is no more than the start of the other, rounded down.
 */
const startOf = (endMs: number, durationMs: number): number =>
	durationMs > 0 ? Math.floor(endMs - durationMs) : endMs;

let parsedText = "";
let parsedMs = Number.NaN;

/** Hot: many lines have the time of the one before. @returns NaN for what is no time */
function timeOf(time: string): number {
	if (time === parsedText) return parsedMs;
	parsedText = time;
	parsedMs = Date.parse(time);
	return parsedMs;
}

function requestLines(fields: Fields): readonly string[] {
	const lines = fields.headers === undefined ? [] : flat(fieldsOf(fields.headers)).slice();
	if (typeof fields.user_agent === "string" && !lines.includes("user-agent"))
		lines.push("user-agent", fields.user_agent);
	if (typeof fields.referer === "string" && !lines.includes("referer"))
		lines.push("referer", fields.referer);
	return lines;
}

function flat(fields: Fields): readonly string[] {
	if (fields === NO_FIELDS) return NO_LINES;
	const lines: string[] = [];
	for (const name in fields) {
		const value = fields[name];
		if (typeof value === "string") lines.push(name, value);
	}
	return lines;
}
