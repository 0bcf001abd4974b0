/**
 * Header fields in access lines: those that the configuration names, cut to a length, and credentials never whole. Used
 * by `access-line.ts`; by `explain/live/redacted.ts` for what is redacted.
 */
import type { HeaderLines } from "../../cel/attributes.ts";
import { LIMITS } from "../../limits/limits.ts";

const HIDDEN = "[redacted]";

/** What is longer is cut, and ends in an ellipsis. */
export function bounded(text: string): string {
	const most = LIMITS.accessTextCharacters;
	if (text.length <= most) return text;
	const last = text.charCodeAt(most - 1);
	// not within a pair that makes one character
	const isSplit = last >= 0xd800 && last < 0xdc00;
	return `${text.slice(0, isSplit ? most - 1 : most)}…`;
}

/** `Bearer [redacted]` */
const scheme = (value: string): string => {
	const [, name] = /^([A-Za-z][A-Za-z0-9-]{0,31}) +./.exec(value) ?? [];
	return name === undefined ? HIDDEN : `${name} ${HIDDEN}`;
};

/** `sid=[redacted]` */
const pair = (text: string): string => {
	const end = text.indexOf("=");
	return end < 0 ? HIDDEN : `${text.slice(0, end)}=${HIDDEN}`;
};

/** Cut first, so that a header of one cookie after the other is not read to its end. */
const pairs = (value: string): string =>
	bounded(value)
		.split(";")
		.map((text) => pair(text.trim()))
		.join("; ");

/** Attributes tell no secret. */
const setCookie = (value: string): string => {
	const end = value.indexOf(";");
	return end < 0 ? pair(value) : pair(value.slice(0, end)) + value.slice(end);
};

const hidden = (): string => HIDDEN;

/** How fields are told that hold credentials. */
const REDACTED: ReadonlyMap<string, (value: string) => string> = new Map([
	["authorization", scheme],
	["proxy-authorization", scheme],
	["cookie", pairs],
	["cookie2", pairs],
	["set-cookie", setCookie],
	["set-cookie2", setCookie],
	["x-api-key", hidden],
	["x-auth-token", hidden],
	["x-csrf-token", hidden],
	["x-amz-security-token", hidden],
]);

/** Does the field hold credentials? @param name lower case */
export const isSecretField = (name: string): boolean => REDACTED.has(name);

/** One line's value without its credentials. @param name lower case */
export const redactedValue = (name: string, value: string): string =>
	REDACTED.get(name)?.(value) ?? value;

/** @param name lower case @returns undefined: there is no such field */
export function loggedField(lines: HeaderLines, name: string): string | undefined {
	const values = lines.lines(name);
	const redact = REDACTED.get(name);
	const told = redact === undefined ? values : values.map(redact);
	const [first] = told;
	if (first === undefined) return undefined;
	return bounded(told.length === 1 ? first : told.join(", "));
}

/** @param names lower case @returns undefined: there is none of them */
export function loggedHeaders(
	lines: HeaderLines,
	names: readonly string[],
): Readonly<Record<string, string>> | undefined {
	let told: Record<string, string> | undefined;
	for (const name of names) {
		const value = loggedField(lines, name);
		if (value === undefined) continue;
		told ??= {};
		told[name] = value;
	}
	return told;
}
