/** `content-type` taken apart (RFC 9110 8.3.1), and single headers as text. Called by `variables.ts`. */
import type { CelMap } from "@bufbuild/cel";
import { celMap } from "@bufbuild/cel";
import type { HeaderLines } from "../../../src/cel/attributes.ts";

/** The first line of a header, as sent; empty if there is none. */
export const rawLine = (lines: HeaderLines, name: string): string => lines.lines(name)[0] ?? "";

/** `text/html`, in lower case and without parameters. */
export function mediaType(lines: HeaderLines): string {
	const raw = rawLine(lines, "content-type");
	const semicolon = raw.indexOf(";");
	return (semicolon < 0 ? raw : raw.slice(0, semicolon)).trim().toLowerCase();
}

const PARAMETER = /;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/** Names in lower case, values as sent and without their quotes; the first of a name counts. */
export function mediaTypeParameters(lines: HeaderLines): CelMap {
	const parameters = new Map<string, string>();
	for (const match of rawLine(lines, "content-type").matchAll(PARAMETER)) {
		const name = match[1]?.toLowerCase() ?? "";
		const value = match[2]?.replace(/\\(.)/g, "$1") ?? match[3]?.trim() ?? "";
		if (!parameters.has(name)) parameters.set(name, value);
	}
	return celMap(parameters);
}
