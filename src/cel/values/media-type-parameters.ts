/** Parameters of `content-type` (RFC 9110 8.3.1) as a map. Called by `derived.ts`. */
import { asciiLowerCase } from "../../ascii.ts";
import { charge } from "../budget.ts";
import { type EntryMap, mapFromStrings } from "./entry-map.ts";
import type { HeaderLines } from "./header-lines.ts";
import { rawLine } from "./media-type.ts";

/** Nanoseconds for a character. */
const CHARACTER_NS = 50;

const PARAMETER = /;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/** Names in lower case, values as sent and without their quotes; the first of a name counts. */
export function mediaTypeParameters(lines: HeaderLines): EntryMap {
	const line = rawLine(lines, "content-type");
	charge(line.length * CHARACTER_NS);
	const parameters = new Map<string, string>();
	for (const match of line.matchAll(PARAMETER)) {
		const name = asciiLowerCase(match[1] ?? "");
		const value = match[2]?.replace(/\\(.)/g, "$1") ?? match[3]?.trim() ?? "";
		if (!parameters.has(name)) parameters.set(name, value);
	}
	return mapFromStrings(parameters);
}
