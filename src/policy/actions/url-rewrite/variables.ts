/**
 * The nginx variables of a url-rewrite's `to` (contract 5), parts of the URL before this rewrite. Values are as they
 * stand in the URL, never decoded: text that goes back into a URL must still be encoded. Used by `replacement.ts` and
 * `run.ts`.
 */
import { asciiLowerCase } from "../../../ascii.ts";
import type { UrlParts } from "../../../cel/attributes.ts";

const READERS = {
	args: (url: UrlParts) => url.query,
	query_string: (url: UrlParts) => url.query,
	is_args: (url: UrlParts) => (url.query === "" ? "" : "?"),
	uri: (url: UrlParts) => url.path,
	request_uri: (url: UrlParts) => url.uri,
	scheme: (url: UrlParts) => url.scheme,
	host: (url: UrlParts) => url.host,
	authority: (url: UrlParts) => url.authority,
	port: (url: UrlParts) => String(url.port),
} as const;

const ARGUMENT_PREFIX = "arg_";

export const URL_VARIABLE_NAMES: readonly string[] = [...Object.keys(READERS), "arg_NAME"];

export function isUrlVariable(name: string): boolean {
	return (
		Object.hasOwn(READERS, name) ||
		(name.startsWith(ARGUMENT_PREFIX) && name.length > ARGUMENT_PREFIX.length)
	);
}

/** A reader for one of the names above, chosen when the policy is compiled. */
export function urlVariable(name: string): (url: UrlParts) => string {
	if (Object.hasOwn(READERS, name)) return READERS[name as keyof typeof READERS];
	const argument = name.slice(ARGUMENT_PREFIX.length);
	return (url) => queryArgument(url.query, argument);
}

/** The first argument of that name as it stands in the query; names ignore case, as in nginx. */
export function queryArgument(query: string, name: string): string {
	const wanted = asciiLowerCase(name);
	for (let start = 0; start < query.length; ) {
		const ampersand = query.indexOf("&", start);
		const end = ampersand < 0 ? query.length : ampersand;
		const equals = query.indexOf("=", start);
		const nameEnd = equals < 0 || equals > end ? end : equals;
		if (nameEnd - start === name.length && asciiLowerCase(query.slice(start, nameEnd)) === wanted) {
			return nameEnd === end ? "" : query.slice(nameEnd + 1, end);
		}
		start = end + 1;
	}
	return "";
}
