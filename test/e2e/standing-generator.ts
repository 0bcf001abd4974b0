/**
 * Random policies whose first rules are such as the front may see to, and ones it may not, and random connections to them:
 * for standing-refusals.test.ts, which compares what two servers make of them.
 */
export type Random = <T>(choices: readonly [T, ...T[]]) => T;

export const randomOf = (seed: number): Random => {
	let state = seed;
	return (choices) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return choices[Math.floor((state / 2 ** 32) * choices.length)] ?? choices[0];
	};
};

export const PASSES = { actions: [{ type: "custom-response", config: { content: "in" } }] };

/** Stored address lists, and what is in them at first and after a change. */
export const LISTS = {
	blocked: [["192.0.2.0/28", "2001:db8:bad::/48"], ["198.51.100.7", "192.0.2.3"], ["10.0.0.0/8"]],
	office: [["198.51.100.0/24", "127.0.0.1"], ["192.0.2.0/24", "2001:db8::/32"], ["10.1.0.0/16"]],
} as const;

const limitAction = (random: Random, name: string) => ({
	type: "rate-limit",
	config: {
		name,
		capacity: random([1, 2, 4]),
		rate: "1h",
		bucket_key: random<string[]>([
			[],
			["conn.client_ip"],
			["req.headers['x-k']"],
			["req.host", "getReqHeader('X-K')"],
			["conn.client_ip", "req.headers['x-k']", "req.host"],
			["req.headers['host']"],
			["req.url.path"],
		]),
		...random<object>([{}, {}, {}, { enforce: false }, { headers: "ietf" }, { status_code: 503 }]),
	},
});

const RANGES = [
	"'192.0.2.0/24'",
	"'198.51.100.7/32'",
	"'2001:db8::/32'",
	"'0.0.0.0/0'",
	"'::ffff:192.0.2.0/124'",
] as const;

const TESTS: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
	(random) => `req.method ${random(["==", "!="])} ${random(["'GET'", "'POST'", "'get'"])}`,
	(random) => `req.method in ${random(["['PUT', 'POST']", "['GET']", "[]"])}`,
	(random) => `req.url.path.startsWith(${random(["'/a'", "'/a/'", "'/%61'", "'/'"])})`,
	(random) => `req.url.path ${random(["==", "!="])} ${random(["'/a'", "'/a/b'", "'/.well'"])}`,
	(random) => `req.url.${random(["path", "raw_path"])}.contains(${random(["'b'", "'..'", "''"])})`,
	(random) => `req.url.query${random([" == ''", ".contains('x=1')", ".endsWith('y')"])}`,
	(random) => `req.host ${random(["==", "!="])} ${random(["'h.test'", "'H.test'", "'i.test'"])}`,
	(random) => `req.host.endsWith(${random(["'.test'", "'x'"])})`,
	(random) =>
		`conn.client_ip ${random(["==", "!="])} ${random(["'192.0.2.3'", "'192.0.2.03'", "'2001:db8::1'", "'2001:DB8::1'", "'::ffff:192.0.2.3'"])}`,
	(random) => `conn.client_ip in ${random(["['198.51.100.7', '2001:db8::1']", "['127.0.0.1']"])}`,
	(random) => `inCidrRange(conn.client_ip, ${random(RANGES)})`,
	(random) => `inCidrRanges(conn.client_ip, [${random(RANGES)}, ${random(RANGES)}])`,
	(random) => `conn.client_ip.startsWith(${random(["'192.'", "'2001'"])})`,
	(random) => `req.headers['${random(["x-k", "X-K", "x-none"])}'][0] == ${random(["'a'", "'b'"])}`,
	(random) => `${random(["'a'", "'b'", "''"])} in req.headers['${random(["x-k", "accept"])}']`,
	(random) =>
		`req.headers['x-k'].${random(["exists", "all"])}(v, ${random(["v == 'a'", "v != 'a'", "v.startsWith('b')", "v == 'a' || req.method == 'GET'", "['a', 'c'].exists(p, v.contains(p))"])})`,
	(random) =>
		`${random(["hasReqHeader('x-k')", "has(req.headers.accept)", "'Via' in req.headers"])}`,
	(random) =>
		`req.user_agent${random(["", ".lowerAscii()", ".raw"])}.contains(${random(["'bot'", "'Bot'", "'/1.0'"])})`,
	(random) =>
		`req.user_agent.matches(${random(["'(?i)bot|crawl'", "'^curl/'", "'^$'", "'[0-9]+'", "'^(?:a|b)/1\\\\\\\\.0$'", "'bot'"])})`,
	(random) => `['/a', '/b'].${random(["exists", "all"])}(p, req.url.path.startsWith(p))`,
	(random) =>
		`req.headers['${random(["connection", "content-length", "host"])}'].exists(v, v != '')`,
	() => "req.headers['x-k'] == ['a']",
	() => "size(req.headers['x-k']) > 1",
	() => "req.content_length == 0",
	() => "req.url.query_params['x'] == ['1']",
	(random) => random(["true", "false"]),
];

export function randomExpression(random: Random, depth = 0): string {
	const form = random(["test", "test", "test", "not", "and", "or", "if"]);
	if (depth > 2 || form === "test") return random(TESTS)(random);
	const inner = () => randomExpression(random, depth + 1);
	if (form === "not") return `!(${inner()})`;
	if (form === "if") return `(${inner()} ? ${inner()} : ${inner()})`;
	return `(${inner()} ${form === "and" ? "&&" : "||"} ${inner()})`;
}

