/**
 * Where the native upstream and undici's are known to make something else of the same bytes, and why that may
 * be. Everything that is not listed here fails the differential test.
 */
import type { ScriptedAnswer } from "./odd-responses.ts";
import type { Outcome } from "./side-by-side.ts";

/**
 * `native refuses`, `undici refuses`: the other takes the response for whole.
 * `undici reconnects`, `native reconnects`: the other uses the connection again.
 * `content`: anything else.
 */
export type Difference =
	| "native refuses"
	| "undici refuses"
	| "undici reconnects"
	| "native reconnects"
	| "content";

const content = ({ statusCode, passed, length, body, attempts }: Outcome): string =>
	JSON.stringify({ statusCode, passed, length, body, attempts });

/** Of a response that failed: how much was heard before may depend on how the bytes were read. */
const fits = (one: Outcome, other: Outcome): boolean => {
	if (one.attempts !== other.attempts || one.failure !== other.failure) return false;
	if (one.statusCode === undefined || other.statusCode === undefined) return true;
	const heads = [one, other].map((each) => content({ ...each, body: "" }));
	return (
		heads[0] === heads[1] && (one.body.startsWith(other.body) || other.body.startsWith(one.body))
	);
};

export const differenceOf = (undici: Outcome, native: Outcome): Difference | undefined => {
	if (undici.failure === undefined && native.failure !== undefined) return "native refuses";
	if (undici.failure !== undefined && native.failure === undefined) return "undici refuses";
	if (undici.failure !== undefined) return fits(undici, native) ? undefined : "content";
	if (content(undici) !== content(native)) return "content";
	if (undici.reused === native.reused) return undefined;
	return native.reused ? "undici reconnects" : "native reconnects";
};

interface Known {
	readonly difference: Difference;
	readonly why: string;
	/** whether it explains what became of this answer */
	readonly explains: RegExp | ((script: ScriptedAnswer) => boolean);
}

/** Of a header, the empty line at its end included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const LINE = /^(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\x00-\x08\x0a-\x1f\x7f]*)?$/;

const KNOWN: readonly Known[] = [
	{
		difference: "native refuses",
		why: "undici's parser knows HTTP/0.9 and HTTP/2.0 by name; neither can look like this",
		explains: /HTTP\/(?:0\.9|2\.0)/,
	},
	{
		difference: "native refuses",
		why: "undici's parser skips empty lines before a status line; RFC 9112 2.2 lets only servers do so",
		explains: /^[\r\n]|\n\r?\n[\r\n]+HTTP/,
	},
	{
		difference: "native refuses",
		why: "a transfer coding in HTTP/1.0 is faulty framing (RFC 9112 6.1)",
		explains: /HTTP\/1\.0[\s\S]*^transfer-encoding:/im,
	},
	{
		difference: "native refuses",
		why: "undici's parser lets any byte but CR and LF into a reason phrase",
		// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
		explains: /HTTP\/1\.[01] \d{3} ?[^\r\n]*[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/,
	},
	{
		difference: "native refuses",
		why: "undici's side takes interim responses out without reading their lines",
		explains: ({ bytes }) =>
			[...bytes.matchAll(/HTTP\/1\.[01] 1\d\d[\s\S]*?(?:\n\r?\n|$)/g)].some(
				([head]) => !head.split(/\r?\n/).every((line, at) => at === 0 || LINE.test(line)),
			),
	},
	{
		difference: "native refuses",
		why: "undici's parser lets a chunk's size have any number of leading zeros",
		explains: /^[0-9a-f]{16,}/im,
	},
	{
		difference: "undici refuses",
		why: "chunk extensions are skipped whatever they say, if no control character is in them (RFC 9112 7.1.1)",
		explains: /^[0-9a-f]+;(?!a(?:=b;c="d e")?\r)/im,
	},
	{
		difference: "undici refuses",
		why: "white space behind a value is no part of it (RFC 9112 5.1), which undici's parser forgets for framing",
		explains: /^(?:content-length|transfer-encoding):.*[ \t]\r?$/im,
	},
	{
		difference: "native reconnects",
		why: "undici's parser skips empty lines behind a response; to the native one they are bytes nobody asked for",
		explains: ({ bytes }) =>
			/^transfer-encoding:/im.test(bytes)
				? /\r\n0+[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n[\r\n]+$/.test(bytes)
				: /[\r\n]$/.test(bytes),
	},
	{
		difference: "native reconnects",
		why: "`close` wins over `keep-alive` (RFC 9112 9.3), where undici's parser takes HTTP/1.0 at the latter word",
		explains: ({ bytes }) =>
			/HTTP\/1\.0/.test(bytes) &&
			/^connection:.*close/im.test(bytes) &&
			/^connection:.*keep-alive/im.test(bytes),
	},
	{
		difference: "native reconnects",
		why: "undici's parser heeds proxy-connection, which no RFC has",
		explains: /^proxy-connection:/im,
	},
	{
		difference: "undici reconnects",
		why: "undici's parser heeds proxy-connection, which no RFC has",
		explains: /^proxy-connection:/im,
	},
	{
		difference: "undici reconnects",
		why: "undici drops a connection after each HEAD",
		explains: ({ method }) => method === "HEAD",
	},
	{
		difference: "undici reconnects",
		why: "undici's parser reads on for the body that 304 announces, so the connection is dropped",
		explains: / 304/,
	},
	{
		difference: "undici reconnects",
		why: "undici's parser heeds the connection's fields in trailers, so the connection is dropped",
		explains: /^transfer-encoding:[\s\S]*\r\n0+[^\r\n]*\r\n[^\r\n]/im,
	},
];

export const isKnown = (difference: Difference, script: ScriptedAnswer): boolean =>
	KNOWN.some(({ difference: known, explains }) => {
		if (known !== difference) return false;
		return explains instanceof RegExp ? explains.test(script.bytes) : explains(script);
	});
