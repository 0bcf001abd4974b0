/**
 * Random requests in every spelling that is allowed, together with what a backend must get of each; and the same bytes
 * with a few changed, of which nobody knows what they mean.
 */
import fc from "fast-check";

/** What must arrive, lines in lower case. */
export interface Meant {
	readonly method: string;
	readonly target: string;
	readonly lines: readonly string[];
	readonly body: string;
}

export interface OddRequest {
	readonly bytes: string;
	readonly meant: Meant;
}

/** Bytes of a client, cut into what the server may read at once. */
export interface OddConnection {
	readonly pieces: readonly string[];
	readonly meant: readonly Meant[];
}

const CRLF = "\r\n";
const joined = (units: readonly string[], maxLength: number) =>
	fc.array(fc.constantFrom(...units), { maxLength }).map((parts) => parts.join(""));
const cased = (text: string) =>
	fc
		.array(fc.boolean(), { minLength: text.length, maxLength: text.length })
		.map((upper) =>
			[...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(""),
		);

const method = fc.constantFrom(
	"GET",
	"POST",
	"PUT",
	"DELETE",
	"HEAD",
	"PATCH",
	"OPTIONS",
	"PROPFIND",
	"M-SEARCH",
);
const path = joined(
	["/", "a", "Z", "0", "-", "_", "~", "a.b", "%C3%A9", "%7e", "%3A", ":", "@", "=", "!"],
	12,
).map((rest) => `/${rest}`);
const query = joined(["", "a", "=", "&", "?", "/../", "%2e", "%00", "[]", "\\", '"', "<"], 8);
const target = fc
	.tuple(path, fc.option(query))
	.map(([path, query]) => (query === null ? path : `${path}?${query}`));
const authority = fc.constantFrom(
	"h",
	"h.example",
	"H.Example:80",
	"192.0.2.1:8080",
	"[::1]",
	"other",
);

const space = joined([" ", "\t"], 3);
const value = joined(
	["a", "1", ":", ",", ";", '"', "a b", "a\tb", "=", "chunked", "GET / HTTP/1.1"],
	5,
);
const name = fc
	.constantFrom(
		"x-a",
		"accept",
		"cookie",
		"user-agent",
		"range",
		"x-content-length",
		"priority",
		"x",
	)
	.chain(cased);
interface Line {
	readonly bytes: string;
	readonly meant: string | undefined;
}
const lineOf = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Line> =>
	fc.tuple(name, space, value, space).map(([name, before, value, behind]) => ({
		bytes: `${name}:${before}${value}${behind}${CRLF}`,
		meant: `${name.toLowerCase()}: ${value}`,
	}));
/** Lines of the connection, which end with it. */
const unmeant = (line: fc.Arbitrary<Line>): fc.Arbitrary<Line> =>
	line.map(({ bytes }) => ({ bytes, meant: undefined }));
const field = fc.oneof(
	{ weight: 6, arbitrary: lineOf(name, value) },
	{ weight: 1, arbitrary: unmeant(lineOf(cased("te"), fc.constant("trailers"))) },
	{ weight: 1, arbitrary: unmeant(lineOf(cased("keep-alive"), fc.constant("timeout=5"))) },
	{ weight: 1, arbitrary: unmeant(lineOf(fc.constantFrom("x_a", "X.b"), value)) },
);

const content = joined(
	[
		"a",
		"\0",
		"\r\n",
		"0\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: b\r\n\r\n",
		"\xff",
		"zzzzzzzzzzzzzzzzzz",
	],
	6,
);

interface Body {
	/** of the header */
	readonly line: Line | undefined;
	readonly bytes: string;
	readonly meant: string;
}
const sized = fc.tuple(content, fc.nat(3), cased("content-length"), space).map(
	([content, zeros, name, before]): Body => ({
		line: {
			bytes: `${name}:${before}${"0".repeat(zeros)}${content.length}${CRLF}`,
			meant: undefined,
		},
		bytes: content,
		meant: content,
	}),
);
const extension = fc.constantFrom("", "", "", ";", ";a", ";a=b;c", ';a="b;c"', ";0", "; a = b");
const chunk = fc
	.tuple(content, fc.nat(3), fc.boolean(), extension)
	.filter(([content]) => content !== "")
	.map(([content, zeros, upper, extension]) => {
		const digits = content.length.toString(16);
		const size = "0".repeat(zeros) + (upper ? digits.toUpperCase() : digits);
		return { bytes: size + extension + CRLF + content + CRLF, meant: content };
	});
const trailer = fc.constantFrom(
	"",
	"",
	"X: 1\r\n",
	"Content-Length: 5\r\nHost: t\r\n",
	"a:\r\nb:\t\r\n",
);
const chunked = fc
	.tuple(fc.array(chunk, { maxLength: 4 }), extension, trailer, cased("chunked"), space, space)
	.map(
		([chunks, extension, trailer, word, before, behind]): Body => ({
			line: { bytes: `Transfer-Encoding:${before}${word}${behind}${CRLF}`, meant: undefined },
			bytes: `${chunks.map(({ bytes }) => bytes).join("")}0${extension}${CRLF}${trailer}${CRLF}`,
			meant: chunks.map(({ meant }) => meant).join(""),
		}),
	);
const none = fc.constant<Body>({ line: undefined, bytes: "", meant: "" });

const bodyOf = (isOld: boolean): fc.Arbitrary<Body> =>
	isOld ? fc.oneof(none, sized) : fc.oneof(none, sized, chunked);

/** HTTP/1.0 asks for its connection to be kept, so that more may follow. */
const KEPT: Line = { bytes: `Connection: keep-alive${CRLF}`, meant: undefined };

const spelled = (isOld: boolean): fc.Arbitrary<OddRequest> =>
	fc
		.record({
			method,
			target,
			host: lineOf(cased("host"), authority),
			absolute: fc.option(fc.tuple(fc.constantFrom("http", "HTTP", "https"), authority), {
				freq: 4,
			}),
			fields: fc.array(field, { maxLength: 6 }),
			body: bodyOf(isOld),
			hostAt: fc.nat(6),
			bodyAt: fc.nat(6),
			empty: fc.nat(2),
		})
		.map(({ method, target, host, absolute, fields, body, hostAt, bodyAt, empty }) => {
			const lines = isOld ? [...fields, KEPT] : [...fields];
			if (body.line !== undefined) lines.splice(bodyAt, 0, body.line);
			const named = absolute === null ? host : { ...host, meant: `host: ${absolute[1]}` };
			lines.splice(hostAt, 0, named);
			const form = absolute === null ? target : `${absolute[0]}://${absolute[1]}${target}`;
			const first = `${method} ${form} HTTP/1.${isOld ? 0 : 1}${CRLF}`;
			const head = first + lines.map(({ bytes }) => bytes).join("") + CRLF;
			const meant = lines.flatMap(({ meant }) => (meant === undefined ? [] : [meant]));
			return {
				bytes: CRLF.repeat(empty) + head + body.bytes,
				meant: { method, target, lines: meant, body: body.meant },
			};
		});

const requests = fc.array(
	fc.oneof({ weight: 4, arbitrary: spelled(false) }, { weight: 1, arbitrary: spelled(true) }),
	{
		minLength: 1,
		maxLength: 4,
	},
);
const places = fc.array(fc.nat(2000), { maxLength: 6 });

/** @param places modulo the length */
function cut(bytes: string, places: readonly number[]): string[] {
	const edges = places.map((place) => place % (bytes.length + 1)).sort((one, other) => one - other);
	return [...edges, bytes.length].map((edge, at) =>
		bytes.slice(at === 0 ? 0 : edges[at - 1], edge),
	);
}

export const oddConnection: fc.Arbitrary<OddConnection> = fc
	.tuple(requests, places)
	.map(([requests, places]) => ({
		pieces: cut(requests.map(({ bytes }) => bytes).join(""), places),
		meant: requests.map(({ meant }) => meant),
	}));

/** What two readers of HTTP have disagreed about. */
const SPLINTERS = [
	...[
		"\r",
		"\n",
		"\r\n",
		"\r\n\r\n",
		" ",
		"\t",
		"\0",
		":",
		",",
		";",
		"0",
		"1",
		"a",
		"\x0b",
		"\x7f",
		"\xff",
	],
	...[
		"Host: b\r\n",
		"Content-Length: 3\r\n",
		"Transfer-Encoding: chunked\r\n",
		"Connection: close\r\n",
	],
	...[
		"0\r\n\r\n",
		"GET /b HTTP/1.1\r\n",
		"HTTP/1.0",
		"http://b",
		"\r\n ",
		"Expect: 100-continue\r\n",
		"/../",
		"?",
		"#",
	],
];
const change = fc.record({
	at: fc.nat(2000),
	removed: fc.nat(3),
	put: fc.oneof(fc.constant(""), fc.constantFrom(...SPLINTERS)),
});

/** Bytes of a connection with a few changes. */
export const brokenConnection: fc.Arbitrary<readonly string[]> = fc
	.tuple(requests, fc.array(change, { minLength: 1, maxLength: 3 }), places)
	.map(([requests, changes, places]) => {
		let bytes = requests.map(({ bytes }) => bytes).join("");
		for (const { at, removed, put } of changes) {
			const place = at % (bytes.length + 1);
			bytes = bytes.slice(0, place) + put + bytes.slice(place + removed);
		}
		return cut(bytes, places);
	});
