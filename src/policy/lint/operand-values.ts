/**
 * Constants that a variable never has (contract 3): `req.method == 'get'`, `conn.geo.country_code == 'UK'`, an
 * address range where there is one address. For each variable a function says why no request has the constant and what
 * to write instead, or undefined if some request may have it. Asked by `constants.ts`.
 */

import { asciiLowerCase, asciiUpperCase } from "../../ascii.ts";
import type { VariableName } from "../../cel/variables/table.ts";
import { isFieldName } from "../../http/fields.ts";
import { addressText, parseAddress, parseRange } from "../../http/ip-address.ts";
import { USUAL_METHODS } from "../../http/methods.ts";
import { normalizePath } from "../../http/path.ts";
import { COUNTRY_CODES, MEANT_COUNTRIES } from "./country-codes.ts";

/** `in` a list counts as `equals`. */
export type Test = "equals" | "startsWith" | "endsWith" | "contains" | "matches";

/** The second half of a sentence that begins with `… is never 'x': `; undefined where there is no mistake. */
type Mistake = (value: string, test: Test) => string | undefined;

const method: Mistake = (value, test) => {
	if (test !== "equals") return undefined;
	const meant = asciiUpperCase(value.trim());
	if (USUAL_METHODS.includes(meant) && meant !== value)
		return `methods are in upper case; write '${meant}'`;
	return isFieldName(value) ? undefined : "that is no method; write each as a text of its own";
};

const country: Mistake = (value, test) => {
	if (test !== "equals" || value === "" || COUNTRY_CODES.has(value)) return undefined;
	const upper = asciiUpperCase(value);
	const meant = MEANT_COUNTRIES[upper] ?? (COUNTRY_CODES.has(upper) ? upper : undefined);
	const rule = "country codes are the two capital letters of ISO 3166";
	return meant === undefined ? `${rule}, and this is none` : `${rule}; write '${meant}'`;
};

const address: Mistake = (value, test) => {
	if (test === "matches" || value === "") return undefined;
	if (test !== "equals" && !value.includes("/")) return undefined;
	if (value.includes("/")) {
		const range = parseRange(value) === undefined ? "10.0.0.0/8" : value;
		return `an address is no range; write inCidrRange(conn.client_ip, '${range}')`;
	}
	const words = parseAddress(value);
	if (words === undefined) {
		return "that is no IP address; for several write inCidrRange(conn.client_ip, '10.0.0.0/8')";
	}
	const canonical = addressText(words);
	return canonical === value ? undefined : `addresses are in one spelling; write '${canonical}'`;
};

const PORT = /:\d+$/;

const host: Mistake = (value, test) => {
	if (test === "matches" || value === "") return undefined;
	if (value.includes("/")) return "a host has no scheme and no path; write the name alone";
	if (value.startsWith("*.") && test === "equals") {
		return `"*" stands for itself; write req.host.endsWith('${asciiLowerCase(value.slice(1))}')`;
	}
	const isEnd = test === "equals" || test === "endsWith";
	if (isEnd && PORT.test(value) && !value.includes("[") && value.split(":").length === 2) {
		const meant = asciiLowerCase(value.replace(PORT, ""));
		return `a host has no port; write ${meant === "" ? "req.url.port" : `'${meant}'`}`;
	}
	const lower = asciiLowerCase(value);
	if (lower !== value) return `hosts are in lower case; write '${lower}'`;
	if (test === "equals" && value.endsWith(".")) return `write '${value.slice(0, -1)}'`;
	return undefined;
};

const scheme: Mistake = (value, test) => {
	if (test !== "equals" || value === "http" || value === "https") return undefined;
	return "write 'http' or 'https'";
};

const version: Mistake = (value, test) => {
	if (test !== "equals" || value === "HTTP/1.1" || value === "HTTP/1.0") return undefined;
	return "this server speaks HTTP/1.1; write 'HTTP/1.1'";
};

const ANCHORED_TO_PATH = /^(?:\(\?[a-z]+\))?(?:\^|\\A)\\?\//;

const url: Mistake = (value, test) => {
	const whole = "it is the whole URL, from its scheme on; write req.url.path or req.url.uri";
	if (test === "matches") return ANCHORED_TO_PATH.test(value) ? whole : undefined;
	if (test !== "equals" && test !== "startsWith") return undefined;
	const isBeginning =
		test === "startsWith" && ["http://", "https://"].some((each) => each.startsWith(value));
	return isBeginning || /^https?:\/\//.test(value) ? undefined : whole;
};

/** Characters that no path holds, or holds only when they are encoded. */
const NOT_IN_PATH = /[ <>"`{}|[\]^#\\]|[^\u0021-\u007e]/;

const path: Mistake = (value, test) => {
	if (test === "matches") {
		return /^(?:\^|\\A)https?:/.test(value)
			? "it is the path alone; write req.url.matches()"
			: undefined;
	}
	if (value === "" || value === "*") return undefined;
	if (value.includes("?"))
		return "a path has no query; write req.url.uri, or look into req.url.query_params";
	const isBeginning = test === "equals" || test === "startsWith";
	if (isBeginning && !value.startsWith("/")) {
		return /^https?:/.test(value)
			? "it is the path alone; write req.url"
			: `paths begin with a slash; write '/${value}'`;
	}
	if (test !== "equals" && !NOT_IN_PATH.test(value)) return undefined;
	const slashed = value.startsWith("/") ? value : `/${value}`;
	const normal = normalizePath(slashed.replaceAll(" ", "%20"));
	if (normal === undefined) return test === "equals" ? "no request has such a path" : undefined;
	const meant = slashed === value ? normal : normal.slice(1);
	return meant === value ? undefined : `in normal form it is '${meant}'; write that`;
};

const uri: Mistake = (value, test) => {
	const isBeginning = test === "equals" || test === "startsWith";
	if (!isBeginning || value === "" || /^[/*]/.test(value)) return undefined;
	return "it begins with the path's slash";
};

const mediaType: Mistake = (value, test) => {
	if (test === "matches") return undefined;
	if (/[;=]/.test(value))
		return "it has no parameters; write .raw behind it, or look into .parameters";
	const lower = asciiLowerCase(value);
	return lower === value ? undefined : `it is in lower case; write '${lower}'`;
};

export const MISTAKES: ReadonlyMap<string, Mistake> = new Map<VariableName, Mistake>([
	["req.method", method],
	["req.host", host],
	["req.version", version],
	["req.url", url],
	["req.url.scheme", scheme],
	["req.url.host", host],
	["req.url.path", path],
	["req.url.uri", uri],
	["req.content_type", mediaType],
	["res.content_type", mediaType],
	["conn.client_ip", address],
	["conn.geo.country_code", country],
	["endpoint.protocol", scheme],
]);

/** By the function that folded the text's case: `lowerAscii()` or `upperAscii()`. */
export const FOLDED: ReadonlyMap<string, Mistake> = new Map([
	["lowerAscii", (value) => folded(value, value.replace(/[A-Z]/g, asciiLowerCase))],
	["upperAscii", (value) => folded(value, value.replace(/[a-z]/g, asciiUpperCase))],
]);

const folded = (value: string, meant: string): string | undefined =>
	meant === value ? undefined : `its letters are all of one case; write '${meant}'`;
