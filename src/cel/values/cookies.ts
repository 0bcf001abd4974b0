/**
 * Cookies of a request (RFC 6265 5.4) and of a response (RFC 6265 5.2), parsed when the first cookie is read.
 * `derived.ts` makes the variables of them; `getReqCookie` and its like yield the empty cookie where there is none.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { charge } from "../budget.ts";
import type { HeaderLines } from "./header-lines.ts";
import { parsedMap } from "./request-maps.ts";
import { RecordValue, type ValueMap } from "./value.ts";

/** Nanoseconds for a character of a line, where every other one begins a cookie. */
const CHARACTER_NS = 50;

export const requestCookies = (lines: HeaderLines): ValueMap =>
	parsedMap(() => {
		const cookies = new Map<string, RecordValue[]>();
		for (const line of lines.lines("cookie")) {
			charge(line.length * CHARACTER_NS);
			for (const pair of line.split(";")) {
				const [name, value] = nameAndValue(pair);
				if (name !== "") addTo(cookies, name, cookie(name, value));
			}
		}
		return cookies;
	});

export const responseCookies = (lines: HeaderLines): ValueMap =>
	parsedMap(() => {
		const cookies = new Map<string, RecordValue[]>();
		for (const line of lines.lines("set-cookie")) {
			charge(line.length * CHARACTER_NS);
			const [pair = "", ...attributes] = line.split(";");
			const [name, value] = nameAndValue(pair);
			if (name !== "") addTo(cookies, name, setCookie(name, value, attributes));
		}
		return cookies;
	});

const cookie = (name: string, value: string): RecordValue => new RecordValue({ name, value });

/** Fields that the response does not set are empty, 0 or false. */
function setCookie(name: string, value: string, attributes: readonly string[]): RecordValue {
	const fields = {
		name,
		value,
		path: "",
		domain: "",
		expires: "",
		max_age: 0n,
		secure: false,
		http_only: false,
		same_site: "",
	};
	for (const attribute of attributes) {
		const [key, text] = nameAndValue(attribute);
		switch (asciiLowerCase(key)) {
			case "path":
				fields.path = text;
				break;
			case "domain":
				fields.domain = text;
				break;
			case "expires":
				fields.expires = text;
				break;
			case "samesite":
				fields.same_site = text;
				break;
			case "max-age":
				if (/^-?\d{1,18}$/.test(text)) fields.max_age = BigInt(text);
				break;
			case "secure":
				fields.secure = true;
				break;
			case "httponly":
				fields.http_only = true;
		}
	}
	return new RecordValue(fields);
}

/** What `getReqCookie` and `getResCookie` give for a name that is not there. */
export const NO_COOKIE: RecordValue = cookie("", "");
export const NO_SET_COOKIE: RecordValue = setCookie("", "", []);

function addTo(cookies: Map<string, RecordValue[]>, name: string, added: RecordValue): void {
	const same = cookies.get(name);
	if (same === undefined) cookies.set(name, [added]);
	else same.push(added);
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
