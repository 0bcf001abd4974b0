/** Lines in the combined format: their form, and that no client can end a text or a line. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { combinedLine, combinedRefusal } from "../../../src/edge/access/combined-line.ts";
import { loggedRequest } from "./logged.ts";

const NOW = Date.UTC(2026, 10, 22, 17, 22, 7, 965);
const FORM =
	/^(\S+) - (\S+) \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "([^"]*)" (\d{3}) (\d+) "([^"]*)" "([^"]*)"$/;

it("is what nginx writes", () => {
	const request = loggedRequest({
		bytesOut: 345,
		head: { rawPath: "/a/b", rawQuery: "q=1" },
		fields: [
			...["user-agent", "curl/8.0", "referer", "https://x.example/p?token=1#f"],
			...["authorization", `Basic ${Buffer.from("ada:lovelace").toString("base64")}`],
		],
	});
	expect(combinedLine(request, 200, true, NOW)).toBe(
		'192.0.2.1 - ada [22/Nov/2026:17:22:07 +0000] "GET /a/b?q=1 HTTP/1.1" 200 345 "https://x.example/p?token=1#f" "curl/8.0"',
	);
	expect(combinedLine(request, 0, false, NOW)).toBe(
		'192.0.2.1 - ada [22/Nov/2026:17:22:07 +0000] "GET /a/b HTTP/1.1" 000 345 "https://x.example/p" "curl/8.0"',
	);
});

it("has dashes for what is not known", () => {
	expect(combinedLine(loggedRequest({ loggedIp: "" }), 404, true, NOW)).toBe(
		'- - - [22/Nov/2026:17:22:07 +0000] "GET /x HTTP/1.1" 404 2 "-" "-"',
	);
	expect(combinedRefusal("192.0.2.9", "", "", 400, NOW)).toBe(
		'192.0.2.9 - - [22/Nov/2026:17:22:07 +0000] "-" 400 0 "-" "-"',
	);
	expect(combinedRefusal("192.0.2.9", 'G"ET', "/\n", 400, NOW)).toBe(
		'192.0.2.9 - - [22/Nov/2026:17:22:07 +0000] "G\\x22ET /\\x0A" 400 0 "-" "-"',
	);
});

it("escapes as nginx does", () => {
	const line = combinedLine(
		loggedRequest({ fields: ["user-agent", 'a"b\\c\td\x7fé\u2028😀'] }),
		200,
		true,
		NOW,
	);
	expect(
		line.endsWith(String.raw`"a\x22b\x5Cc\x09d\x7F\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80"`),
	).toBe(true);
});

it("keeps its form whatever a client sends", () => {
	const anything = fc.string({ unit: "binary", maxLength: 80 });
	fc.assert(
		fc.property(anything, anything, anything, anything, (path, agent, referer, user) => {
			const basic = Buffer.from(`${user}:x`).toString("base64");
			const fields = ["user-agent", agent, "referer", referer, "authorization", `Basic ${basic}`];
			const request = loggedRequest({ head: { rawPath: `/${path}` }, fields });
			const line = combinedLine(
				{ ...request, head: { ...request.head, rawQuery: undefined } },
				200,
				true,
				NOW,
			);
			expect(line).toMatch(FORM);
			expect(line).toMatch(/^[\x20-\x7e]*$/);
		}),
	);
});
