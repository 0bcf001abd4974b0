/** Exchanges made at random, over which generated expressions are evaluated. */
import type { Attributes } from "../../src/cel/attributes.ts";
import { parseUrl } from "../../src/http/target.ts";
import { ATTRIBUTES, headerLines } from "./attributes.ts";
import { pick, type Random } from "./generator-random.ts";
import { resultsOf } from "./generator-results.ts";

const NAMES = [
	"accept",
	"x",
	"a",
	"theme",
	"host",
	"user-agent",
	"cookie",
	"content-type",
	"content-encoding",
	"x-forwarded-for",
];

const VALUES: Readonly<Record<string, readonly string[]>> = {
	cookie: ["theme=dark; a=1", 'x="q"; x=2; =3', "", "a=b=c;;b"],
	"content-type": ["text/html", 'Application/JSON; charset="UTF-8"', ";", "a/b; x=1; X=2"],
	"content-encoding": ["gzip, BR", "", "identity,,"],
	"user-agent": ["Mozilla/5.0 Edg/120", "curl/8.0", "GPTBot/1.0"],
};
const PLAIN_VALUES = ["", "a", "abc", "10.0.0.1", "text/html", "10", "é", "x, y"];

const PATHS = ["/", "/a", "/v0/user/42", "/a/../b", "/%7Ea/b%2Fc", "/api/x.php"];
const QUERIES = ["", "?", "?x=1", "?a=1&a=2&x", "?x=%F0%9F%98%80+b&theme=%zz", "?=1&accept=10"];
const ORIGINS = ["http://example.com", "https://example.com:8443", "http://[2001:db8::1]"];
const ADDRESSES = ["192.0.2.7", "10.1.2.3", "2001:db8::7", "::ffff:10.0.0.1"];
const SET_COOKIES = [
	"id=1; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax",
	"id=2; Max-Age=x",
	"theme=dark",
];

export function attributesOf(random: Random): Attributes {
	const url = parseUrl(pick(random, ORIGINS) + pick(random, PATHS) + pick(random, QUERIES));
	const lines = () =>
		Array.from({ length: Math.floor(random() * 6) }, () => {
			const name = pick(random, NAMES);
			return [name, pick(random, VALUES[name] ?? PLAIN_VALUES)] as const;
		});
	return {
		...ATTRIBUTES,
		method: pick(random, ["GET", "POST", "PATCH"]),
		host: url?.host ?? "",
		url: url ?? ATTRIBUTES.url,
		requestHeaders: headerLines(lines()),
		requestContentLength: pick(random, [0, -1, 1, 10_001, 2 ** 31, 2 ** 40]),
		requestReceivedMs: pick(random, [0, 1_700_000_000_123, 1_710_052_200_000]),
		clientIp: pick(random, ADDRESSES),
		clientPort: pick(random, [0, 80, 65_535]),
		bytesIn: pick(random, [0, 400, 2 ** 33]),
		responseStatusCode: pick(random, [200, 301, 404, 500]),
		responseContentLength: pick(random, [-1, 0, 12]),
		responseHeaders: headerLines([
			...lines(),
			...(random() < 0.5 ? [["set-cookie", pick(random, SET_COOKIES)] as const] : []),
		]),
		results: resultsOf(random),
		nowMs: pick(random, [1_700_000_001_000, 1_709_210_000_999]),
	};
}
