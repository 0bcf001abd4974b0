/**
 * A request's line in the combined format of nginx and Apache, for programs that read no JSON. What clients send is
 * escaped as nginx does it, so that nobody can end a text or a line. Used by `access-log.ts`.
 */
import { presentedIn } from "../../http/credentials.ts";
import { bounded } from "./logged-headers.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** Control characters, quotes, backslashes, and all beyond ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const ESCAPED = /["\\\u0000-\u001f\u007f-\uffff]/;
const HEX = "0123456789ABCDEF";

/** Bytes of UTF-8 as `\xC3`. */
function escaped(text: string): string {
	const short = bounded(text);
	if (!ESCAPED.test(short)) return short;
	let line = "";
	for (const byte of Buffer.from(short)) {
		const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
		line += isPlain ? String.fromCharCode(byte) : `\\x${HEX[byte >> 4]}${HEX[byte & 15]}`;
	}
	return line;
}

const orDash = (text: string): string => (text === "" ? "-" : text);

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (number: number): string => String(number).padStart(2, "0");

let saidSecond = -1;
let saidTime = "";

/** In UTC: `22/Nov/2026:17:22:07 +0000`. */
function timeText(nowMs: number): string {
	const second = Math.floor(nowMs / 1000);
	if (second === saidSecond) return saidTime;
	const time = new Date(nowMs);
	const day = `${two(time.getUTCDate())}/${MONTHS[time.getUTCMonth()]}/${time.getUTCFullYear()}`;
	const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(":");
	saidSecond = second;
	saidTime = `${day}:${clock} +0000`;
	return saidTime;
}

/** A name stands between blanks, without quotes. */
const userOf = (lines: LoggedRequest["head"]["lines"]): string => {
	const [field] = lines.lines("authorization");
	const user = field === undefined ? "" : (presentedIn(field)?.user ?? "");
	return orDash(escaped(user).replaceAll(" ", "\\x20"));
};

/** Without its end. @param withQuery whether queries are told, of the referer too */
export function combinedLine(
	request: LoggedRequest,
	statusCode: number,
	withQuery: boolean,
	nowMs: number,
): string {
	const { method, rawPath, rawQuery, lines } = request.head;
	const target = withQuery && rawQuery !== undefined ? `${rawPath}?${rawQuery}` : rawPath;
	const [referer = ""] = lines.lines("referer");
	const [agent = ""] = lines.lines("user-agent");
	const from = withQuery ? referer : referer.replace(/[?#].*$/s, "");
	const first = `${orDash(request.loggedIp)} - ${userOf(lines)} [${timeText(nowMs)}]`;
	const asked = `"${escaped(method)} ${escaped(target)} ${request.httpVersion}"`;
	const status = String(statusCode).padStart(3, "0");
	return `${first} ${asked} ${status} ${request.bytesOut} "${orDash(escaped(from))}" "${orDash(escaped(agent))}"`;
}

/** Of a request that was refused while it was read: what is known of it. */
export const combinedRefusal = (
	clientIp: string,
	method: string,
	path: string,
	statusCode: number,
	nowMs: number,
): string => {
	const asked = method === "" ? "-" : `${escaped(method)} ${escaped(path)}`;
	return `${orDash(clientIp)} - - [${timeText(nowMs)}] "${asked}" ${statusCode} 0 "-" "-"`;
};
