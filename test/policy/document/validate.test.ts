import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ACTION_TYPES } from "../../../src/policy/actions/table.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";
import { compiled, documentOf, inbound, problemsOf, warningsOf } from "../support.ts";

const limits = { rulesPerPhase: LIMITS.rulesPerPhase };
const action = (type: string, config?: unknown): unknown => ({
	type,
	...(config ? { config } : {}),
});
const rateLimit = (config: object): unknown =>
	inbound(action("rate-limit", { capacity: 1, rate: "60s", ...config }));
const respond = (config: object): unknown => inbound(action("custom-response", config));
const rewrite = (config: object): unknown =>
	inbound(action("url-rewrite", { from: "a", to: "b", ...config }));
const VALID = ACTION_TYPES.inbound;
const AT = "/inbound/0/actions/0";

describe("accepts, and fills in what is always present", () => {
	test("an empty policy", () => {
		expect(documentOf({})).toEqual({ enabled: true, inbound: [], outbound: [] });
	});

	test("strings, order and configs as submitted", () => {
		const expressions = [" req.method  == 'GET' ", "true"];
		const config = { rate: "1h30m", capacity: 5, bucket_key: ["getReqHeader('X')", "req.host"] };
		const document = documentOf({
			inbound: [{ expressions, actions: [action("rate-limit", config)] }],
		});
		expect(document.inbound[0]).toEqual({
			name: "",
			expressions,
			actions: [{ type: "rate-limit", config }],
		});
	});

	test.each<[string, unknown]>([
		["a bucket_key of none", rateLimit({ bucket_key: [] })],
		["the longest window", rateLimit({ rate: "24h" })],
		["the greatest capacity", rateLimit({ capacity: 2_000_000_000 })],
		[
			"a watched limit",
			rateLimit({ enforce: false, name: "n".repeat(1023), algorithm: "sliding_window" }),
		],
		[
			"an integer in other words",
			{ inbound: [{ actions: [action("deny", { status_code: 4e2 })] }] },
		],
		["a log without metadata", inbound(action("log"))],
		[
			"kept metadata",
			inbound(action("log", { metadata: { a: 1.5, b: true, c: { d: [null, "${"] } } })),
		],
		["a literal opening", respond({ content: "$${x}" })],
		["actions before a terminal one", inbound(action("log"), action("deny"))],
		["a rule in each phase", { inbound: [], outbound: [{ actions: [action("log")] }] }],
	])("%s", (_, value) => {
		expect(problemsOf(value)).toEqual([]);
	});
});

describe("null for a field that has a default", () => {
	const deny = { name: "", expressions: [], actions: [{ type: "deny", config: {} }] };

	test("is absent, at every depth", () => {
		const document = documentOf({
			enabled: null,
			inbound: [
				{ name: null, expressions: null, actions: [{ type: "deny", config: null }] },
				{ actions: [action("deny", { status_code: null })] },
				{
					actions: [
						action("url-rewrite", { from: "a", to: "b", format: null }),
						action("custom-response", { content: null, headers: null, content_type: null }),
					],
				},
				{
					actions: [
						action("rate-limit", {
							capacity: 1,
							rate: "60s",
							name: null,
							algorithm: null,
							bucket_key: null,
							enforce: null,
						}),
					],
				},
			],
			outbound: null,
		});
		expect(document).toEqual({
			enabled: true,
			inbound: [
				deny,
				deny,
				{
					name: "",
					expressions: [],
					actions: [action("url-rewrite", { from: "a", to: "b" }), action("custom-response", {})],
				},
				{
					name: "",
					expressions: [],
					actions: [action("rate-limit", { capacity: 1, rate: "60s" })],
				},
			],
			outbound: [],
		});
	});

	test("does not hide what is required, nor what holds no null", () => {
		expect(problemsOf(inbound({ type: "rate-limit", config: null }))).toEqual([
			`${AT}/config/capacity required: is required: a number`,
			`${AT}/config/rate required: is required: a string`,
		]);
		expect(problemsOf(inbound({ type: null, config: null }))).toHaveLength(1);
		expect(problemsOf({ inbound: [{ expressions: [null], actions: [action("deny")] }] })).toEqual([
			"/inbound/0/expressions/0 wrong_type: expected a string, got null",
		]);
	});
});

