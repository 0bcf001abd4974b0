/** Every framing game of contract 6 is refused whatever the order of the fields; sound ones give a length. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNKED, checkFraming } from "../../src/http/framing.ts";

const host = ["host", "example.com"];

describe("checkFraming", () => {
	it.each([
		[[...host], 0],
		[[...host, "content-length", "0"], 0],
		[[...host, "content-length", "42"], 42],
		[[...host, "content-length", "999999999999999"], 999_999_999_999_999],
		[[...host, "transfer-encoding", "chunked"], CHUNKED],
		[[...host, "transfer-encoding", "Chunked"], CHUNKED],
	])("%j gives %d", (headers, length) => {
		expect(checkFraming(headers)).toBe(length);
	});

	it.each([
		[[], 400],
		[["host", ""], 400],
		[[...host, ...host], 400],
		[["host", "", "host", "a"], 400],
		[[...host, "content-length", ""], 400],
		[[...host, "content-length", "+5"], 400],
		[[...host, "content-length", "-5"], 400],
		[[...host, "content-length", "5, 5"], 400],
		[[...host, "content-length", "5,5"], 400],
		[[...host, "content-length", "0x5"], 400],
		[[...host, "content-length", "5 5"], 400],
		[[...host, "content-length", "5e3"], 400],
		[[...host, "content-length", "1".repeat(16)], 400],
		[[...host, "content-length", "5", "content-length", "5"], 400],
		[[...host, "content-length", "5", "content-length", "6"], 400],
		[[...host, "content-length", "5", "transfer-encoding", "chunked"], 400],
		[[...host, "transfer-encoding", "gzip", "content-length", "5"], 400],
		[[...host, "transfer-encoding", "xchunked"], 501],
		[[...host, "transfer-encoding", "gzip, chunked"], 501],
		[[...host, "transfer-encoding", "chunked, chunked"], 501],
		[[...host, "transfer-encoding", "identity"], 501],
		[[...host, "transfer-encoding", ""], 501],
		[[...host, "transfer-encoding", "chunked", "transfer-encoding", "chunked"], 501],
	])("%j is refused with %d", (headers, status) => {
		expect(checkFraming(headers)).toMatchObject({ status, message: expect.any(String) });
	});

	it("does not depend on the fields' order or on other fields", () => {
		const pairs = fc.constantFrom(
			["content-length", "5"],
			["content-length", ""],
			["transfer-encoding", "chunked"],
			["transfer-encoding", "x"],
			["host", "a"],
			["accept", "*/*"],
		);
		const shuffled = fc
			.array(pairs, { maxLength: 5 })
			.chain((list) =>
				fc.tuple(
					fc.constant(list),
					fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
				),
			);
		const verdict = (list: readonly (readonly string[])[]) => {
			const result = checkFraming(list.flat());
			return typeof result === "number" ? result : "refused";
		};
		fc.assert(
			fc.property(shuffled, ([list, other]) => {
				expect(verdict(other)).toBe(verdict(list));
				expect(verdict([...other, ["x-more", "1"]])).toBe(verdict(list));
			}),
		);
	});
});
