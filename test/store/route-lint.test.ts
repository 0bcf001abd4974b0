/** Routes that most likely match something else than what was meant. */
import { expect, test } from "vitest";
import type { RouteDocument } from "../../src/store/resources.ts";
import { lintRoute } from "../../src/store/route-lint.ts";

const said = (match: string, match_type: RouteDocument["match_type"] = "path_prefix"): string[] =>
	lintRoute({ match, match_type, backend: { urls: ["http://a"] } }).map(
		({ pointer, code, message }) => `${pointer} ${code}: ${message}`,
	);

const wildcard = (written: string, prefix: string): string =>
	`/match wildcard_in_match: "${written}" is no wildcard, it stands for itself; a path_prefix of "${prefix}" takes all that begins so`;

test.each([
	["/api/*", "*", "/api/"],
	["/*", "*", "/"],
	["/api*", "*", "/api"],
	["/a/*/b", "*", "/a/"],
	["/users/:id", ":id", "/users/"],
	["/users/:id/posts", ":id", "/users/"],
	["/users/%7Bid%7D", "%7Bid%7D", "/users/"],
	["/:any", ":any", "/"],
])("%s", (match, written, prefix) => {
	for (const type of ["exact_path", "path_prefix"] as const)
		expect(said(match, type)).toEqual([wildcard(written, prefix)]);
});

test("a prefix that ends within a segment", () => {
	expect(said("/api")).toEqual([
		'/match prefix_within_segment: also takes "/apixyz", as a prefix is compared letter by letter; for the segment alone write "/api/", and an exact_path route for "/api"',
	]);
	expect(said("/v1/users2")).toHaveLength(1);
});

test("a backend whose certificate is not verified", () => {
	const lint = (tls: { verify?: boolean }) =>
		lintRoute({
			match: "/",
			match_type: "path_prefix",
			backend: { urls: ["https://a"], tls },
		}).map(({ pointer, code }) => `${pointer} ${code}`);
	expect(lint({ verify: false })).toEqual(["/backend/tls/verify unverified_backend"]);
	expect([lint({ verify: true }), lint({})]).toEqual([[], []]);
});

test.each(["/", "/api/", "/static/app-", "/v1.", "/a/b:c/", "/~"])("not the prefix %s", (match) => {
	expect(said(match)).toEqual([]);
});

test.each(["/api", "/", "/a/b:c", "/index.html"])("not the path %s", (match) => {
	expect(said(match, "exact_path")).toEqual([]);
});
