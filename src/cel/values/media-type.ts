/**
 * The media type of a `content-type` header (RFC 9110 8.3.1), and single headers as text. The rows of variables in
 * `variables/` name these functions.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { charge } from "../budget.ts";
import type { HeaderLines } from "./header-lines.ts";

/** The first line of a header, as sent; empty if there is none. */
export const rawLine = (lines: HeaderLines, name: string): string => lines.lines(name)[0] ?? "";

/** Nanoseconds for a character; a type is hardly ever longer than so many. */
const CHARACTER_NS = 10;
const UNCOUNTED_CHARACTERS = 64;

/** `text/html`, in lower case and without parameters. */
export function mediaType(lines: HeaderLines): string {
	const raw = rawLine(lines, "content-type");
	const semicolon = raw.indexOf(";");
	const type = semicolon < 0 ? raw : raw.slice(0, semicolon);
	if (type.length > UNCOUNTED_CHARACTERS) charge(type.length * CHARACTER_NS);
	return asciiLowerCase(type.trim());
}
