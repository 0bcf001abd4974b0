/**
 * What `npm run bench:http` asks of every contender, as data: one entry a scenario. A path means the same
 * to all of them; their configurations stand in weir.mjs, nginx.mjs, haproxy.mjs and node-gateway.mjs.
 */

/** What the backend answers to almost everything. */
export const BODY = "x".repeat(100);
export const LARGE_BYTES = 65_536;
const POST_BYTES = 16_384;

/** What Chrome sends with a navigation over HTTP/1.1, beside `host`; `connection` must not go upstream. */
export const BROWSER_HEADERS = {
	connection: "keep-alive",
	"sec-ch-ua": '"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
	"sec-ch-ua-mobile": "?0",
	"sec-ch-ua-platform": '"Linux"',
	"upgrade-insecure-requests": "1",
	"user-agent":
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
	accept:
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
	"sec-fetch-site": "same-origin",
	"sec-fetch-mode": "navigate",
	"sec-fetch-dest": "document",
	referer: "https://shop.example.com/catalogue/shoes?page=2&sort=price",
	"accept-encoding": "gzip, deflate, br, zstd",
	"accept-language": "en-GB,en;q=0.9,de;q=0.8",
	cookie:
		"session=f3a91c5e7b2d4860a1c3e5f7092b4d6e; theme=dark; _ga=GA1.1.1203948576.1731000000; basket=3",
};

/** The path whose answer is the request that reached the backend; proxied like `/plain`. */
export const ECHO_PATH = "/echo";

/** The 429 of all but the Node gateway, whose own is as long. */
export const LIMITED_BODY =
	'{"error_code":"ERR_RATE_LIMITED","status_code":429,"msg":"too many requests","retry_after":60}';

const REJECTED = "Rejected at the edge";
const PROXIED = "Proxied, an answer of 100 bytes";
const BODIES = "Proxied, larger bodies";

/**
 * `bytes`: least and most of the body. `pipelining`: also with pipelining towards the backend, where a
 * contender has it. `putsPerSecond`: policies written meanwhile, where a contender has a management API.
 * `workers`: of each contender; with two both cores are for everybody.
 * @typedef {{
 *   id: string, group: string, title: string, path: string, method: string, status: number,
 *   bytes: [number, number], headers: Readonly<Record<string, string>>, body: string, tls: boolean,
 *   pipelining: boolean, putsPerSecond: number, workers: number
 * }} Scenario
 */

/**
 * @param {string} id @param {string} group @param {string} title @param {string} path
 * @param {Partial<Scenario>} more
 * @returns {Scenario}
 */
const scenario = (id, group, title, path, more = {}) => ({
	id,
	group,
	title,
	path,
	method: "GET",
	status: 200,
	bytes: [BODY.length, BODY.length],
	headers: {},
	body: "",
	tls: false,
	pipelining: false,
	putsPerSecond: 0,
	workers: 1,
	...more,
});

export const SCENARIOS = [
	scenario("rate-limit", REJECTED, "rate limit, 429", "/limited", {
		status: 429,
		bytes: [70, 110],
	}),
	scenario("deny", REJECTED, "deny, 403", "/denied", { status: 403, bytes: [0, 0] }),
	scenario("plain", PROXIED, "no policy", "/plain", { pipelining: true }),
	scenario("rules", PROXIED, "three rules", "/rules", { pipelining: true }),
	scenario("headers", PROXIED, "no policy, 14 request headers", "/plain", {
		headers: BROWSER_HEADERS,
	}),
	scenario("large", BODIES, "answer of 64 KiB", "/large", { bytes: [LARGE_BYTES, LARGE_BYTES] }),
	scenario("post", BODIES, "POST of 16 KiB", "/post", {
		method: "POST",
		headers: { "content-type": "application/octet-stream" },
		body: "x".repeat(POST_BYTES),
		bytes: [2, 2],
	}),
	scenario("tls", "TLS in front", "TLS, no policy", "/plain", { tls: true }),
	scenario("puts", "While policies change", "three rules, 100 PUT/s", "/rules", {
		putsPerSecond: 100,
	}),
	scenario("workers", "Two workers on two cores", "three rules, two workers", "/rules", {
		workers: 2,
	}),
];

/** Connections of the clients, and of the contenders to the backend. */
export const CONNECTIONS = 64;
