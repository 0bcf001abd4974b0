/**
 * Cookies of a request (RFC 6265 5.4) and of a response (RFC 6265 5.2), parsed when the first one is
 * read. Called by `variables.ts` and, for a missing cookie, by `functions/request.ts`.
 */
import { type CelInput, type CelMap, celMap } from "@bufbuild/cel";
import type { HeaderLines } from "../../../src/cel/attributes.ts";
import { lazyListMap } from "./header-map.ts";

export const requestCookies = (lines: HeaderLines): CelMap =>
	lazyListMap(() => {
		const cookies = new Map<string, CelInput[]>();
		for (const line of lines.lines("cookie")) {
			for (const pair of line.split(";")) {
				const [name, value] = nameAndValue(pair);
				if (name !== "")
					add(
						cookies,
						name,
						celMap(
							new Map([
								["name", name],
								["value", value],
							]),
						),
					);
			}
		}
		return cookies;
	});

export const responseCookies = (lines: HeaderLines): CelMap =>
	lazyListMap(() => {
		const cookies = new Map<string, CelInput[]>();
		for (const line of lines.lines("set-cookie")) {
			const [pair = "", ...attributes] = line.split(";");
			const [name, value] = nameAndValue(pair);
			if (name !== "") add(cookies, name, celMap(setCookieFields(name, value, attributes)));
		}
		return cookies;
	});

/** What `getReqCookie` gives for a name that is not there. */
export const NO_COOKIE: CelMap = celMap(
	new Map([
		["name", ""],
		["value", ""],
	]),
);

const TEXT_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
	["path", "path"],
	["domain", "domain"],
	["expires", "expires"],
	["samesite", "same_site"],
]);

/** Fields that the response does not set are empty, 0 or false. */
export function setCookieFields(
	name: string,
	value: string,
	attributes: readonly string[],
): Map<string, CelInput> {
	const fields = new Map<string, CelInput>([
		["name", name],
		["value", value],
		["path", ""],
		["domain", ""],
		["expires", ""],
		["max_age", 0n],
		["secure", false],
		["http_only", false],
		["same_site", ""],
	]);
	for (const attribute of attributes) {
		const [key, text] = nameAndValue(attribute);
		const lower = key.toLowerCase();
		const field = TEXT_ATTRIBUTES.get(lower);
		if (field !== undefined) fields.set(field, text);
		else if (lower === "max-age" && /^-?\d{1,18}$/.test(text)) fields.set("max_age", BigInt(text));
		else if (lower === "secure") fields.set("secure", true);
		else if (lower === "httponly") fields.set("http_only", true);
	}
	return fields;
}

/** What `getResCookie` gives for a name that is not there. */
export const NO_SET_COOKIE: CelMap = celMap(setCookieFields("", "", []));

function add(cookies: Map<string, CelInput[]>, name: string, cookie: CelMap): void {
	const same = cookies.get(name);
	if (same === undefined) cookies.set(name, [cookie]);
	else same.push(cookie);
}

/** Spaces around both are dropped, and quotes around the value. */
function nameAndValue(pair: string): readonly [string, string] {
	const equals = pair.indexOf("=");
	if (equals < 0) return [pair.trim(), ""];
	const value = pair.slice(equals + 1).trim();
	const unquoted =
		value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
	return [pair.slice(0, equals).trim(), unquoted];
}