describe("refuses, with every problem at its place", () => {
	test.each<[unknown, string[]]>([
		[null, [" wrong_type: expected an object, got null"]],
		[[], [" wrong_type: expected an object, got a list"]],
		[{ enabled: "true" }, ['/enabled wrong_type: expected true or false, got the string "true"']],
		[{ inbound: {} }, [expect.stringMatching(/^\/inbound wrong_type: .*; a list of one is/)]],
		[{ inbound: [null] }, ["/inbound/0 wrong_type: expected an object, got null"]],
		[
			{ on_http_requests: [], on_response: [] },
			[
				'/on_http_requests unknown_field: unknown field "on_http_requests"; valid here: enabled, inbound, outbound, tests',
				'/on_response unknown_field: unknown field "on_response"; valid here: enabled, inbound, outbound, tests',
			],
		],
		[
			{ inbound: [{ expresions: [], name: 1 }] },
			[
				'/inbound/0/expresions unknown_field: unknown field "expresions"; did you mean "expressions"?',
				"/inbound/0/name wrong_type: expected a string, got the number 1",
				"/inbound/0/actions required: is required: a list",
			],
		],
		[
			{ inbound: [{ expressions: null, actions: null }, { actions: [] }] },
			[
				"/inbound/0/actions wrong_type: expected a list, got null",
				"/inbound/1/actions too_small: needs at least one action",
			],
		],
		[
			{ inbound: [{ expressions: [1], actions: [action("deny")], name: "n".repeat(1024) }] },
			[
				"/inbound/0/expressions/0 wrong_type: expected a string, got the number 1",
				"/inbound/0/name too_big: must have at most 1023 characters, has 1024",
			],
		],
		[
			inbound(action("dney"), action("Custom_Response"), action("x"), {}, null),
			[
				`${AT}/type unknown_action: unknown action type "dney"; did you mean "deny"? Valid: ${VALID.join(", ")}`,
				`/inbound/0/actions/1/type unknown_action: unknown action type "Custom_Response"; did you mean "custom-response"? Valid: ${VALID.join(", ")}`,
				`/inbound/0/actions/2/type unknown_action: unknown action type "x"; valid: ${VALID.join(", ")}`,
				`/inbound/0/actions/3/type required: is required: one of ${VALID.map((type) => `"${type}"`).join(", ")}`,
				"/inbound/0/actions/4 wrong_type: expected an object, got null",
			],
		],
		[
			{
				outbound: [{ actions: ["rate-limit", "deny", "url-rewrite"].map((type) => action(type)) }],
			},
			["rate-limit", "deny", "url-rewrite"].map(
				(type, index) =>
					`/outbound/0/actions/${index}/type wrong_phase: "${type}" exists in inbound rules only; outbound rules may have ${ACTION_TYPES.outbound.join(", ")}`,
			),
		],
		[
			inbound(action("deny"), action("log"), action("deny")),
			[
				"/inbound/0/actions/1 unreachable_action: can never run: it comes after deny in the same rule; put it before",
				"/inbound/0/actions/2 unreachable_action: can never run: it comes after deny in the same rule; put it before",
			],
		],
		[
			inbound({ type: "url-rewrite", config: { from: null, to: "x", format: null } }),
			[`${AT}/config/from wrong_type: expected a string, got null`],
		],
		[
			inbound(action("deny", { status_code: 199 })),
			[`${AT}/config/status_code too_small: must be at least 200, got the number 199`],
		],
		[
			inbound(action("deny", { status_code: "403", body: "" })),
			[
				`${AT}/config/status_code wrong_type: expected a number, got the string "403"`,
				`${AT}/config/body unknown_field: unknown field "body"; valid here: status_code`,
			],
		],
		[
			respond({ status_code: 600, body: "x" }),
			[`${AT}/config/status_code too_big: must be at most 599, got the number 600`],
		],
		[
			respond({ content: "é".repeat(32_769) }),
			[`${AT}/config/content invalid_value: is 65538 bytes long; at most 65536`],
		],
		[
			respond({ headers: { "x y": "a", Connection: "close", "Content-Length": "1", a: 1 } }),
			[
				`${AT}/config/headers/x y invalid_header: "x y" is no header name`,
				`${AT}/config/headers/Connection invalid_header: "Connection" is a hop-by-hop header; it can't be set`,
				`${AT}/config/headers/Content-Length invalid_header: "Content-Length" frames the response; the server writes it`,
				`${AT}/config/headers/a wrong_type: expected a string, got the number 1`,
			],
		],
		[
			respond({ headers: { "X-A": "1", "x-a": "2", b: "x\r\ny", c: "\0", "": "" } }),
			[
				`${AT}/config/headers/x-a invalid_header: "x-a" is given twice; header names ignore case`,
				`${AT}/config/headers/b invalid_header: the value of "b" holds a line break, NUL or another control character`,
				`${AT}/config/headers/c invalid_header: the value of "c" holds a line break, NUL or another control character`,
				`${AT}/config/headers/ invalid_header: "" is no header name`,
			],
		],
		[
			inbound(action("log", { metadata: { a: null, b: [1] } }), action("log", { metadata: "x" })),
			[
				`${AT}/config/metadata/a wrong_type: expected a string, a number, true or false, or an object, got null`,
				`${AT}/config/metadata/b wrong_type: expected a string, a number, true or false, or an object, got a list`,
				'/inbound/0/actions/1/config/metadata wrong_type: expected an object, got the string "x"',
			],
		],
		// an omitted config is an empty one
		[
			inbound(action("url-rewrite")),
			[
				`${AT}/config/from required: is required: a string`,
				`${AT}/config/to required: is required: a string`,
			],
		],
		[
			inbound(action("url-rewrite", {})),
			[
				`${AT}/config/from required: is required: a string`,
				`${AT}/config/to required: is required: a string`,
			],
		],
		[rewrite({ from: "" }), [`${AT}/config/from too_small: must have at least 1 character, has 0`]],
		[
			rewrite({ format: "apache" }),
			[`${AT}/config/format unknown_value: unknown value "apache"; valid values: "nginx", "cel"`],
		],
		[
			rewrite({ to: "$args$foo$2" }),
			[
				`${AT}/config/to unknown_variable: unknown variable "$foo"; valid: $args, $query_string, $is_args, $uri, $request_uri, $scheme, $host, $authority, $port, $arg_NAME`,
				`${AT}/config/to unknown_group: "$2" names a group that "from" doesn't have; it has 0`,
			],
		],
		[
			rateLimit({ capacity: 0, rate: "65s", algorithm: "fixed_window" }),
			[
				`${AT}/config/capacity too_small: must be at least 1, got the number 0`,
				`${AT}/config/rate invalid_value: "65s" is no whole multiple of 10s, e.g. "90s" or "10m"`,
				`${AT}/config/algorithm unknown_value: unknown value "fixed_window"; valid values: "sliding_window"`,
			],
		],
		[
			rateLimit({ capacity: 2_000_000_001, rate: 60, enforce: "no", name: "n".repeat(1024) }),
			[
				`${AT}/config/capacity too_big: must be at most 2000000000, got the number 2000000001`,
				`${AT}/config/rate wrong_type: expected a string, got the number 60`,
				`${AT}/config/enforce wrong_type: expected true or false, got the string "no"`,
				`${AT}/config/name too_big: must have at most 1023 characters, has 1024`,
			],
		],
		[
			rateLimit({ capacity: 1.5 }),
			[`${AT}/config/capacity wrong_type: expected an integer, got the number 1.5`],
		],
		[
			rateLimit({ bucket_key: "req.host" }),
			[`${AT}/config/bucket_key wrong_type: expected a list, got the string "req.host"`],
		],
		[
			rateLimit({ bucket_key: ["req.headers['x']", 'getReqHeader("X")', "req.hots"] }),
			[
				`${AT}/config/bucket_key/1 duplicate: is the same element as another one: req.headers['x']`,
				`${AT}/config/bucket_key/2 invalid_value: unknown bucket_key element "req.hots"; did you mean "req.host"? Valid: req.host, conn.client_ip, req.headers['name'], getReqHeader('Name'), any other CEL expression`,
			],
		],
		[
			rateLimit({
				bucket_key: Array.from({ length: 11 }, (_, index) => `req.headers['h${index}']`),
			}),
			[`${AT}/config/bucket_key too_big: must have at most 10 elements, has 11`],
		],
	])("case %#", (value, expected) => {
		expect(problemsOf(value)).toEqual(expected);
	});

	test("expressions: place inside them, the line and a caret", () => {
		const checked = validatePolicy(
			{ inbound: [{ expressions: ["true", "true &&"], actions: [action("deny")] }] },
			limits,
		);
		const problem = checked.ok ? undefined : checked.error[0];
		expect(problem?.pointer).toBe("/inbound/0/expressions/1");
		expect(problem?.message).toMatch(/line 1, column \d+/);
		expect(problem?.message).toMatch(/\ntrue &&\n *\^/);
	});

	test("templates and patterns too", () => {
		const value = inbound(
			action("log", { metadata: { a: "${" } }),
			action("url-rewrite", { from: "(", to: "x" }),
			action("custom-response", { content: "${)}", headers: { "x/y": "a", a: "${" } }),
		);
		expect(problemsOf(value).map((line) => line.split(" ")[0])).toEqual([
			"/inbound/0/actions/0/config/metadata/a",
			"/inbound/0/actions/1/config/from",
			"/inbound/0/actions/2/config/content",
			"/inbound/0/actions/2/config/headers/x~1y",
			"/inbound/0/actions/2/config/headers/a",
		]);
	});

	test("problems of every kind come together", () => {
		const value = {
			enabled: 1,
			inbound: [{ expressions: ["("], actions: [action("x"), action("deny", { status_code: 1 })] }],
			outbound: [{ actions: [action("deny")], nme: "" }],
		};
		expect(problemsOf(value).map((line) => line.split(":")[0])).toEqual([
			"/enabled wrong_type",
			expect.stringMatching(/^\/inbound\/0\/expressions\/0 /),
			"/inbound/0/actions/0/type unknown_action",
			"/inbound/0/actions/1/config/status_code too_small",
			"/outbound/0/actions/0/type wrong_phase",
			"/outbound/0/nme unknown_field",
		]);
	});
});

