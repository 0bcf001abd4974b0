/**
 * A log line of level info as pino would write it, in a third of its time: fields are plain values of known names. Used by
 * `log.ts`; what is here for one value also by `json-bytes.ts`, which writes lines that there are one of for each request.
 */

/** Nothing that JSON escapes, and nothing beyond ASCII. */
export const PLAIN = /^[ !#-[\]-~]*$/;

let saidMs = -1;
let saidTime = "";

/** As `Date.toISOString`, of a time that is often the one before. */
export function timeText(nowMs: number): string {
	if (nowMs === saidMs) return saidTime;
	saidMs = nowMs;
	saidTime = new Date(nowMs).toISOString();
	return saidTime;
}

/** Numbers that JSON has no form for are null, as `JSON.stringify` has it. */
const valueText = (value: unknown): string | undefined => {
	if (typeof value === "string") return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
	if (typeof value === "number") return Number.isFinite(value) ? `${value}` : "null";
	return JSON.stringify(value);
};

/**
 * Hot.
 * @param fields names need no escaping; what is undefined is left out @param message of weir's own
 * @returns with its end @throws TypeError for what JSON can't hold: circles, bigints
 */
export function infoLine(
	fields: Readonly<Record<string, unknown>>,
	message: string,
	pid: number,
	nowMs: number,
): string {
	let line = `{"level":"info","time":"${timeText(nowMs)}","pid":${pid}`;
	// Entries would be an array for each field.
	for (const name in fields) {
		const value = fields[name];
		if (value === undefined) continue;
		const text = valueText(value);
		if (text !== undefined) line += `,"${name}":${text}`;
	}
	return `${line},"msg":${JSON.stringify(message)}}\n`;
}
