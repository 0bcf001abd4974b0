/** Requests that `cel.mjs` evaluates rules over, each read like a live exchange: plain properties, header lines by name. */
import { parseUrl } from "#dist/http/target.js";

/** @type {readonly string[]} */
const NONE = [];
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

const given = [
	{ method: "GET", url: "http://example.com/v1/items/42?page=3", ip: "192.0.2.7", country: "DE" },
	{ method: "POST", url: "http://example.com/api/v1/items", ip: "198.51.100.23", country: "BR" },
	{
		method: "GET",
		url: "http://example.com/admin/users?debug=true",
		ip: "203.0.113.200",
		country: "US",
	},
	{
		method: "POST",
		url: "http://example.com/telegram/webhook",
		ip: "149.154.167.220",
		country: "GB",
	},
	{ method: "GET", url: "http://example.com/assets/app.js", ip: "91.108.6.1", country: "FR" },
	{
		method: "PUT",
		url: "http://shop.test/api/specific_endpoint?x=1",
		ip: "127.0.0.1",
		country: "",
	},
	{ method: "GET", url: "http://shop.test/wp-admin/setup.php", ip: "185.220.101.4", country: "RU" },
	{ method: "HEAD", url: "http://shop.test/", ip: "10.1.2.3", country: "" },
];

/** @type {Readonly<Record<string, string[]>>[]} */
const headers = [
	{},
	{ authorization: ["Bearer my-token"], origin: ["https://a.example.com"] },
	{ "x-role": ["auditor"] },
	{ authorization: ["Bearer other"] },
	{ origin: ["https://evil.test"] },
	{ "user-agent": ["Mozilla/5.0 (compatible; GPTBot/1.2)"] },
	{ "user-agent": ["GPTBot"] },
	{ "user-agent": ["Mozilla/5.0 Chrome/120.0 Safari/537.36 Edg/120.0"] },
];

const NOWHERE = { country: "", city: "", latitude: "", longitude: "", subdivision: "" };

export const REQUESTS = given.map(({ method, url, ip, country }, index) => {
	const parts = parseUrl(url);
	if (parts === undefined) throw new Error(`no URL: ${url}`);
	/** @type {Record<string, string[]>} */
	const lines = { host: [parts.host], "user-agent": [FIREFOX], accept: ["*/*"], ...headers[index] };
	const byName = new Map(Object.entries(lines));
	return {
		method,
		host: parts.host,
		httpVersion: "HTTP/1.1",
		url: parts,
		requestHeaders: {
			/** @param {string} name */
			lines: (name) => byName.get(name) ?? NONE,
			names: () => [...byName.keys()],
		},
		requestContentLength: index * 4000,
		requestReceivedMs: 1_700_000_000_000,
		clientIp: ip,
		geo: { countryCode: country, ...NOWHERE },
		responseStatusCode: [200, 204, 301, 404, 500, 200, 304, 200][index] ?? 200,
		responseHeaders: { lines: () => NONE, names: () => [] },
		nowMs: 1_700_000_001_000,
	};
});
