/**
 * Reads lines in the common and the combined format of nginx and Apache, as weir, nginx and Apache write them. Hot: called by
 * `read-line.ts` for each line of such a log.
 */
import { bad, type ReadLine } from "./log-entry.ts";

/** address, identity, user, time, request, status, bytes; then referer and user agent, and whatever others have behind them */
const LINE =
	/^(\S+) \S+ (.+?) \[([^\]]{20,32})\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/;
const REQUEST = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) (HTTP\/\d(?:\.\d)?)$/;
const TIME = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

export function combinedEntry(line: string): ReadLine {
	const match = LINE.exec(line);
	if (match === null) return bad(NO_LINE);
	const [, clientIp = "", , time = "", asked = "", status = "", bytes = "", referer, agent] = match;
	const atMs = timeOf(time);
	if (Number.isNaN(atMs)) return bad("its time is none, such as 31/Jan/2027:18:00:00 +0000");
	const request = REQUEST.exec(unescaped(asked));
	// a request that was never read to its end, or malformed
	if (request === null) return { kind: "refused" };
	const [, method = "", target = "", httpVersion = ""] = request;
	const { host, rawPath, rawQuery } = targetParts(target);
	const headers: string[] = [];
	if (agent !== undefined && agent !== "-") headers.push("user-agent", unescaped(agent));
	if (referer !== undefined && referer !== "-") headers.push("referer", unescaped(referer));
	return {
		kind: "request",
		entry: {
			form: "combined",
			startMs: atMs,
			endMs: atMs,
			requestId: "",
			edgeId: "",
			routeId: "",
			clientIp: clientIp === "-" ? "" : clientIp,
			country: undefined,
			method,
			host,
			rawPath,
			rawQuery,
			httpVersion,
			status: Number(status),
			outcome: "",
			errorCode: undefined,
			phase: undefined,
			rule: undefined,
			ruleName: "",
			limit: undefined,
			scheme: undefined,
			tlsVersion: "",
			tlsSni: "",
			tlsJa4: "",
			headers,
			responseHeaders: NO_LINES,
			isSampled: false,
			bytesOut: bytes === "-" ? 0 : Number(bytes),
		},
	};
}

const NO_LINE =
	'it is neither JSON nor in the combined format (ADDRESS - USER [TIME] "REQUEST" STATUS BYTES …)';
const NO_LINES: readonly string[] = Object.freeze([]);

let parsedText = "";
let parsedMs = Number.NaN;

/** Of a whole second. @returns NaN for what is no time */
function timeOf(text: string): number {
	if (text === parsedText) return parsedMs;
	parsedText = text;
	const [, day, month = "", year, clock, hours, minutes] = TIME.exec(text) ?? [];
	const index = MONTHS.indexOf(month) / 3;
	const number = String(index + 1).padStart(2, "0");
	const isMonth = month.length === 3 && Number.isInteger(index);
	parsedMs = isMonth
		? Date.parse(`${year}-${number}-${day}T${clock}${hours}:${minutes}`)
		: Number.NaN;
	return parsedMs;
}

/** nginx writes `\x22`, Apache `\"`; bytes of UTF-8 each for itself. */
function unescaped(text: string): string {
	if (!text.includes("\\")) return text;
	const bytes = text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_all, hex: string, plain: string) =>
		hex === undefined ? (CONTROLS[plain] ?? plain) : String.fromCharCode(Number.parseInt(hex, 16)),
	);
	return Buffer.from(bytes, "latin1").toString("utf8");
}

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Clients of proxies ask for whole URLs. */
function targetParts(target: string): {
	readonly host: string;
	readonly rawPath: string;
	readonly rawQuery: string | undefined;
} {
	const [, host = ""] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
	const rest = host === "" ? target : target.slice(target.indexOf(host) + host.length) || "/";
	const mark = rest.indexOf("?");
	const rawPath = (mark < 0 ? rest : rest.slice(0, mark)) || "/";
	return { host, rawPath, rawQuery: mark < 0 ? undefined : rest.slice(mark + 1) };
}