describe("a policy inside a wrapper, as published clients send it", () => {
	const policy = { inbound: [{ actions: [action("deny")] }] };
	test("is unwrapped", () => {
		expect(documentOf({ module: policy, edge_id: "e", id: "r" })).toEqual(documentOf(policy));
	});

	test("has pointers from the wrapper, for problems and warnings", () => {
		expect(problemsOf({ module: { x: 1 }, modul: 1 })).toEqual([
			'/module/x unknown_field: unknown field "x"; valid here: enabled, inbound, outbound, tests',
			'/modul unknown_field: unknown field "modul" beside "module"',
		]);
		expect(problemsOf({ module: policy, edge_id: 5, id: [] })).toEqual([
			"/edge_id wrong_type: expected a string, got the number 5",
			"/id wrong_type: expected a string, got a list",
		]);
		expect(problemsOf({ module: null })).toEqual([
			"/module wrong_type: expected an object, got null",
		]);
		const always = { inbound: [{ expressions: ["true"], actions: [action("log")] }] };
		expect(warningsOf({ module: always })[0]?.pointer).toBe("/module/inbound/0/expressions/0");
	});
});

describe("no value makes it throw", () => {
	const text = fc.constantFrom(
		"deny",
		"log",
		"url-rewrite",
		"rate-limit",
		"custom-response",
		"true",
		"${",
		"(",
		"req.host",
		"60s",
		"__proto__",
		"",
	);
	const key = fc.constantFrom(
		"inbound",
		"outbound",
		"enabled",
		"name",
		"expressions",
		"actions",
		"type",
		"config",
		"from",
		"to",
		"format",
		"headers",
		"metadata",
		"rate",
		"capacity",
		"bucket_key",
		"module",
		"__proto__",
		"constructor",
		"zzz",
	);
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof(
			{ depthSize: "medium", withCrossShrink: true },
			fc.oneof(text, fc.constant(null), fc.boolean(), fc.double(), fc.constant(undefined)),
			fc.array(tie("tree"), { maxLength: 4 }),
			fc
				.array(fc.tuple(key, tie("tree")), { maxLength: 5 })
				.map((pairs) => Object.fromEntries(pairs)),
		),
	}));

	test("made of what documents are made of", () => {
		fc.assert(
			fc.property(tree, (value) => {
				const checked = validatePolicy(value, limits);
				if (checked.ok) compiled(checked.value.document).close();
				else expect(checked.error.length).toBeGreaterThan(0);
			}),
			{ numRuns: 1000 },
		);
	});

	test("or of anything", () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				expect(typeof validatePolicy({ inbound: [value], outbound: value }, limits).ok).toBe(
					"boolean",
				);
				expect(typeof validatePolicy(inbound(value), limits).ok).toBe("boolean");
			}),
		);
	});

	test("valid documents with one part replaced", () => {
		const valid = {
			enabled: true,
			inbound: [
				{
					name: "n",
					expressions: ["req.method == 'GET'"],
					actions: [
						action("log", { metadata: { a: "${req.method}", b: { c: 1 } } }),
						action("url-rewrite", { from: "(a)", to: "$1" }),
						action("rate-limit", { capacity: 1, rate: "60s", bucket_key: ["req.host"] }),
						action("custom-response", { status_code: 200, content: "x", headers: { a: "b" } }),
					],
				},
			],
		};
		const paths: (string | number)[][] = [];
		const collect = (value: unknown, path: (string | number)[]): void => {
			paths.push(path);
			if (typeof value !== "object" || value === null) return;
			for (const [name, inner] of Object.entries(value)) collect(inner, [...path, name]);
		};
		collect(valid, []);
		fc.assert(
			fc.property(fc.constantFrom(...paths), tree, (path, replacement) => {
				const value = replaced(valid, path, replacement);
				const checked = validatePolicy(value, limits);
				if (checked.ok) compiled(checked.value.document).close();
				else for (const { message } of checked.error) expect(message).not.toBe("");
			}),
			{ numRuns: 1000 },
		);
	});

	function replaced(
		value: unknown,
		[first, ...rest]: readonly (string | number)[],
		by: unknown,
	): unknown {
		if (first === undefined) return by;
		const copy = structuredClone(value) as Record<string | number, unknown>;
		copy[first] = replaced(copy[first], rest, by);
		return copy;
	}
});

test("a document is not changed by being checked", () => {
	const value = { inbound: [{ actions: [action("log", { metadata: { a: "b" } })] }] };
	const before = structuredClone(value);
	documentOf(value);
	expect(value).toEqual(before);
});
