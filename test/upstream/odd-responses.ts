/**
 * Makes responses for the differential test, half of them in good order, the others odd in one or more places;
 * and says how their bytes are cut and how the connection ends.
 */
import fc from "fast-check";

export interface ScriptedAnswer {
	readonly method: string;
	/** latin1 */
	readonly bytes: string;
	/** offsets at which a write ends, ascending */
	readonly cuts: readonly number[];
	/**
	 * after the last byte; `stay`: nothing, unless the response needs an end; `end_at_once`: FIN comes with the
	 * last byte, otherwise after the other side has read it
	 */
	readonly finish: "stay" | "end" | "end_at_once" | "reset";
}

/** `odd` once in a while, else `usual`. */
const mostly = (
	usual: readonly string[],
	odd: readonly string[],
	weight = 12,
): fc.Arbitrary<string> =>
	fc.oneof(
		{ arbitrary: fc.constantFrom(...usual), weight },
		{ arbitrary: fc.constantFrom(...odd), weight: 1 },
	);

const lineEnd = mostly(["\r\n"], ["\n", "\r", "\r\r\n", "\r\n ", ""], 500);

const statusLine = mostly(
	[
		"HTTP/1.1 200 OK",
		"HTTP/1.1 200 OK",
		"HTTP/1.1 200 OK",
		"HTTP/1.0 200 OK",
		"HTTP/1.1 201 ",
		"HTTP/1.1 206",
		"HTTP/1.1 204 No Content",
		"HTTP/1.1 304 Not Modified",
		"HTTP/1.1 404 Not\tFound \xe9",
		"HTTP/1.1 599 x",
		"HTTP/1.1 999 x",
	],
	[
		"HTTP/1.2 200 OK",
		"HTTP/2.0 200 OK",
		"HTTP/0.9 200 OK",
		"HTTP/1.10 200 OK",
		"HTTP/1 200 OK",
		"HTTP/1.1  200 OK",
		"HTTP/1.1\t200 OK",
		"HTTP/1.1 200\tOK",
		"HTTP/1.1 2000 OK",
		"HTTP/1.1 20 OK",
		"HTTP/1.1 20x OK",
		"HTTP/1.1 099 OK",
		"HTTP/1.1 000 OK",
		"HTTP/1.1 101 Switching Protocols",
		"HTTP/1.1 200 OK\x01",
		"HTTP/1.1 200 O\x00K",
		"HTTP/1.1",
		"http/1.1 200 OK",
		" HTTP/1.1 200 OK",
		"\r\nHTTP/1.1 200 OK",
		"\nHTTP/1.1 200 OK",
		"ICY 200 OK",
		"GET / HTTP/1.1",
		"",
	],
	60,
);

const plainLine = mostly(
	[
		"x-a: b",
		"X-B:c",
		"x-c: \t d \t ",
		"X-Empty:",
		"x-high: \xe9\xff\x80",
		"Date: Thu, 01 Jan 1970 00:00:00 GMT",
		"set-cookie: a=1",
		"Connection: x-a, X-B",
		"connection: keep-alive",
		"Connection: Keep-Alive",
		"connection: ,",
		"keep-alive: timeout=30",
		"keep-alive: max=5, timeout=nonsense",
		"Trailer: x-t",
		"upgrade: h2c",
		"proxy-connection: keep-alive",
		"te: trailers",
	],
	[
		"x a: b",
		"x-a : b",
		" x-a: b",
		"\tfolded",
		": b",
		"no colon",
		"x-a: b\x00c",
		"x-a: b\x01c",
		"x-a: b\x7fc",
		"x-a: b\rc",
		"x\x00: b",
		"x\xe9: b",
		"x(: b",
		"x-a: b\r\n continued",
		"x-a:\r\n\tcontinued",
		"connection: close\r\n x",
		"connection: close",
		"connection: upgrade, Close",
		"proxy-connection: close",
	],
	100,
);

const LENGTH_ODD = ["+5", "-5", "0x5", "5 5", "5,5", "5, 5", "", " ", "5a", "1e1", "5.0", "\xb25"];
const CODING_ODD = [
	"gzip",
	"gzip, chunked",
	"chunked, gzip",
	"chunked, chunked",
	"chunked;a",
	"chunked \t",
	"x",
];

