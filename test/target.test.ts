import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	isPlainQuery,
	isQuery,
	normalizePath,
	parseAuthority,
	parseUrl,
	RequestUrl,
} from "../src/target.ts";

describe("normalizePath: the form that routes and policies see", () => {
	it.each([
		["/", "/"],
		["/admin", "/admin"],
		["/%61dmin", "/admin"],
		["/%41%5a%7e%2D%2e_x", "/AZ~-._x"],
		["/a/./b", "/a/b"],
		["/a/../b", "/b"],
		["/a/%2e%2E/b", "/b"],
		["/a/.%2e/b", "/b"],
		["/../../b", "/b"],
		["/a/..", "/"],
		["/a/b/..", "/a/"],
		["/a/.", "/a/"],
		["/.well-known/x", "/.well-known/x"],
		["/a/.../b", "/a/.../b"],
		["/a/..b", "/a/..b"],
		["//admin", "//admin"],
		["/a//../b", "/a/b"],
		["/a%2fb", "/a%2Fb"],
		["/a%5cb", "/a%5Cb"],
		["/a%252e%252e/b", "/a%252e%252e/b"],
		["/é", "/%C3%A9"],
		["/%c3%a9", "/%C3%A9"],
		["/%c0%ae%c0%ae/x", "/%C0%AE%C0%AE/x"],
		["/{a}|b", "/%7Ba%7D%7Cb"],
		["/a;v=1/b", "/a;v=1/b"],
		["/a%20b", "/a%20b"],
		["/a%0d%0ab", "/a%0D%0Ab"],
		["/admin.", "/admin."],
	])("%s becomes %s", (raw, normal) => {
		expect(normalizePath(raw)).toBe(normal);
	});

	it.each([
		"",
		"*",
		"a",
		"/a%00b",
		"/a%",
		"/a%2",
		"/a%zz",
		"/a\\b",
		"/a\\..\\b",
		"/a#b",
		"/a b",
		"/a\u0000b",
		"/a\u007fb",
		"/a\ufffdb",
		"/a\ud800b",
		"/a?b",
		"/a/..;/b",
		"/a/..;x=1/b",
		"/a/.;/b",
		"/a/%2e%2e;/b",
		"/a/..%2fb",
		"/a%2f..%2Fb",
		"/a%5c..%5Cb",
		"/a/%2e%2e%2fb",
		"/a%2f..",
		"/a%2f..;x/b",
	])("refuses %j", (raw) => {
		expect(normalizePath(raw)).toBeUndefined();
	});

	const piece = fc.constantFrom(
		..."/ / / . . .. %2e %2E %2f %2F %5c %61 a b ~ ; = %25 %3b %c3%a9 é { // 2 e % %00".split(" "),
	);
	const path = fc.array(piece, { maxLength: 14 }).map((parts) => `/${parts.join("")}`);

	it("is idempotent and leaves no dot segment, no decodable or lower-case encoding", () => {
		fc.assert(
			fc.property(path, (raw) => {
				const normal = normalizePath(raw);
				if (normal === undefined) return;
				expect(normalizePath(normal)).toBe(normal);
				expect(normal).toMatch(/^\/[\x21-\x7e]*$/);
				expect(normal.split("/")).not.toContain("..");
				expect(normal.split("/")).not.toContain(".");
				for (const [triplet] of normal.matchAll(/%../g)) {
					expect(triplet).toBe(triplet.toUpperCase());
					expect(decodeURIComponentOr(triplet)).not.toMatch(/^[A-Za-z0-9\-._~]$/);
				}
			}),
			{ numRuns: 2000 },
		);
	});

	it("never makes a separator: as many slashes in as out when there are no dot segments", () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom("/", "%2f", "%2F", "%5c", "a", "%61", "%25"), { maxLength: 12 }),
				(parts) => {
					const raw = `/${parts.join("")}`;
					expect(normalizePath(raw)?.split("/").length).toBe(raw.split("/").length);
				},
			),
		);
	});

	it("gives one result for spellings that RFC 3986 calls equivalent", () => {
		const segment = fc.string({ unit: fc.constantFrom(..."abzAZ09-._~é"), maxLength: 6 });
		const spelling = fc.infiniteStream(fc.nat(3));
		fc.assert(
			fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), spelling, (segments, dice) => {
				const plain = `/${segments.join("/")}`;
				let spelled = "";
				for (const character of plain) {
					const die = dice.next().value ?? 0;
					if (character === "/") spelled += ["/", "/./", "/x/../", "/%2e/"][die] ?? "/";
					else spelled += die === 0 ? character : encodeAll(character, die === 1);
				}
				expect(normalizePath(spelled)).toBe(normalizePath(plain));
			}),
			{ numRuns: 1000 },
		);
	});

	it("agrees with the algorithm as RFC 3986 5.2.4 writes it down", () => {
		const raw = fc
			.array(fc.constantFrom("/", "a", ".", "..", "/.", "/..", "b"), { maxLength: 12 })
			.map((parts) => `/${parts.join("")}`);
		fc.assert(
			fc.property(raw, (text) => {
				expect(normalizePath(text)).toBe(removeDotSegments(text));
			}),
			{ numRuns: 1000 },
		);
	});

	it("is linear in long input", () => {
		const long = `/${"a/../%2e%2e/;".repeat(5000)}`;
		expect(normalizePath(long)).toBeDefined();
		expect(normalizePath(`/${"%2f..".repeat(13_000)}`)).toBeUndefined();
	});
});

const encodeAll = (character: string, lower: boolean): string => {
	const text = [...Buffer.from(character)]
		.map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
		.join("");
	return lower ? text : text.toUpperCase();
};
/** RFC 3986 5.2.4, rule by rule. */
const removeDotSegments = (text: string): string => {
	let input = text;
	let output = "";
	while (input !== "") {
		if (input.startsWith("/./")) input = input.slice(2);
		else if (input === "/.") input = "/";
		else if (input.startsWith("/../") || input === "/..") {
			input = input === "/.." ? "/" : input.slice(3);
			output = output.slice(0, Math.max(0, output.lastIndexOf("/")));
		} else {
			const end = input.indexOf("/", 1);
			output += end === -1 ? input : input.slice(0, end);
			input = end === -1 ? "" : input.slice(end);
		}
	}
	return output;
};
const decodeURIComponentOr = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return "";
	}
};

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
		const url = new RequestUrl(
			"http",
			{ host: "h.example", port: 8080 },
			"/b",
			"/a/../%62",
			"x=1&y",
		);
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
			target: "/a/../%62?x=1&y",
		});
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
		["http://h/a/../b", "/a/../b"],
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
	])("refuses %j", (full) => {
		expect(parseUrl(full)).toBeUndefined();
	});
});
