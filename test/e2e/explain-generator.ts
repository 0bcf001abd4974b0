/** Policies and requests made at random, for `explain.test.ts`: everything that a rule can do, in any order. */
import fc from "fast-check";

const ATOMS = [
	"req.method == 'GET'",
	"req.method in ['POST', 'PUT']",
	"req.url.path.startsWith('/a')",
	"req.url.path.matches('^/[ab]+/x?$')",
	"'1' in req.url.query_params['n']",
	"req.headers['x-role'].exists(v, v.contains('adm'))",
	"req.headers['x-role'].all(v, v != 'guest')",
	"conn.client_ip == '192.0.2.7'",
	"inCidrRange(conn.client_ip, '192.0.2.0/24')",
	"req.content_length > 3",
	"req.host.endsWith('.example')",
	"time.now > timestamp('2020-01-01T00:00:00Z')",
	"hasReqCookie('s') && getReqCookie('s').value == 'y'",
	"conn.geo.country_code in ['US', 'DE']",
	"size(req.url.uri) > 8",
	"has(vars.tier) && vars.tier == 'gold'",
	// these fail for some requests
	"req.url.query_params['n'][0] == '2'",
	"int(req.headers['x-number'][0]) > 4",
] as const;
const RESPONSE_ATOMS = [
	"res.status_code >= 400",
	"res.headers['x-backend'].size() > 0",
	"res.content_length > 2",
	"req.method == 'GET'",
] as const;

const expression = (atoms: readonly string[]): fc.Arbitrary<string> => {
	const atom = fc.constantFrom(...atoms);
	return fc.oneof(
		{ weight: 4, arbitrary: atom },
		{ weight: 1, arbitrary: atom.map((one) => `!(${one})`) },
		{ weight: 2, arbitrary: fc.tuple(atom, atom).map(([one, two]) => `${one} || ${two}`) },
		{ weight: 1, arbitrary: fc.tuple(atom, atom).map(([one, two]) => `(${one}) && (${two})`) },
	);
};

const action = (type: string, config: object) => ({ type, config });
const GOING_ON = [
	action("add-headers", {
		headers: { "x-added": "${req.method} ${req.url.path}", host: "new.example" },
	}),
	action("add-headers", { headers: { "x-role": "admin" } }),
	action("remove-headers", { headers: ["x-role", "x-num*"] }),
	action("url-rewrite", { from: "/a/(.*)$", to: "/b/$1" }),
	action("url-rewrite", { from: "^http://[^/]+/b", to: "http://other.example/a" }),
	action("set-vars", { vars: [{ tier: "${req.host.startsWith('gold') ? 'gold' : 'basic'}" }] }),
	action("log", { metadata: { path: "${req.url.path}" } }),
	action("cors", { allow_origins: ["https://shop.example"] }),
	action("restrict-ips", { deny: ["192.0.2.128/25"] }),
	action("restrict-ips", { lists: ["l"] }),
	action("rate-limit", { name: "one", capacity: 4, rate: "1h", bucket_key: ["conn.client_ip"] }),
	action("rate-limit", {
		...{ name: "two", capacity: 3, rate: "1h", bucket_key: ["req.headers['x-role']"] },
		...{ headers: "ietf", enforce: true },
	}),
];
const ENDING = [
	action("deny", { status_code: 403 }),
	action("deny", { status_code: 404 }),
	action("custom-response", {
		status_code: 418,
		content: "${req.url.path}",
		headers: { "x-own": "1" },
	}),
	action("redirect", { to: "/elsewhere?from=${req.url.path}" }),
];
const OUTBOUND = [
	action("add-headers", { headers: { "x-out": "${res.status_code}" } }),
	action("remove-headers", { headers: ["x-backend"] }),
	action("custom-response", { status_code: 502, content: "replaced" }),
	action("log", { metadata: { out: "${res.status_code}" } }),
];

const rule = (atoms: readonly string[], going: readonly object[], ending: readonly object[]) =>
	fc.record({
		enforce: fc.constantFrom(true, true, true, true, false),
		expressions: fc.array(expression(atoms), { maxLength: 2 }),
		actions: fc
			.tuple(
				fc.array(fc.constantFrom(...going), { maxLength: 2 }),
				fc.option(fc.constantFrom(...ending), { freq: 2 }),
			)
			.map(([first, last]) => [...first, ...(last === null ? [] : [last])])
			.filter((actions) => actions.length > 0),
	});

const [outGoing, outEnding] = [
	OUTBOUND.filter(({ type }) => type !== "custom-response"),
	OUTBOUND.filter(({ type }) => type === "custom-response"),
];

/** Expressions may name a variable only behind what may set it. */
const FIRST = {
	enforce: true,
	expressions: ["req.host.startsWith('gold') || req.method == 'PUT'"],
	actions: GOING_ON.filter(({ type }) => type === "set-vars"),
};

export const generatedPolicy = fc.record({
	inbound: fc
		.array(rule(ATOMS, GOING_ON, ENDING), { maxLength: 6 })
		.map((rules) => [FIRST, ...rules]),
	outbound: fc.array(rule(RESPONSE_ATOMS, outGoing, outEnding), { maxLength: 2 }),
});

export interface GeneratedRequest {
	readonly method: string;
	readonly path: string;
	readonly host: string;
	readonly headers: Readonly<Record<string, string | string[]>>;
	readonly body: string;
	readonly status: number;
	readonly answered: Readonly<Record<string, string>>;
}

export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc
	.record({
		method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS"),
		path: fc.constantFrom(
			"/",
			"/a/x",
			"/a/./b",
			"/ab/",
			"/b?n=1",
			"/b?n=2&n=1",
			"/x%41?n",
			"/a//y",
		),
		host: fc.constantFrom("gold.example", "a.example", "A.Example:80", "other"),
		role: fc.constantFrom(undefined, "adm", "guest", ["adm", "guest"]),
		number: fc.constantFrom(undefined, "3", "7", "none"),
		from: fc.constantFrom("192.0.2.7", "192.0.2.200", "203.0.113.9", "2001:db8::1"),
		cookie: fc.constantFrom(undefined, "s=y", "s=n; t=1"),
		origin: fc.constantFrom(undefined, undefined, "https://shop.example"),
		body: fc.constantFrom("", "ab", "abcdef"),
		status: fc.constantFrom(200, 204, 404, 500),
		backend: fc.constantFrom(undefined, "b"),
	})
	.map(({ method, path, host, role, number, from, cookie, origin, body, status, backend }) => ({
		...{ method, path, host, status },
		body: method === "POST" || method === "PUT" ? body : "",
		answered: { "content-type": "text/plain", ...(backend && { "x-backend": backend }) },
		headers: {
			"x-forwarded-for": from,
			...(role && { "x-role": role }),
			...(number && { "x-number": number }),
			...(cookie && { cookie }),
			...(origin && { origin }),
		},
	}));
