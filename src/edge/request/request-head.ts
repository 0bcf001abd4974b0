/**
 * The request line and header of a request, checked (contract 6, "Refused with 400 and close"). A request that can't
 * be forwarded unchanged, or that two readers could understand differently, is refused here. Hot. Called by
 * `server.ts` with what it copied from the server library.
 */
import { NOT_ASCII } from "../../http/fields.ts";
import type { FramingRefusal } from "../../http/framing.ts";
import { forwardedPath, normalizePath } from "../../http/path.ts";
import { type Authority, isPlainQuery, isQuery } from "../../http/target.ts";
import { badRequest, type LocalReply } from "../response/local-replies.ts";
import { Authorities, type MetAuthority } from "./authorities.ts";
import { utf8Bytes } from "./header-lines.ts";
import { methodMistake } from "./methods.ts";
import type { RequestLines } from "./request-lines.ts";

const authorities = new Authorities();

/** A request that passed the checks. */
export interface RequestHead {
	readonly method: string;
	readonly rawPath: string;
	/** undefined if the target holds no `?` */
	readonly rawQuery: string | undefined;
	readonly lines: RequestLines;
	/** bytes, or `CHUNKED` */
	readonly bodyLength: number;
	/** the `host` field as it came */
	readonly host: string;
	readonly authority: Authority;
	/** in normal form */
	readonly path: string;
	/** no byte of target and header values is above 127 */
	readonly ascii: boolean;
	/** has an `upgrade` field */
	readonly upgrade: boolean;
	/** has a `via` field */
	readonly via: boolean;
}

/** The target that goes upstream unless a url-rewrite changes it, in origin-form. @returns bytes as latin1 */
export function targetOf({ path, rawPath, rawQuery, ascii }: RequestHead): string {
	const sent = forwardedPath(rawPath, path);
	const target = rawQuery === undefined ? sent : `${sent}?${rawQuery}`;
	return ascii ? target : utf8Bytes(target);
}

/** bytes of the request line and the header, as far as they are known */
export function headBytes({ method, rawPath, rawQuery, lines }: RequestHead): number {
	const line = `${method} ${rawPath} HTTP/1.1`.length + 4;
	return line + (rawQuery === undefined ? 0 : rawQuery.length + 1) + lines.bytes;
}

/** A request's header, and what its reader noticed: `HeaderReader` or `FrontHeader`. */
export interface ParsedHeader {
	/** bytes, `CHUNKED`, or why the length is not known */
	readonly bodyLength: number | FramingRefusal;
	/** of the `host` field; undefined: it names none */
	authorityIn(authorities: Authorities): MetAuthority | undefined;
	/** a value holds what can't be forwarded unchanged */
	readonly bad: boolean;
	/** no value holds a byte beyond ASCII */
	readonly ascii: boolean;
	/** a name holds an underscore or a similar character, for which the request is to be refused */
	readonly underscored: boolean;
	/** has an `upgrade` field */
	readonly upgrade: boolean;
	/** has a `via` field */
	readonly via: boolean;
	/** To be called once. */
	takeLines(): RequestLines;
}

/** Why a request is refused. The connection is closed afterwards. */
export interface Refusal {
	readonly reply: LocalReply;
	/** the end of the request is known, so that nothing of it can be taken for another request */
	readonly inStep: boolean;
}

const refuse = (code: Parameters<typeof badRequest>[0], message: string): Refusal => ({
	reply: badRequest(code, message),
	inStep: true,
});

const BAD_METHODS = {
	"no token": refuse("ERR_BAD_REQUEST", "the method is no token"),
	case: refuse("ERR_BAD_REQUEST", "standard methods are written in upper case"),
	connect: refuse("ERR_METHOD_NOT_ALLOWED", "CONNECT is not supported"),
	trace: refuse("ERR_METHOD_NOT_ALLOWED", "TRACE is not allowed"),
} as const;
const UNDERSCORED = refuse(
	"ERR_BAD_REQUEST",
	"the name of a header field holds more than letters, digits and hyphens",
);
const BAD_BYTES = refuse(
	"ERR_BAD_REQUEST",
	"a header field holds bytes that can't be forwarded unchanged",
);
const BAD_PATH = refuse("ERR_BAD_REQUEST", "the path is malformed or ambiguous");
const BAD_QUERY = refuse("ERR_BAD_REQUEST", "the query holds characters that no URL may hold");
const BAD_HOST = refuse("ERR_BAD_REQUEST", "the host field names no host");

const framingRefusals = new Map<string, Refusal>();
const framingRefusal = ({ status, message }: FramingRefusal): Refusal => {
	let found = framingRefusals.get(message);
	if (found === undefined) {
		const code = status === 501 ? "ERR_NOT_IMPLEMENTED" : "ERR_BAD_REQUEST";
		found = { reply: badRequest(code, message), inStep: false };
		framingRefusals.set(message, found);
	}
	return found;
};

/** @returns whether the target is ASCII; undefined if its query is malformed */
const isAsciiTarget = (
	path: string,
	rawPath: string,
	rawQuery: string | undefined,
): boolean | undefined => {
	// A path in normal form is ASCII.
	const ascii = path === rawPath || !NOT_ASCII.test(rawPath);
	if (rawQuery === undefined || isPlainQuery(rawQuery)) return ascii;
	return isQuery(rawQuery) ? false : undefined;
};

/**
 * @param rawQuery undefined if the target holds no `?`
 * @param allowTrace TRACE passes
 * @returns the request, or why it is refused
 */
export function checkRequest(
	method: string,
	rawPath: string,
	rawQuery: string | undefined,
	header: ParsedHeader,
	allowTrace: boolean,
): RequestHead | Refusal {
	const { bodyLength } = header;
	if (typeof bodyLength !== "number") return framingRefusal(bodyLength);
	const mistake = methodMistake(method, allowTrace);
	if (mistake !== undefined) return BAD_METHODS[mistake];
	if (header.bad) return BAD_BYTES;
	if (header.underscored) return UNDERSCORED;
	// About the server as a whole (RFC 9112 3.2.4), which is no path and so no route's.
	const path = rawPath === "*" && method === "OPTIONS" ? rawPath : normalizePath(rawPath);
	if (path === undefined) return BAD_PATH;
	const asciiTarget = isAsciiTarget(path, rawPath, rawQuery);
	if (asciiTarget === undefined) return BAD_QUERY;
	const authority = header.authorityIn(authorities);
	if (authority === undefined) return BAD_HOST;
	return {
		method,
		rawPath,
		rawQuery,
		lines: header.takeLines(),
		bodyLength,
		host: authority.text,
		authority,
		path,
		ascii: asciiTarget && header.ascii,
		upgrade: header.upgrade,
		via: header.via,
	};
}
