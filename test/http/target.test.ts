import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizePath } from "../../src/http/path.ts";
import {
	isPlainQuery,
	isQuery,
	parseAuthority,
	parseUrl,
	RequestUrl,
} from "../../src/http/target.ts";

it("a plain query is one that is in order and ASCII", () => {
	const query = fc.string({
		unit: fc.constantFrom(..."a&/?%\\~!# \t\u007f\u0080é\ufffd😀"),
		maxLength: 4,
	});
	fc.assert(
		fc.property(query, (query) => {
			expect(isPlainQuery(query)).toBe(isQuery(query) && !/[^\0-\u007f]/.test(query));
		}),
	);
});

describe("isQuery", () => {
	it("lets through what URLs hold and refuses what would break the request line", () => {
		expect(isQuery("a=1&b=/../?x%zz\\é")).toBe(true);
		for (const bad of ["a b", "a#b", "a\tb", "a\rb", "\u0000", "\ufffd"])
			expect(isQuery(bad)).toBe(false);
	});
});

describe("parseAuthority", () => {
	it.each([
		["Example.COM", { host: "example.com", port: undefined }],
		["example.com:8080", { host: "example.com", port: 8080 }],
		["Example.com.", { host: "example.com", port: undefined }],
		["example.com.:8080", { host: "example.com", port: 8080 }],
		["example.com:", { host: "example.com", port: undefined }],
		["a_b.example", { host: "a_b.example", port: undefined }],
		["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
		["[0:0:0:0:0:0:0:1]", { host: "[::1]", port: undefined }],
		["[::1]:80", { host: "[::1]", port: 80 }],
		["[::FFFF:1.2.3.4]", { host: "[::ffff:102:304]", port: undefined }],
	])("%s", (text, expected) => {
		expect(parseAuthority(text)).toEqual(expected);
	});

	it.each([
		"",
		" ",
		".",
		".:80",
		"..",
		"a..",
		"a..:80",
		"a..b",
		".a",
		"..a",
		"a b",
		"a/b",
		"a@b",
		"a:b",
		"a:65536",
		"a:123456",
		"[::1",
		"[zz]",
		"[]",
		"::1",
		"a%2eb",
		"é",
		'a"b',
		"a,b:c",
		"a".repeat(256),
	])("refuses %j", (text) => {
		expect(parseAuthority(text)).toBeUndefined();
	});
});

describe("RequestUrl", () => {
	it("has every part of contract 4", () => {
		const authority = { host: "h.example", port: 8080 };
		const url = new RequestUrl("http", authority, "/b", "/a/../%62", "x=1&y");
		expect({ ...parts(url) }).toEqual({
			scheme: "http",
			host: "h.example",
			authority: "h.example:8080",
			port: 8080,
			path: "/b",
			rawPath: "/a/../%62",
			query: "x=1&y",
			uri: "/b?x=1&y",
			full: "http://h.example:8080/b?x=1&y",
			raw: "http://h.example:8080/a/../%62?x=1&y",
			target: "/b?x=1&y",
		});
	});

	it("goes upstream as it came if it holds no dot segment", () => {
		const url = new RequestUrl("http", { host: "h", port: 80 }, "/b", "/%62", "x=1&y");
		expect(url.target).toBe("/%62?x=1&y");
		expect(url.raw).toBe("http://h/%62?x=1&y");
	});

	it("leaves the default port out and keeps a lone question mark", () => {
		const plain = new RequestUrl("https", { host: "h", port: 443 }, "/", "/", undefined);
		expect(plain.full).toBe("https://h/");
		expect(plain.port).toBe(443);
		expect(new RequestUrl("http", { host: "h", port: undefined }, "/", "/", "").target).toBe("/?");
	});
});

const parts = (url: RequestUrl) => ({
	scheme: url.scheme,
	host: url.host,
	authority: url.authority,
	port: url.port,
	path: url.path,
	rawPath: url.rawPath,
	query: url.query,
	uri: url.uri,
	full: url.full,
	raw: url.raw,
	target: url.target,
});

describe("parseUrl: a rewritten URL", () => {
	it("gives back what RequestUrl printed", () => {
		fc.assert(
			fc.property(
				fc.constantFrom("http", "https"),
				fc.constantFrom("h", "h.example", "[::1]", "10.0.0.1"),
				fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
				fc.webPath().filter((path) => path.startsWith("/")),
				fc.option(fc.webQueryParameters(), { nil: undefined }),
				(scheme, host, port, rawPath, query) => {
					const path = normalizePath(rawPath);
					if (path === undefined) return;
					const url = new RequestUrl(scheme, { host, port }, path, path, query);
					const again = parseUrl(url.full);
					expect(again && parts(again)).toEqual(parts(url));
				},
			),
		);
	});

	it.each([
		["http://h/v1/user?id=42&", "/v1/user?id=42&"],
		["http://h/v1/admin??x=1", "/v1/admin??x=1"],
		["http://h", "/"],
		["http://h?x", "/?x"],
		["http://h/a/../%62", "/b"],
		["http://h/%62", "/%62"],
		["http://h/ü?ü", "/%C3%BC?%C3%BC"],
		["http://other:81/x", "/x"],
	])("%s goes upstream as %s", (full, target) => {
		expect(parseUrl(full)?.target).toBe(target);
	});

	it.each([
		"",
		"/x",
		"foo",
		"http:///x",
		"http://h /x",
		"http://h/a b",
		"http://h/a\nb",
		"http://h/a#b",
		"http://h/%zz",
		"http://h/%00",
		"ftp://h/",
		"http://u@h/",
		"http://h/\ud800",
		"http://h/..;/x",
		"http://h/x//../y",
		"http://h/x%2Fy/../z",
		"http://h/%2Fx",
		"http://h../x",
	])("refuses %j", (full) => {
		expect(parseUrl(full)).toBeUndefined();
	});
});
