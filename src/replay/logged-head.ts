/**
 * The head of a replayed request, and its header lines, as far as a line of a log tells them. Used by `replay.ts` and
 * `replayed-exchange.ts`.
 */
import { FlatHeaders } from "../edge/request/header-lines.ts";
import type { RequestHead } from "../edge/request/request-head.ts";
import { FlatRequestLines } from "../edge/request/request-lines.ts";
import { NOT_ASCII } from "../http/fields.ts";
import { normalizePath } from "../http/path.ts";
import { type Authority, parseAuthority } from "../http/target.ts";
import type { Lacks } from "./lacks.ts";
import type { LogEntry } from "./log-entry.ts";
import { noteField } from "./logged-values.ts";

const NO_HOST: Authority = { host: "", port: undefined };
class LoggedLines extends FlatRequestLines {
	readonly #lacks: Lacks;

	constructor(flat: readonly string[], lacks: Lacks) {
		super(flat, false);
		this.#lacks = lacks;
	}

	override lines(name: string): readonly string[] {
		const found = super.lines(name);
		noteField("request", name, found, this.#lacks);
		return found;
	}
}

export class LoggedAnswer extends FlatHeaders {
	readonly #lacks: Lacks;

	constructor(flat: readonly string[], lacks: Lacks) {
		super(flat);
		this.#lacks = lacks;
	}

	override lines(name: string): readonly string[] {
		const found = super.lines(name);
		noteField("response", name, found, this.#lacks);
		return found;
	}
}

/** Kept for the lines of one host, of which there are few. */
let lastHost = "";
let lastAuthority = NO_HOST;
function authorityOf(host: string): Authority {
	if (host === lastHost) return lastAuthority;
	lastHost = host;
	lastAuthority = parseAuthority(host) ?? { host, port: undefined };
	return lastAuthority;
}

export const fieldIn = (flat: readonly string[], name: string): string | undefined => {
	for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return flat[at + 1];
	return undefined;
};

/** The head that both policies see: nothing of it changes. */
export function headOf(entry: LogEntry, lacks: Lacks): RequestHead {
	const { method, rawPath, rawQuery, headers } = entry;
	const given = fieldIn(headers, "host");
	const host = given ?? entry.host;
	const all = given === undefined && host !== "" ? ["host", host, ...headers] : headers;
	const path = rawPath === "*" ? rawPath : (normalizePath(rawPath) ?? rawPath);
	// Not spread: an object that is takes ten times as long to make.
	return {
		method,
		rawPath,
		rawQuery,
		host,
		path,
		lines: new LoggedLines(all, lacks),
		bodyLength: 0,
		authority: host === "" ? NO_HOST : authorityOf(host),
		ascii: !NOT_ASCII.test(rawPath) && (rawQuery === undefined || !NOT_ASCII.test(rawQuery)),
		upgrade: false,
		via: false,
	};
}

/** What is cut in the line, or stands in it without being whole. */
export function noteCut({ rawPath, rawQuery }: LogEntry, lacks: Lacks): void {
	if (rawPath.endsWith("…") || rawQuery?.endsWith("…") === true)
		lacks.note("whole URL", "Texts are cut at 1024 characters; it was taken as it stands there.");
}
