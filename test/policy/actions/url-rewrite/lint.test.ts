/** Rewrites that can't do what they look like; what is said of one is what happens when it runs. */
import { describe, expect, test } from "vitest";
import { REWRITE_LINTS } from "../../../../src/policy/actions/url-rewrite/lint.ts";
import { compiled, exchangeOf, inbound } from "../../support.ts";

type Format = "nginx" | "cel";
const said = (from: string, to = "x", format?: Format): string[] =>
	REWRITE_LINTS.flatMap(({ code, inspect }) =>
		inspect({ from, to, format }, "inbound").map(({ path }) => `${path.join("/")} ${code}`),
	);

const URLS = [
	"http://h/",
	"http://h/path?a=b",
	"https://h.example/old/x.php",
	"http://h/index.html",
];

/** What becomes of each URL. */
const outcomes = (from: string, to: string, format?: Format): string[] =>
	URLS.map((url) => {
		const exchange = exchangeOf({ url });
		const { kind } = compiled(
			inbound({ type: "url-rewrite", config: { from, to, ...(format && { format }) } }),
		).inbound(exchange);
		return kind === "continue" && exchange.url.full !== url ? "rewritten" : kind;
	});

describe("patterns that are anchored to a path", () => {
	test.each([
		"^/path",
		"^(/a)",
		"(?i)^/a",
		"(^/a)",
		"^\\/a",
		"\\A/a",
		"^(?:/a)",
		"^/",
		"^/(a|b)",
		"^/[|]",
		"^/\\|",
		"^(/(?:a|b))",
		...["^/old|^/legacy", "^(/a|/b)", "(^/a|^/b)", "(?i)^/a|^/b$"],
		...["^(/a|/b|/c)", "^(?:/a|(/b|/c)|/d)", "^/a|^(/b|/c|/d)|^/e"],
		...["^/[[:alpha:]|]", "^/\\Qa|b\\E"],
	])("%s", (from) => {
		expect(said(from)).toEqual(["from anchored_path"]);
		expect(outcomes(from, "/x")).toEqual(URLS.map(() => "continue"));
	});

	test.each([
		...["/path", "^http://[^/]+/a", "^.*/a", "a^/b", "[^/]+/a"],
		...["^/a|b", "^(/a|http://h/b)", "(^/a|b)", "(?:^/(a)|b)", "(^(?:/a))|b"],
		...["^/a|(^/b|h)", "^/a|^/b|h", "(^/a|^/b)|h"],
		...["^(/a|(/b|c))", "^(/a|/b)|c", "^((/a|b)|/c)", "^(/a|"],
	])("not %s", (from) => {
		expect(said(from)).not.toContain("from anchored_path");
	});

	test("as long as patterns may be, with as many alternatives", () => {
		const of = (part: string, end: string) => part.repeat(16_000 / part.length) + end;
		for (const from of [of("^/|", "^/"), `^(${of("/|", "/)")}`, of("(^/|", "")])
			expect(said(`${from}|h`)).not.toContain("from anchored_path");
		expect(said(of("^/|", "^/"))).toEqual(["from anchored_path"]);
		expect(said(`^(${of("/|", "/)")}`)).toEqual(["from anchored_path"]);
	});
});

test("what is proposed for an anchored path is a rewrite that works and is not warned of", () => {
	const config = { from: "^(https?://[^/]+)/path", to: "$1/new" };
	expect(said(config.from, config.to)).toEqual([]);
	expect(outcomes(config.from, config.to)).toContain("rewritten");
});

describe("expressions in a pattern with the format of nginx", () => {
	test.each(["${req.host}", "/${req.host}/x", "a\\\\${x}", "[$]${x}"])("%s", (from) => {
		expect(said(from, "x", "nginx")).toEqual(["from unfilled_expression"]);
		expect(outcomes(from, "x", "nginx")).toEqual(URLS.map(() => "continue"));
	});

	test.each(["\\${x}", "[${x}]", "[^a${x}]", "[]${x}]", "x${1}", "a$", "\\Q${x}\\E"])(
		"not %s",
		(from) => {
			expect(said(from, "x", "nginx")).toEqual([]);
		},
	);

	test("not where they are filled in", () => {
		for (const format of ["cel", undefined] as const)
			expect(said("${req.host}", "x", format)).toEqual([]);
	});
});

describe("groups with a backslash", () => {
	test.each(["/new/\\1", "\\2", "a\\9b"])("%s", (to) => {
		expect(said("(a)", to)).toEqual(["to backslash_group"]);
	});

	test.each(["/new/$1", "\\n", "\\0", "\\\\"])("not %s", (to) => {
		expect(said("(a)", to)).toEqual([]);
	});
});

describe("a result that is no URL", () => {
	test.each([
		[".*", "/index.html"],
		["^.*$", "/index.html"],
		["(.*)", "index.html"],
		[".+", ""],
		["(?i).*\\.php", "/index.html"],
		["^https?://[^/]+/.*", "/new"],
		["^(https?)://[^/]+(.*)", "$uri"],
		[".*", "$uri"],
		[".*", "$request_uri"],
		[".*", "$host$request_uri"],
		["^.*/path", "$arg_a"],
		[".*", "$$scheme://h/"],
	])("%s → %s", (from, to) => {
		expect(said(from, to)).toEqual(["to rewrite_to_no_url"]);
		const results = outcomes(from, to);
		expect(results).toContain("failed");
		expect(results).not.toContain("rewritten");
	});

	test.each([
		[".*", "https://h.example$request_uri"],
		[".*", "$scheme://h.example$uri"],
		["^http(.*)", "https$1"],
		["^(https?://[^/]+)/old", "$1/new"],
		["^(?P<host>https?://[^/]+)/old", "$host/new"],
		["^(?<all>.*)$", "$all"],
		["/old/.*", "/new"],
		["v0/user/([0-9]+).*", "v1/user?id=$1&$args"],
		["https?://[^/]+/old", "/new"],
		["^.*/old|/older", "/new"],
		["/.*", "/index.html"],
		["\\?.*", ""],
		[".*", "${scheme}://h/"],
	])("not %s → %s", (from, to) => {
		expect(said(from, to)).toEqual([]);
	});
});
