/**
 * Request targets (contract 6): the normal form of a path, the parts of a URL, and a rewritten URL
 * taken apart again. Pure. The data path calls it for every request; the management API calls
 * `normalizePath` to refuse a route's `match` that no request could ever meet.
 *
 * Routes and policies see the normal form only, so that no spelling of a path slips past them:
 * percent-encoded unreserved characters are decoded, other encodings are kept with upper-case digits,
 * characters that a URI can't hold are encoded, and dot segments are removed (RFC 3986 6.2.2).
 * Nothing is ever decoded into a separator. What some servers would read as a dot segment and RFC 3986
 * does not (`..;`, `..%2f`, `..%5c`) is refused, as are `%00`, broken encodings, `\` and `#`.
 * Empty segments are kept: `//a` and `/a` are different paths.
 */
import { isIPv6 } from "node:net";
import { LIMITS } from "./limits.ts";

/** The normalised request URL, `scheme://host[:port]/path?query`; replaced as a whole by a url-rewrite. */
export interface UrlParts {
	/** the whole URL, normalised; the string value of `req.url` and the subject of url-rewrite patterns */
	readonly full: string;
	readonly scheme: string;
	/** lower case, without port */
	readonly host: string;
	/** `host[:port]` as normalised; the port is left out when it is the scheme's default */
	readonly authority: string;
	readonly port: number;
	/** normalised path (contract 6) */
	readonly path: string;
	/** path as it came, before normalisation */
	readonly rawPath: string;
	/** without `?`; empty if there is none */
	readonly query: string;
	/** path?query */
	readonly uri: string;
	/** the whole URL with path and query as they came */
	readonly raw: string;
}

