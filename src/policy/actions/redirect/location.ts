/** Where a redirect leads, as an absolute URL. Used by `redirect.ts`. */
import type { UrlParts } from "../../../cel/attributes.ts";
import { isFieldValue } from "../../../http/fields.ts";
import { parseUrl } from "../../../http/target.ts";

const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

export interface Location {
	/** as it is sent */
	readonly text: string;
	/** what a client that follows it asks for, normalised: no fragment is sent */
	readonly url: string;
}

type BaseUrl = Pick<UrlParts, "scheme" | "authority" | "path" | "query">;

/**
 * @param result what the replacement came to; without a scheme it is relative to the request's URL
 * @returns undefined if it is no http or https URL
 */
export function locationOf(
	result: string,
	{ scheme, authority, path, query }: BaseUrl,
): Location | undefined {
	const [before = "", ...behind] = result.split("#");
	const absolute = HAS_SCHEME.test(before)
		? before
		: absoluteOf(before, { scheme, authority, path, query });
	const url = parseUrl(absolute);
	const fragment = behind.length === 0 ? "" : `#${behind.map(encoded).join("%23")}`;
	if (url === undefined || !isFieldValue(fragment)) return undefined;
	return { text: url.raw + fragment, url: url.full };
}

/** What is encoded already stays as it is. */
const encoded = (fragment: string): string =>
	encodeURI(Buffer.from(fragment).toString()).replaceAll("%25", "%");

function absoluteOf(relative: string, { scheme, authority, path, query }: BaseUrl): string {
	const origin = `${scheme}://${authority}`;
	if (relative === "") return `${origin}${path}${query === "" ? "" : `?${query}`}`;
	// `//` too: the path of a request may begin so, and a rule that copies it must not lead to another host
	if (relative.startsWith("/")) return origin + relative;
	if (relative.startsWith("?")) return origin + path + relative;
	return `${origin}${path.slice(0, path.lastIndexOf("/") + 1)}${relative}`;
}