/** @param bytes of the body */
const lengthValue = (bytes: number): fc.Arbitrary<string> =>
	fc.oneof(
		{
			arbitrary: fc.constantFrom(`${bytes}`, `${bytes}`, `00${bytes}`, ` ${bytes}`),
			weight: 20,
		},
		{ arbitrary: fc.constantFrom(`${bytes + 1}`, `${Math.max(0, bytes - 1)}`), weight: 2 },
		{
			arbitrary: fc.constantFrom(
				...LENGTH_ODD,
				`${bytes} \t`,
				"99999999999999999999",
				"9007199254740993",
			),
			weight: 1,
		},
	);

const lengthLine = (bytes: number): fc.Arbitrary<string> =>
	fc
		.tuple(fc.constantFrom("content-length", "Content-Length"), lengthValue(bytes))
		.map(([name, value]) => `${name}: ${value}`);

const codingLine = fc
	.tuple(
		fc.constantFrom("transfer-encoding", "Transfer-Encoding"),
		mostly(["chunked", "Chunked"], CODING_ODD, 20),
	)
	.map(([name, value]) => `${name}: ${value}`);

const payload = fc.oneof(
	{
		arbitrary: fc
			.uint8Array({ maxLength: 40 })
			.map((bytes) => Buffer.from(bytes).toString("latin1")),
		weight: 8,
	},
	{ arbitrary: fc.constantFrom("", "HTTP/1.1 200 OK\r\n\r\n", "0\r\n\r\n"), weight: 2 },
	{
		arbitrary: fc
			.integer({ min: 1000, max: 200_000 })
			.map((size) => "0123456789".repeat(size / 10)),
		weight: 1,
	},
);

const sizeOf = (bytes: number): fc.Arbitrary<string> => {
	const hex = bytes.toString(16);
	return mostly(
		[hex, hex, hex.toUpperCase(), `000${hex}`, `${hex};a`, `${hex};a=b;c="d e"`],
		[
			`+${hex}`,
			`-${hex}`,
			`0x${hex}`,
			` ${hex}`,
			`${hex} `,
			`${hex}\t`,
			`${hex} ;a`,
			`${hex};a\x01b`,
			`${hex};a\xe9b`,
			`${hex}; a = b`,
			`${hex};`,
			`${hex};;`,
			`${hex};=`,
			`${hex};a="b`,
			`${hex};a="b\\"c"`,
			`${hex};a=b,c`,
			`${hex},a`,
			`${hex}.`,
			`00000000000000000${hex}`,
			`ffffffffffffffff`,
			`8000000000000000`,
			"",
			"x",
		],
		60,
	);
};

const chunk = payload.chain((text) =>
	text === ""
		? fc.constant("")
		: fc
				.tuple(
					sizeOf(text.length),
					lineEnd,
					mostly(["\r\n"], ["\n", "", "\r", "x\r\n", "\r\n\r\n"], 200),
				)
				.map(([size, end, after]) => `${size}${end}${text}${after}`),
);

const trailers = fc
	.tuple(fc.nat(3), fc.array(fc.tuple(plainLine, lineEnd), { maxLength: 2 }))
	.map(([none, lines]) => (none > 0 ? "" : lines.flat().join("")));

const chunkedBody = fc
	.tuple(
		fc.array(chunk, { maxLength: 4 }),
		mostly(["0", "0", "000", "0;last"], ["", "0 ", "-0", "x"], 60),
		lineEnd,
		trailers,
		lineEnd,
	)
	.map(([chunks, last, end, after, over]) => `${chunks.join("")}${last}${end}${after}${over}`);

interface Framed {
	readonly lines: readonly string[];
	readonly body: string;
}

const framed: fc.Arbitrary<Framed> = fc.oneof(
	{
		arbitrary: payload.chain((body) =>
			lengthLine(body.length).map((line) => ({ lines: [line], body })),
		),
		weight: 8,
	},
	{
		arbitrary: fc.tuple(codingLine, chunkedBody).map(([line, body]) => ({ lines: [line], body })),
		weight: 8,
	},
	{ arbitrary: payload.map((body) => ({ lines: [], body })), weight: 2 },
	{
		arbitrary: payload.chain((body) =>
			fc
				.array(fc.oneof(lengthLine(body.length), codingLine), { minLength: 2, maxLength: 3 })
				.map((lines) => ({ lines, body })),
		),
		weight: 1,
	},
	{
		arbitrary: chunkedBody.chain((body) =>
			fc
				.array(fc.oneof(lengthLine(5), codingLine), { minLength: 2, maxLength: 3 })
				.map((lines) => ({ lines, body })),
		),
		weight: 1,
	},
);