const restriction = (random: Random) => ({
	type: "restrict-ips",
	config: random<object>([
		{ lists: ["!blocked"] },
		{ lists: ["office"] },
		{ lists: ["office", "!blocked"], allow: ["203.0.113.0/24"] },
		{ deny: ["192.0.2.3", "2001:db8::/64"] },
		{ allow: ["192.0.2.0/24", "127.0.0.0/8"], deny: ["192.0.2.3"] },
		{ allow: ["${req.headers['x-k'][0]}"] },
		{ deny: ["192.0.2.0/24"], enforce: false },
	]),
});

const denial = (random: Random) => ({
	type: "deny",
	config: random<object>([{}, { status_code: 404 }, { status_code: 204 }]),
});

const response = (random: Random) => ({
	type: "custom-response",
	config: {
		status_code: random([200, 403, 304, 503]),
		content: random(["", "no", '{"é":"☃"}', "${req.method}"]),
		headers: random<object>([{}, { "X-Why": "é", location: "/there" }]),
	},
});

const LOGS = { type: "log", config: { metadata: { a: "b" } } };
const REWRITES = {
	type: "add-headers",
	config: { headers: { "x-k": "a", host: "i.test" } },
};

function randomRule(random: Random, name: string, isGuarded: boolean): object {
	const last = random<() => object>([
		() => denial(random),
		() => response(random),
		() => limitAction(random, name),
		() => limitAction(random, name),
		() => limitAction(random, name),
	])();
	const before = random<object[]>([[], [], [], [], [LOGS], [REWRITES]]);
	const expressions = Array.from({ length: isGuarded ? random([1, 1, 2]) : 0 }, () =>
		randomExpression(random),
	);
	const restricts = isGuarded && random([false, false, true]) ? [restriction(random)] : [];
	const ends = restricts.length > 0 && random([true, false]) ? [] : [last];
	return {
		name: random(["", "first", name]),
		actions: [...before, ...restricts, ...ends],
		...(expressions.length > 0 && { expressions }),
		...random<object>([{}, {}, {}, {}, {}, { enforce: false }]),
	};
}

export function randomPolicy(random: Random, name: string): object {
	const outbound = random<object[]>([
		[],
		[],
		[{ actions: [{ type: "add-headers", config: { headers: { "x-out": "1" } } }] }],
	]);
	const guarded = Array.from({ length: random([0, 0, 1, 2, 4]) }, (_, at) =>
		randomRule(random, `${name}.${at}`, true),
	);
	const unguarded = random([true, true, false]) ? [randomRule(random, name, false)] : [];
	const inbound = [...guarded, ...unguarded, PASSES];
	return { inbound, ...(outbound.length > 0 && { outbound }) };
}

/** As most are, which the front may refuse by itself. */
const USUAL = {
	methods: ["GET", "GET", "POST", "PUT", "OPTIONS"],
	paths: ["/", "/a/b", "/a?x=1&y", "/*"],
	hosts: ["h.test", "h.test:80"],
	keys: [[], ["x-k: a"], ["X-K:  b "], ["x-k:"]],
	others: [
		...[[], ["connection: keep-alive"], ["user-agent: a/1.0"], ["User-Agent: GoogleBot/2.1"]],
		...[["user-agent: curl/8"], ["Accept: a"], ["accept: a, b"]],
	],
	bodies: [undefined, undefined, ""],
	versions: ["HTTP/1.1"],
} as const;

/** As they may be, too. */
const UNUSUAL = {
	methods: ["GET", "HEAD", "get", "PURGE", "TRACE"],
	paths: ["/a", "/%61", "/a/../b", "/.well", "//a", "/a?é", "/a%zz", "/a#b", "http://h.test/a/b"],
	hosts: ["h.test", "H.test", "[::1]", "h..test", "h.test."],
	keys: [["x-k: a", "x-k: b"], ["x-k: a", "X-K: a"], ["x-k: é"], ["x-K: a"]],
	others: [
		...[[], ["x-forwarded-for: 192.0.2.3"], ["x-forwarded-for: 10.1.2.3"], ["x_y: 1"]],
		...[["via: 1.1 a"], ["user-agent: a", "user-agent: bot"]],
		...[
			["connection: x-k"],
			["connection: close"],
			["upgrade: websocket"],
			["expect: 100-continue"],
		],
	],
	bodies: [undefined, "abc"],
	versions: ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0"],
} as const;

const FROM = [
	...["192.0.2.3", "192.0.2.200", "198.51.100.7", "127.0.0.1", "10.1.2.3", "203.0.113.9"],
	...["2001:db8::1", "2001:db8:bad::7", "::ffff:192.0.2.3"],
] as const;

/** A header that names the client, then up to eight requests over one connection, the last of which ends it. */
export function randomRequests(random: Random): string {
	const count = random([1, 4, 8]);
	const from = random(FROM as unknown as readonly [string]);
	const to = from.includes(":") ? "::1" : "127.0.0.1";
	let text = `PROXY TCP${from.includes(":") ? "6" : "4"} ${from} ${to} 4711 80\r\n`;
	for (let index = 1; index <= count; index++) {
		const choices = random([USUAL, USUAL, USUAL, USUAL, UNUSUAL]);
		const body = random(choices.bodies);
		const lines = [
			`${random<string>(choices.methods)} ${random<string>(choices.paths)} ${random<string>(choices.versions)}`,
			`${random(["host", "Host"])}: ${random<string>(choices.hosts)}`,
			...random<readonly string[]>(choices.keys as unknown as readonly [string[]]),
			...random<readonly string[]>(choices.others as unknown as readonly [string[]]),
		];
		if (body !== undefined) lines.push(`content-length: ${body.length}`);
		if (index === count) lines.push("connection: close");
		text += `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
	}
	return Buffer.from(text).toString("latin1");
}
