/** The combined format, as weir writes it and as others do. */
import { describe, expect, it } from "vitest";
import { combinedEntry } from "../../src/replay/combined-entry.ts";

const line = (
	asked: string,
	more = '200 12 "-" "curl/8"',
	time = "22/Nov/2026:17:22:07 +0000",
): string => `192.0.2.7 - - [${time}] "${asked}" ${more}`;
const entry = (text: string) => {
	const read = combinedEntry(text);
	return read.kind === "request" ? read.entry : read;
};

describe("a line", () => {
	it("is a request with what it tells", () => {
		expect(
			entry(line("GET /a?b=c HTTP/1.1", '404 - "http://b/" "x \\x22y\\x22 \\xC3\\xBC"')),
		).toMatchObject({
			...{ clientIp: "192.0.2.7", method: "GET", rawPath: "/a", rawQuery: "b=c", status: 404 },
			...{ httpVersion: "HTTP/1.1", startMs: Date.parse("2026-11-22T17:22:07Z"), bytesOut: 0 },
			headers: ["user-agent", 'x "y" ü', "referer", "http://b/"],
		});
	});

	it("may be in the common format, with fields behind it, or in another time zone", () => {
		expect(entry(line("GET / HTTP/1.1", "200 12"))).toMatchObject({ status: 200, headers: [] });
		expect(entry(line("GET / HTTP/1.1", '200 12 "-" "-" "more" 0.1'))).toMatchObject({
			status: 200,
		});
		expect(entry(line("GET / HTTP/1.1", "200 1", "22/Nov/2026:19:22:07 +0200"))).toMatchObject({
			startMs: Date.parse("2026-11-22T17:22:07Z"),
		});
		expect(entry(line("GET http://a.example:81/x?y HTTP/1.1"))).toMatchObject({
			...{ host: "a.example:81", rawPath: "/x", rawQuery: "y" },
		});
	});

	it("is of a request that nobody could read", () => {
		expect(combinedEntry(line("-")).kind).toBe("refused");
		expect(combinedEntry(line("\\x16\\x03")).kind).toBe("refused");
	});

	it.each([
		["something else", "neither JSON nor in the combined format"],
		[line("GET / HTTP/1.1", "200 1", "22/Xyz/2026:17:22:07 +0000"), "its time is none"],
	])("%s is bad", (text, why) => {
		expect(combinedEntry(text)).toEqual({ kind: "bad", why: expect.stringContaining(why) });
	});
});
