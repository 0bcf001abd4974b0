/**
 * The request of a question as a client would have sent it: which listener it comes to, its request line and its header
 * lines. Used by `route-finder.ts`, which needs host and path, and by `explain.ts`, which reads it as the data path does.
 */
import { asciiLowerCase } from "../ascii.ts";
import type { Config, Listener } from "../config.ts";
import { fail, ok, type Result } from "../errors.ts";
import { textOfBytes } from "../http/fields.ts";
import { defaultPort } from "../http/target.ts";
import type { ExplainedRequest } from "./shapes.ts";

export interface AskedRequest {
	readonly method: string;
	readonly scheme: "http" | "https";
	readonly rawPath: string;
	/** undefined if the target holds no `?` */
	readonly rawQuery: string | undefined;
	/** names in lower case */
	readonly lines: readonly (readonly [name: string, value: string])[];
	/** its `host` field, or that of the URL */
	readonly host: string;
	readonly listener: Listener;
	readonly port: number;
	/** sentences */
	readonly notes: readonly string[];
}

const URL_PARTS = /^(https?):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?(#.*)?$/is;

/** @returns a sentence, if it can't be read */
export function askedRequest(
	request: ExplainedRequest,
	{ listen }: Pick<Config, "listen">,
): Result<AskedRequest, string> {
	const parts = URL_PARTS.exec(request.url);
	if (parts === null)
		return fail("must be a whole URL with http:// or https://, as in http://example.com/path");
	const [, schemeText = "", authority = "", path = "", query, fragment] = parts;
	if (authority.includes("@"))
		return fail("must name no user; put credentials into the header field authorization");
	const scheme = asciiLowerCase(schemeText) === "https" ? "https" : "http";
	const notes: string[] = [];
	if (fragment !== undefined) notes.push(`Clients don't send the part ${fragment} of a URL.`);
	const found = listenerFor(listen, scheme, authority);
	if (found === undefined) return fail("names no listener: the configuration has none");
	const { listener, note } = found;
	if (note !== undefined) notes.push(note);
	const lines = linesOf(request, authority);
	return ok({
		method: request.method,
		scheme: isSecure(listener) ? "https" : "http",
		rawPath: path === "" ? "/" : path,
		rawQuery: query,
		lines,
		host: lines.find(([name]) => name === "host")?.[1] ?? "",
		listener,
		port: listener.port,
		notes,
	});
}

const isSecure = ({ tls }: Listener): boolean => tls.length > 0;

/** The one with the URL's port, else the first of its scheme, else the first. */
function listenerFor(
	listen: readonly Listener[],
	scheme: "http" | "https",
	authority: string,
): { readonly listener: Listener; readonly note?: string } | undefined {
	const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? defaultPort(scheme));
	const alike = listen.filter((each) => isSecure(each) === (scheme === "https"));
	const exact = alike.find((each) => each.port === port);
	if (exact !== undefined) return { listener: exact };
	const [first] = alike;
	if (first !== undefined) return { listener: first };
	const [any] = listen;
	const note = `No listener speaks ${scheme}; the request was taken to come to ${any?.host}:${any?.port}.`;
	return any && { listener: any, note };
}

/** With the fields that clients add: `host`, and how long the body is. */
function linesOf(
	{ headers, body_length }: ExplainedRequest,
	authority: string,
): AskedRequest["lines"] {
	const lines = flatLines(headers);
	const has = (name: string): boolean => lines.some(([each]) => each === name);
	const isFramed = has("content-length") || has("transfer-encoding");
	if (body_length === "chunked" && !isFramed) lines.push(["transfer-encoding", "chunked"]);
	else if (body_length !== 0 && !isFramed) lines.push(["content-length", `${body_length}`]);
	return has("host") ? lines : [["host", authority], ...lines];
}

/** As rules read them: names in lower case. */
export const flatLines = (headers: ExplainedRequest["headers"]): [string, string][] =>
	Object.entries(headers).flatMap(([name, value]) =>
		[value].flat().map((each): [string, string] => [asciiLowerCase(name), each]),
	);

/** Lines as they are sent, taken apart. @param text each `name: value\r\n`, a character a byte */
export function linesIn(text: string): [string, string][] {
	return text
		.split("\r\n")
		.filter((line) => line !== "")
		.map((line) => {
			const colon = line.indexOf(":");
			return [line.slice(0, colon), textOfBytes(line.slice(colon + 1).trim())];
		});
}
