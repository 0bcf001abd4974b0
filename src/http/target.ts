/**
 * Request targets (contract 6): the parts of a URL, the authority, and a rewritten URL taken apart again. Pure. The
 * data path makes a `RequestUrl` of every request's target; its path is `path.ts`'s, its host `host.ts`'s.
 */
import { asciiLowerCase } from "../ascii.ts";
import { LIMITS } from "../limits/limits.ts";
import { hostSpelling } from "./host.ts";
import { encodeNotAscii, forwardedPath, isTargetText, normalizePath } from "./path.ts";

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

const NOT_PLAIN_QUERY = /[^\u0021-\u007e]|#/;
/** A query that is in order and ASCII, as most are. */
export const isPlainQuery = (query: string): boolean => !NOT_PLAIN_QUERY.test(query);

/** The query needs nothing more. */
export const isQuery = isTargetText;

export interface Authority {
	/** as `hostSpelling` has it */
	readonly host: string;
	readonly port: number | undefined;
	/** Left here by whoever has looked the host up, for the next time, and what was asked; another's is worth nothing. */
	found?: unknown;
	foundFor?: unknown;
}

const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9\-._~!$&'()*+,;=]+)(?::(\d{0,5}))?$/;

/**
 * Takes a `host` header or a URL's authority apart (RFC 9110 7.2). No user name and no percent-encoding:
 * encoded spellings of a name would miss its edge.
 */
export function parseAuthority(text: string): Authority | undefined {
	const match = AUTHORITY.exec(text);
	const written = match?.[1];
	if (match === null || written === undefined || written.length > LIMITS.hostCharacters) {
		return undefined;
	}
	const host = hostSpelling(written);
	if (host === undefined) return undefined;
	const port = match[2] ? Number(match[2]) : undefined;
	if (port !== undefined && port > 65_535) return undefined;
	return { host, port, found: undefined, foundFor: undefined };
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
		return `${this.scheme}://${this.authority}${this.rawPath}${this.#search}`;
	}

	/** origin-form, what goes upstream (`forwardedPath`) */
	get target(): string {
		return forwardedPath(this.rawPath, this.path) + this.#search;
	}
}

const REWRITTEN = /^([a-z]+):\/\/([^/?#]*)([^?#]*)(?:\?(.*))?$/is;

/**
 * Takes the result of a url-rewrite apart (contract 5). An empty path means `/`; characters beyond
 * ASCII are percent-encoded as UTF-8.
 * @returns undefined if it is no `http` or `https` URL with a valid request target
 */
export function parseUrl(full: string): RequestUrl | undefined {
	if (!isTargetText(full)) return undefined;
	const match = REWRITTEN.exec(encodeNotAscii(full));
	const scheme = asciiLowerCase(match?.[1] ?? "");
	if (match === null || (scheme !== "http" && scheme !== "https")) return undefined;
	const authority = parseAuthority(match[2] ?? "");
	const rawPath = match[3] || "/";
	const path = normalizePath(rawPath);
	if (authority === undefined || path === undefined) return undefined;
	return new RequestUrl(scheme, authority, path, rawPath, match[4]);
}
