/** Lines of curl as people paste them. */
import { describe, expect, it } from "vitest";
import { curlLine } from "../../../src/process/explain/curl-line.ts";

const read = (line: string) => {
	const found = curlLine(line.split(" ").map((word) => word.replaceAll("_", " ")));
	if (!found.ok) throw new Error(found.error);
	return found.value;
};
const own = { "user-agent": ["curl"], accept: ["*/*"] };

describe("curl", () => {
	it.each<[line: string, request: object]>([
		["curl a.example", { method: "GET", url: "http://a.example/", headers: own, body_length: 0 }],
		["https://a/x?y#z", { url: "https://a/x?y#z" }],
		["curl -sSLk --url http://a/ -o /dev/null -w x", { method: "GET", url: "http://a/" }],
		[
			"curl -XPUT -HX-A:_1 -H x-b: -H x-c; http://a/",
			{ method: "PUT", headers: { ...own, "x-a": ["1"], "x-c": [""] } },
		],
		["curl -H accept: -A bot http://a/", { headers: { "user-agent": ["bot"] } }],
		["curl -H X-A:_1 -H x-a:_2 http://a/", { headers: { ...own, "x-a": ["1", "2"] } }],
		[
			"curl -d a=1 -d b=2 http://a/",
			{
				method: "POST",
				body_length: 7,
				headers: { ...own, "content-type": ["application/x-www-form-urlencoded"] },
			},
		],
		[
			"curl -G -d a=1 --data-urlencode b=2 http://a/?c",
			{ method: "GET", url: "http://a/?c&a=1&b=2", body_length: 0 },
		],
		[
			"curl --json {} http://a/",
			{
				...{ method: "POST", body_length: 2 },
				headers: {
					"user-agent": ["curl"],
					accept: ["application/json"],
					"content-type": ["application/json"],
				},
			},
		],
		["curl -I http://a/", { method: "HEAD" }],
		[
			"curl -u u:p -b s=1 -e http://r/ -r 0-9 --compressed http://a/",
			{
				headers: {
					...own,
					authorization: ["Basic dTpw"],
					cookie: ["s=1"],
					referer: ["http://r/"],
					range: ["bytes=0-9"],
					"accept-encoding": ["deflate, gzip, br, zstd"],
				},
			},
		],
		["curl -T file http://a/b", { method: "PUT", body_length: "chunked" }],
		["curl http://a/x/../y/./z", { url: "http://a/y/z" }],
		["curl http://a/x/..", { url: "http://a/" }],
		["curl --path-as-is http://a/x/../y", { url: "http://a/x/../y" }],
	])("%s", (line, request) => {
		expect(read(line).request).toMatchObject(request);
	});

	it("leaves out what it is told to leave out", () => {
		expect(read("curl -H accept: http://a/").request.headers).toEqual({ "user-agent": ["curl"] });
	});

	it("says what it does not understand", () => {
		expect(read("curl --parallel -Z -x proxy:1 -d @f -b jar http://a/").notes).toEqual([
			"curl's --parallel is not understood here; it was passed over.",
			"curl's -Z is not understood here; it was passed over.",
			"curl's -x is not understood here; it was passed over.",
			"curl would send the file f; its length is taken to be 0.",
			"curl would read cookies from the file jar; give them as name=value.",
		]);
	});

	it.each([
		[["curl"], "no URL"],
		[["curl", "http://a/", "http://b/"], "two URLs"],
		[["curl", "http://a/", "-H"], "needs a value"],
		[["curl", "-H", "no colon", "http://a/"], "no header field"],
	])("refuses %o", (words, sentence) => {
		expect(curlLine(words)).toMatchObject({ ok: false, error: expect.stringContaining(sentence) });
	});
});
