/** redirect (contract 5): where it leads, when it goes on, and what is refused. */
import { describe, expect, test } from "vitest";
import { compiled, exchangeOf, inbound, problemsOf, warningsOf } from "../support.ts";

const redirect = (config: object) => ({ type: "redirect", config });
const URL_ASKED = "http://www.shop.example:8080/a/b?x=1";

function became(config: object, url = URL_ASKED): string {
	const exchange = exchangeOf({ url });
	const outcome = compiled(inbound(redirect(config))).inbound(exchange);
	if (outcome.kind !== "respond") {
		return [outcome.kind, ...exchange.failures.map(({ message }) => message)].join(": ");
	}
	const headers = outcome.headers.map(([name, value]) => `${name}: ${value}`).join(", ");
	return `${outcome.statusCode} ${headers}`;
}

describe("leads", () => {
	test.each<[object, string]>([
		[{ to: "https://other.example/" }, "302 location: https://other.example/"],
		[{ to: "/new", status_code: 301 }, "301 location: http://www.shop.example:8080/new"],
		[{ to: "?y=2" }, "302 location: http://www.shop.example:8080/a/b?y=2"],
		[{ to: "c" }, "302 location: http://www.shop.example:8080/a/c"],
		[{ to: "//cdn.example/c" }, "302 location: http://www.shop.example:8080//cdn.example/c"],
		[{ from: "^http:", to: "https:" }, "302 location: https://www.shop.example:8080/a/b?x=1"],
		[{ from: "/a/(\\w+)", to: "/$1/z" }, "302 location: http://www.shop.example:8080/b/z?x=1"],
		[{ to: "https://$host$request_uri" }, "302 location: https://www.shop.example/a/b?x=1"],
		[
			{ to: "/login?next=${req.url.path}#top" },
			"302 location: http://www.shop.example:8080/login?next=/a/b#top",
		],
		[
			{ to: "/n", headers: { "X-Why": "${req.method}" } },
			"302 location: http://www.shop.example:8080/n, X-Why: GET",
		],
		[{ to: "/ü" }, "302 location: http://www.shop.example:8080/%C3%BC"],
	])("%j to %s", (config, answer) => {
		expect(became(config)).toBe(answer);
	});
});

test("goes on where nothing matches or nothing changes", () => {
	expect(became({ from: "/nowhere", to: "/x" })).toBe("continue");
	expect(became({ from: "/a/b", to: "/a/b" })).toBe("continue");
	expect(became({ to: "/a/b?x=1" })).toBe("continue");
	expect(became({ to: "HTTP://WWW.shop.example:8080/%61/./b?x=1#top" })).toBe("continue");
});

test.each<[object, string]>([
	[{ to: "ftp://other.example/" }, "failed: the redirect leads to no http or https URL"],
	[{ to: "javascript:alert(1)" }, "failed: the redirect leads to no http or https URL"],
	[{ to: "https://a b/" }, "failed: the redirect leads to no http or https URL"],
	[{ to: "/${'a\\r\\nset-cookie: x'}" }, "failed: the redirect leads to no http or https URL"],
	[{ to: "/#${'a\\r\\nx: y'}" }, "302 location: http://www.shop.example:8080/#a%0D%0Ax:%20y"],
	[{ to: "/x", headers: { a: "${'b\\r\\nc'}" } }, 'failed: the value of header "a" can\'t be sent'],
])("%j fails closed", (config, outcome) => {
	expect(became(config)).toBe(outcome);
});

test("tells what matched, and where it led", () => {
	const says = {
		type: "log",
		config: { metadata: { said: "${actions.redirect.matches} ${actions.ngrok.redirect.url}" } },
	};
	const policy = compiled({
		inbound: [{ actions: [redirect({ from: "a|b", to: "c" })] }, { actions: [says] }],
		outbound: [{ actions: [says] }],
	});
	const exchange = exchangeOf({ url: "http://h/a-b" });
	expect(policy.inbound(exchange).kind).toBe("respond");
	policy.outbound(exchange);
	const other = exchangeOf({ url: "http://h/x" });
	policy.inbound(other);
	expect([exchange.logs, other.logs]).toEqual([
		[{ said: '["a","b"] http://h/c-c' }],
		[{ said: "[] http://h/x" }],
	]);
});

test.each<[object, string]>([
	[{}, "config/to required"],
	[{ to: "" }, "config/to too_small"],
	[{ to: "/x", status_code: 304 }, "config/status_code"],
	[{ from: "(", to: "/x" }, "config/from invalid_pattern"],
	[{ from: "${x}", to: "/x" }, "config/from unknown_variable"],
	[{ from: "a", to: "$2" }, "config/to unknown_group"],
	[{ to: "${nope}" }, "config/to unknown_variable"],
	[{ to: "/x", headers: { "x-a": "a\nb" } }, "config/headers/x-a invalid_header"],
	[{ to: "/x", headers: { "x-a": "a\0${1}" } }, "config/headers/x-a invalid_header"],
	[{ to: "/x", headers: { Location: "/y" } }, "config/headers/Location invalid_header"],
	[
		{ to: "/x", headers: { "content-length": "5" } },
		"config/headers/content-length invalid_header",
	],
])("%j is refused", (config, problem) => {
	const found = problemsOf(inbound(redirect(config)));
	expect(found).toHaveLength(1);
	expect(found[0]).toContain(`/inbound/0/actions/0/${problem}`);
});

test("an anchor to the path and groups of other languages are warned of", () => {
	const codes = (config: object) => warningsOf(inbound(redirect(config))).map(({ code }) => code);
	expect(codes({ from: "^/old", to: "/x" })).toEqual(["redirect_anchored_path"]);
	expect(codes({ from: "(a)", to: "/\\1" })).toEqual(["redirect_backslash_group"]);
	expect(codes({ to: "/x" })).toEqual([]);
	for (const to of ["ftp://h/", "/a\nb", "http://", "mailto:a@b.example"])
		expect(codes({ to })).toEqual(["redirect_to_no_url"]);
	for (const to of ["https://h.example/a#b", "?a=b", "b", "${req.host}", "$scheme://h/"])
		expect(codes({ to })).toEqual([]);
	expect(codes({ from: "a", to: "ftp://h/" })).toEqual([]);
});

test("a status code in quotes is told from one without", () => {
	const action = { type: "redirect", config: { to: "/b", status_code: "301" } };
	expect(problemsOf({ inbound: [{ actions: [action] }] })).toEqual([
		'/inbound/0/actions/0/config/status_code wrong_type: expected one of 301, 302, 303, 307, 308, got the string "301"',
	]);
});

test("a path that begins with two slashes leads to no other host", () => {
	const policy = compiled(inbound({ type: "redirect", config: { to: "${req.url.path}/" } }));
	const outcome = policy.inbound(exchangeOf({ url: "http://h.example//evil.example/x" }));
	expect(outcome).toMatchObject({ headers: [["location", "http://h.example//evil.example/x/"]] });
});

test("a host without a scheme is warned of, a path within a URL is not", () => {
	const codes = (config: object) =>
		warningsOf(inbound({ type: "redirect", config })).map(({ code }) => code);
	expect(codes({ to: "//cdn.example/x" })).toEqual(["redirect_without_scheme"]);
	expect(codes({ from: "^https?://www[.]", to: "//" })).toEqual(["redirect_without_scheme"]);
	expect(codes({ from: "/a/", to: "//" })).toEqual([]);
});
