/** Proves that a response's framing is read as RFC 9112 6.3 says, and that doubt is refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	framing,
	holdsConnectionField,
	readFraming,
	trimValues,
} from "../../../src/upstream/undici/framing.ts";

const lines = (pairs: readonly (readonly [string, string])[]): Buffer[] =>
	pairs.flat().map((text) => Buffer.from(text, "latin1"));

const line = fc.tuple(
	fc.constantFrom(
		"content-length",
		"Content-Length",
		"transfer-encoding",
		"TRANSFER-Encoding",
		"x-length",
	),
	fc.constantFrom(
		"0",
		"5",
		"007",
		"5 \t",
		"chunked",
		"chunked ",
		"Chunked",
		"gzip",
		"-1",
		"",
		"9007199254740993",
		"1_0",
	),
);

test("agrees with the rules written the long way", () => {
	fc.assert(
		fc.property(
			fc.array(line, { maxLength: 3 }),
			fc.constantFrom(200, 204, 304, 404),
			fc.boolean(),
			(pairs, statusCode, headRequest) => {
				const values = (name: string): string[] =>
					pairs.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
				const lengths = values("content-length");
				const codings = values("transfer-encoding");
				const valid =
					lengths.length + codings.length <= 1 &&
					lengths.every((each) => /^\d+[ \t]*$/.test(each) && Number.isSafeInteger(Number(each))) &&
					codings.every((each) => each.toLowerCase() === "chunked");
				readFraming(headRequest, statusCode, lines(pairs));
				if (!valid) {
					expect(framing.kind).toBe("refused");
					return;
				}
				const length = lengths[0] === undefined ? -1 : Number(lengths[0]);
				expect(framing.length).toBe(length);
				expect(framing.declaresBody).toBe(length > 0 || codings.length > 0);
				const bodiless = headRequest || statusCode === 204 || statusCode === 304;
				const framed = codings.length > 0 ? "chunked" : length === -1 ? "close" : "length";
				expect(framing.kind).toBe(bodiless ? "none" : framed);
			},
		),
		{ numRuns: 1000 },
	);
});

test("values lose the white space behind them and nothing else", () => {
	const text = fc.array(fc.constantFrom("a", " ", "\t", "\u00ff"), { maxLength: 6 });
	fc.assert(
		fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
			const values = texts.map((each) => each.join(""));
			const raw = lines(values.map((value) => [" name ", value]));
			trimValues(raw);
			expect(raw.map((each) => each.toString("latin1"))).toEqual(
				values.flatMap((value) => [" name ", value.replace(/[ \t]+$/, "")]),
			);
		}),
	);
});

test("trailers that speak of the connection or of framing are noticed", () => {
	expect(holdsConnectionField([])).toBe(false);
	expect(holdsConnectionField(lines([["x-a", "connection"]]))).toBe(false);
	for (const name of ["Connection", "PROXY-connection", "content-length", "Transfer-Encoding"]) {
		const trailers = lines([
			["x-a", "b"],
			[name, "close"],
		]);
		expect(holdsConnectionField(trailers)).toBe(true);
	}
});