/** Finds anything that keeps a path from being normal already; `%` and `;` need a closer look. */
const NOT_PLAIN = /[^A-Za-z0-9\-_~!$&'()*+,=:@/.]|\/\./;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BAD_TARGET = /[\u0000-\u0020\u007f#\ufffd\ud800-\udfff]/u;
const BAD_ENCODING = /%(?![0-9A-Fa-f]{2})|%00|[?\\]/;
const ENCODED = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** printable characters that RFC 3986 has no place for in a path, and everything beyond ASCII */
const UNENCODED = /["<>^`{|}[\]]|[^\u0021-\u007e]+/g;
const NOT_ASCII = /[^\u0021-\u007e]+/g;
const ENCODED_SEPARATOR = /%2F|%5C/;
const DOTS_WITH_PARAMETER = /^\.{1,2}(?:;|$)/;

const decodeUnreserved = (triplet: string, digits: string): string => {
	const character = String.fromCharCode(Number.parseInt(digits, 16));
	return UNRESERVED.test(character) ? character : triplet.toUpperCase();
};

const percentEncode = (text: string): string => {
	let encoded = "";
	for (const byte of Buffer.from(text, "utf8")) {
		encoded += `%${byte < 16 ? "0" : ""}${byte.toString(16).toUpperCase()}`;
	}
	return encoded;
};

/** True where a lenient server might see a dot segment that RFC 3986 doesn't. */
const isAmbiguous = (segment: string): boolean => {
	if (!segment.includes(".")) return false;
	if (segment.includes(";") && DOTS_WITH_PARAMETER.test(segment)) return true;
	if (!segment.includes("%")) return false;
	const parts = segment.split(ENCODED_SEPARATOR);
	return parts.length > 1 && parts.some((part) => DOTS_WITH_PARAMETER.test(part));
};

/**
 * @param rawPath path of a request target as it came, without query
 * @returns the normal form, which starts with `/`; undefined if the path is to be refused with 400
 */
export function normalizePath(rawPath: string): string | undefined {
	if (rawPath.charCodeAt(0) !== 0x2f) return undefined;
	if (!NOT_PLAIN.test(rawPath)) return rawPath;
	if (BAD_TARGET.test(rawPath) || BAD_ENCODING.test(rawPath)) return undefined;
	const decoded = rawPath.replace(ENCODED, decodeUnreserved).replace(UNENCODED, percentEncode);
	const kept: string[] = [];
	const segments = decoded.split("/");
	const last = segments.length - 1;
	for (let index = 1; index <= last; index++) {
		const segment = segments[index] ?? "";
		if (segment === "." || segment === "..") {
			if (segment === "..") kept.pop();
			if (index === last) kept.push("");
		} else if (isAmbiguous(segment)) {
			return undefined;
		} else {
			kept.push(segment);
		}
	}
	return `/${kept.join("/")}`;
}

const NOT_PLAIN_QUERY = /[^\u0021-\u007e]|#/;
/** A query that is in order and ASCII, as most are. */
export const isPlainQuery = (query: string): boolean => !NOT_PLAIN_QUERY.test(query);

/** No space, control character or `#`; the query needs nothing more. */
export const isQuery = (query: string): boolean => !BAD_TARGET.test(query);

export interface Authority {
	/** lower case, without a trailing dot; IPv6 in brackets and shortest form */
	readonly host: string;
	readonly port: number | undefined;
}

const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9\-._~!$&'()*+,;=]+)(?::(\d{0,5}))?$/;

/**
 * Takes a `host` header or a URL's authority apart (RFC 9110 7.2). No user name and no percent-encoding:
 * encoded spellings of a name would miss its edge. A trailing dot counts as absent, as it does for the names
 * of edges (`store/hostport.ts`): the same edge under another name would slip past its policy.
 */
export function parseAuthority(text: string): Authority | undefined {
	const match = AUTHORITY.exec(text);
	let host = match?.[1]?.toLowerCase();
	if (match === null || host === undefined || host.length > LIMITS.hostCharacters) return undefined;
	if (host.startsWith("[")) {
		if (!isIPv6(host.slice(1, -1))) return undefined;
		host = new URL(`http://${host}`).hostname;
	} else if (host.endsWith(".")) {
		host = host.slice(0, -1);
		if (host === "") return undefined;
	}
	const port = match[2] ? Number(match[2]) : undefined;
	if (port !== undefined && port > 65_535) return undefined;
	return { host, port };
}

export const defaultPort = (scheme: string): number => (scheme === "https" ? 443 : 80);

/** The URL of one request. Cheap to make; strings are put together when an expression asks for them. */
export class RequestUrl implements UrlParts {
	readonly scheme: string;
	readonly host: string;
	readonly port: number;
	readonly path: string;
	readonly rawPath: string;
	readonly query: string;
	readonly #search: string;
	#full: string | undefined;

	/** @param query as it came, without `?`; undefined if there was no `?` at all */
	constructor(
		scheme: string,
		authority: Authority,
		path: string,
		rawPath: string,
		query: string | undefined,
	) {
		this.scheme = scheme;
		this.host = authority.host;
		this.port = authority.port ?? defaultPort(scheme);
		this.path = path;
		this.rawPath = rawPath;
		this.query = query ?? "";
		this.#search = query === undefined ? "" : `?${query}`;
	}

	get authority(): string {
		return this.port === defaultPort(this.scheme) ? this.host : `${this.host}:${this.port}`;
	}

	get uri(): string {
		return this.path + this.#search;
	}

	/** Put together once: many rules of a policy may look into it. */
	get full(): string {
		this.#full ??= `${this.scheme}://${this.authority}${this.path}${this.#search}`;
		return this.#full;
	}

	get raw(): string {
		return `${this.scheme}://${this.authority}${this.target}`;
	}

	/** origin-form, as it came or as rewritten: what goes upstream */
	get target(): string {
		return this.rawPath + this.#search;
	}
}

const REWRITTEN = /^([a-z]+):\/\/([^/?#]*)([^?#]*)(?:\?(.*))?$/is;

/**
 * Takes the result of a url-rewrite apart (contract 5). An empty path means `/`; characters beyond
 * ASCII are percent-encoded as UTF-8.
 * @returns undefined if it is no `http` or `https` URL with a valid request target
 */
export function parseUrl(full: string): RequestUrl | undefined {
	if (BAD_TARGET.test(full)) return undefined;
	const match = REWRITTEN.exec(full.replace(NOT_ASCII, percentEncode));
	const scheme = match?.[1]?.toLowerCase();
	if (match === null || (scheme !== "http" && scheme !== "https")) return undefined;
	const authority = parseAuthority(match[2] ?? "");
	const rawPath = match[3] || "/";
	const path = normalizePath(rawPath);
	if (authority === undefined || path === undefined) return undefined;
	return new RequestUrl(scheme, authority, path, rawPath, match[4]);
}
