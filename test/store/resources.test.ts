/** What an edge or a route may hold, beyond what the API tests show: sound documents pass unchanged. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { check } from "../../src/documents/problems.ts";
import { normalizePath } from "../../src/http/path.ts";
import { edgeSchema, routeSchema } from "../../src/store/resources.ts";

it("fills defaults in and keeps strings as submitted", () => {
	const checked = check(edgeSchema, { hostports: ["A.Example:443", "*"], metadata: "é" });
	expect(checked).toEqual({
		ok: true,
		value: { hostports: ["A.Example:443", "*"], description: "", metadata: "é" },
	});
});

it("counts bytes, not characters", () => {
	const edge = (metadata: string) => check(edgeSchema, { hostports: ["*"], metadata }).ok;
	expect(edge("é".repeat(2048))).toBe(true);
	expect(edge("é".repeat(2049))).toBe(false);
});

it("accepts exactly the matches that some normal path has", () => {
	const path = fc
		.array(
			fc.constantFrom("a", ".", "..", "%41", "%2F", "%2f", "/", "%", "?", "\\", " ", ";", "~"),
			{ maxLength: 8 },
		)
		.map((parts) => `/${parts.join("")}`);
	const accepts = (match_type: string, match: string) =>
		check(routeSchema, { match_type, match, backend: { urls: ["http://a"] } }).ok;
	fc.assert(
		fc.property(path, path, (match, rest) => {
			expect(accepts("exact_path", match)).toBe(normalizePath(match) === match);
			const normal = normalizePath(rest);
			if (normal === undefined) return;
			expect(accepts("exact_path", normal)).toBe(true);
			expect(accepts("path_prefix", normal)).toBe(true);
		}),
		{ numRuns: 500 },
	);
});

it("never throws, whatever comes", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect([true, false]).toContain(check(edgeSchema, value).ok);
			expect([true, false]).toContain(check(routeSchema, value).ok);
		}),
	);
});

it("tells what is wrong with several values beside what is wrong with one", () => {
	const pointers = (schema: Parameters<typeof check>[0], value: unknown) => {
		const checked = check(schema, value);
		return checked.ok ? [] : checked.error.map(({ pointer }) => pointer);
	};
	expect(pointers(edgeSchema, { hostports: ["a.example", 5, "A.example", "b c"] })).toEqual([
		"/hostports/1",
		"/hostports/2",
		"/hostports/3",
	]);
	expect(pointers(routeSchema, { match: "/a/../b", backend: { urls: [5] } })).toEqual([
		"/match",
		"/backend/urls/0",
		"/match_type",
	]);
	expect(pointers(routeSchema, { match_type: "path_prefix", match: "/a?b" })).toEqual([
		"/match",
		"/backend",
	]);
	expect(pointers(routeSchema, { match_type: 1, match: 2, backend: 3 })).toHaveLength(3);
});

it("takes whole numbers in their bounds for connections and pipelining, and says what else came", () => {
	const problemsOf = (backend: object) => {
		const document = { match_type: "path_prefix", match: "/", backend };
		const checked = check(routeSchema, document);
		return checked.ok ? [] : checked.error.map(({ pointer, message }) => [pointer, message]);
	};
	const fields = [
		["max_connections", 10_000],
		["pipelining", 64],
	] as const;
	for (const [field, most] of fields) {
		const withIt = (value: unknown) => problemsOf({ urls: ["http://a"], [field]: value });
		const pointer = `/backend/${field}`;
		fc.assert(
			fc.property(fc.integer({ min: -5, max: most + 5 }), (value) => {
				expect(withIt(value)).toHaveLength(value >= 1 && value <= most ? 0 : 1);
			}),
		);
		expect([withIt(1), withIt(most)]).toEqual([[], []]);
		expect(withIt(0)).toEqual([[pointer, "must be at least 1, got the number 0"]]);
		expect(withIt(most + 1)).toEqual([
			[pointer, `must be at most ${most}, got the number ${most + 1}`],
		]);
		expect(withIt(1.5)).toEqual([[pointer, "expected an integer, got the number 1.5"]]);
		expect(withIt("2")).toEqual([[pointer, 'expected a number, got the string "2"']]);
		expect(withIt(null)).toEqual([[pointer, "expected a number, got null"]]);
	}
});

it("leaves out what a backend leaves out", () => {
	const document = {
		match_type: "exact_path",
		match: "/",
		backend: { urls: ["http://a"], pipelining: 1 },
	};
	expect(check(routeSchema, document)).toEqual({ ok: true, value: document });
});