const interim = fc
	.tuple(
		mostly(
			["HTTP/1.1 100 Continue", "HTTP/1.1 103 Early Hints", "HTTP/1.1 199", "HTTP/1.0 102 x"],
			["HTTP/1.1 101 Upgrade", "HTTP/1.1 10 x", "HTTP/1.1 1000", "HTTP/1.2 100 x", "HTTP/1.1  100"],
			20,
		),
		fc.array(plainLine, { maxLength: 2 }),
		lineEnd,
	)
	.map(([status, lines, end]) => `${[status, ...lines].join("\r\n")}\r\n${end}`);

const extra = mostly(
	["", "", "", ""],
	["HTTP/1.1 200 OK\r\nx-smuggled: 1\r\ncontent-length: 0\r\n\r\n", "x", "\r\n", "\r\n\r\n", "\0"],
	5,
);

const response = fc
	.tuple(
		fc.constantFrom("GET", "GET", "GET", "POST", "POST", "HEAD"),
		fc.oneof(
			{ arbitrary: fc.constant([]), weight: 5 },
			{ arbitrary: fc.array(interim, { maxLength: 3 }), weight: 1 },
		),
		statusLine,
		framed,
		fc.array(plainLine, { maxLength: 5 }),
		fc.nat(),
		fc.infiniteStream(lineEnd),
		extra,
		fc.nat(4),
	)
	.map(([method, interims, status, { lines: framing, body }, others, at, ends, behind, stray]) => {
		const place = at % (others.length + 1);
		const lines = [status, ...others.slice(0, place), ...framing, ...others.slice(place), ""];
		const head = lines.map((line) => line + (ends.next().value ?? "\r\n")).join("");
		// A body where none may be is a rare fault.
		const none = (method === "HEAD" || / [23]04/.test(status)) && stray > 0;
		return { method, bytes: `${interims.join("")}${head}${none ? "" : body}${behind}` };
	});

type Change = (bytes: string) => string;

/** One byte is replaced, put in or taken out. */
const change: fc.Arbitrary<Change> = fc
	.tuple(
		fc.double({ min: 0, max: 1, noNaN: true }),
		fc.oneof(
			fc.nat(255).map((code) => String.fromCharCode(code)),
			fc.constantFrom(..."\r\n :;\0\t,0a"),
		),
		fc.constantFrom(0, 1),
		fc.boolean(),
	)
	.map(([part, byte, removed, added]) => (bytes: string) => {
		// Most of what is interesting comes early.
		const at = Math.floor(part * part * bytes.length);
		return bytes.slice(0, at) + (added ? byte : "") + bytes.slice(at + removed);
	});

const same: Change = (bytes) => bytes;

const mutation: fc.Arbitrary<Change> = fc.oneof(
	{ arbitrary: fc.constant(same), weight: 9 },
	{ arbitrary: change, weight: 1 },
);

const cutOff: fc.Arbitrary<Change> = fc.oneof(
	{ arbitrary: fc.constant(same), weight: 9 },
	{
		arbitrary: fc
			.double({ min: 0, max: 1, noNaN: true })
			.map((part) => (bytes: string) => bytes.slice(0, Math.floor(part * bytes.length))),
		weight: 1,
	},
);

export const scriptedAnswer: fc.Arbitrary<ScriptedAnswer> = fc
	.record({
		whole: response,
		mutation,
		cutOff,
		cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
		finish: fc.constantFrom("stay", "stay", "stay", "stay", "end", "end_at_once", "reset"),
	})
	.map(({ whole: { method, bytes: unchanged }, mutation: mutate, cutOff: cut, cuts, finish }) => {
		const bytes = cut(mutate(unchanged));
		const offsets = cuts.map((part) => Math.floor(part * part * bytes.length));
		const distinct = [...new Set(offsets)].filter((at) => at > 0 && at < bytes.length);
		return { method, bytes, cuts: distinct.sort((a, b) => a - b), finish } as const;
	});
