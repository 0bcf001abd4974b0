/** The normal form of paths, and what becomes of them behind: models of backends, which test/e2e/paths holds to real ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forwardedPath, normalizePath } from "../../src/http/path.ts";
import { BACKENDS, decoded, spelling } from "./path-readers.ts";

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
		["/a/..//b", "//b"],
		["/../a//b", "/a//b"],
		["/a/../b%2Fc", "/b%2Fc"],
		["/a//b", "/a//b"],
		["/a/%2Fb", "/a/%2Fb"],
		["/a/..b%2Fc", "/a/..b%2Fc"],
		["/a;b/../c", "/c"],
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
		"/a/..%3b/b",
		"/a/..%3F/b",
		"/a/.%23b",
		"/a%2F..%3Bx/b",
		"/a//../b",
		"/a//./b",
		"//../a",
		"//%2e%2e/a",
		"/a//b/../c",
		"/a/b//../../c",
		"/a//..",
		"/x//%2e%2e/admin/s",
		"/a%2Fx/../s",
		"/a%5cx/../s",
		"/a%2Fx/b/%2e/s",
		"/a/%2F/../s",
		"/%2fadmin/s",
		"/%5cadmin/s",
		"/%2F",
		"//%2Fadmin/s",
		"/a/../%2Fadmin/s",
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
					const raw = `/a${parts.join("")}`;
					expect(normalizePath(raw)?.split("/").length).toBe(raw.split("/").length);
				},
			),
		);
	});

	it("gives one result for spellings that RFC 3986 calls equivalent", () => {
		const segment = fc.string({
			unit: fc.constantFrom(..."abzAZ09-._~é"),
			minLength: 1,
			maxLength: 6,
		});
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

	it("agrees with the algorithm as RFC 3986 5.2.4 writes it down, but behind an empty segment", () => {
		const raw = fc
			.array(fc.constantFrom("/", "a", ".", "..", "/.", "/..", "b"), { maxLength: 12 })
			.map((parts) => `/${parts.join("")}`);
		fc.assert(
			fc.property(raw, (text) => {
				const isUnsure = /\/\/(?:.*\/)?\.{1,2}(?:\/|$)/.test(text);
				expect(normalizePath(text)).toBe(isUnsure ? undefined : removeDotSegments(text));
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

describe("forwardedPath: what goes upstream", () => {
	it.each([
		["/a/b", "/a/b"],
		["/%61/%2fb;x//é", "/%61/%2fb;x//é"],
		["/a/../%62", "/b"],
		["/%2e/%62", "/b"],
		["/a/%2E.", "/"],
		["/a/..;x=1%2f", undefined],
		["/a/...", "/a/..."],
		["/a/.%62", "/a/.%62"],
		["/..%62/%63", "/..%62/%63"],
	])("%s goes as %s", (raw, sent) => {
		const normal = normalizePath(raw);
		expect(normal === undefined ? undefined : forwardedPath(raw, normal)).toBe(sent);
	});

	it("is what the policy saw, to a reader of RFC 3986, and never holds a dot segment", () => {
		fc.assert(
			fc.property(spelling, (raw) => {
				const normal = normalizePath(raw);
				if (normal === undefined) return;
				const sent = forwardedPath(raw, normal);
				expect(normalizePath(sent)).toBe(normal);
				for (const segment of sent.split(/\/|\\|%2f|%5c/i)) {
					expect(decodeURIComponentOr(segment)).not.toMatch(/^\.{1,2}(?:[;?#]|$)/);
				}
			}),
			{ numRuns: 5000 },
		);
	});
});

describe("what a backend serves", () => {
	const accepted = spelling.filter((raw) => normalizePath(raw) !== undefined);

	it.each(Object.entries(BACKENDS))(
		"%s: is what the policy saw, decoded, its separators merged, no segment taken away",
		(_name, { serves, reads }) => {
			fc.assert(
				fc.property(accepted, (raw) => {
					const normal = normalizePath(raw) ?? "";
					const served = serves(forwardedPath(raw, normal));
					if (served !== undefined) expect(served).toBe(reads(normal));
				}),
				{ numRuns: 5000 },
			);
		},
	);

	it.each(Object.entries(BACKENDS))(
		"%s: with the rule that docs/contract.md advises, it is what the policy saw, decoded",
		(_name, { serves, advised }) => {
			fc.assert(
				fc.property(accepted, (raw) => {
					const normal = normalizePath(raw) ?? "";
					if (advised.test(normal)) return;
					const served = serves(forwardedPath(raw, normal));
					if (served !== undefined) expect(served).toBe(decoded(normal));
				}),
				{ numRuns: 5000 },
			);
		},
	);
});
