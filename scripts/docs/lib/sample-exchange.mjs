// The exchange that docs/expressions.md shows, as text and as what expressions read of it. The values in the tables of
// src/cel are those of this exchange; test/cel/documentation.test.ts evaluates every example over it.

export const REQUEST = `POST /v1/./orders/42?page=2&tag=new&tag=gift%20card HTTP/1.1
host: shop.example.com
user-agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0
accept: text/html
accept: application/json
content-type: Application/JSON; charset=utf-8
content-encoding: gzip
content-length: 512
cookie: session=abc; theme=dark`;

export const RESPONSE = `HTTP/1.1 201 Created
content-type: text/html; charset=utf-8
content-length: 1024
location: /v1/orders/42/receipt
set-cookie: receipt=r7; Path=/; Domain=shop.example.com; Max-Age=3600; Secure; HttpOnly; SameSite=Lax`;

/** @param {string} message @returns {[string, string][]} */
const headersOf = (message) =>
	message
		.split("\n")
		.slice(1)
		.map((line) => {
			const colon = line.indexOf(": ");
			return [line.slice(0, colon), line.slice(colon + 2)];
		});

/** @param {string} message */
const linesOf = (message) => {
	const headers = headersOf(message);
	return {
		/** @param {string} name */
		lines: (name) => headers.filter(([each]) => each === name).map(([, value]) => value),
		names: () => [...new Set(headers.map(([name]) => name))],
	};
};

const AUTHORITY = "shop.example.com";
const [, TARGET = ""] = REQUEST.split(" ");
const [RAW_PATH = "", QUERY = ""] = TARGET.split("?");
const PATH = RAW_PATH.replace("/./", "/");
const RECEIVED_MS = Date.parse("2026-05-04T10:20:30.250Z");

/** As `Attributes` in src/cel/attributes.ts. */
export const ATTRIBUTES = {
	method: "POST",
	host: AUTHORITY,
	httpVersion: "HTTP/1.1",
	url: {
		full: `https://${AUTHORITY}${PATH}?${QUERY}`,
		scheme: "https",
		host: AUTHORITY,
		authority: AUTHORITY,
		port: 443,
		path: PATH,
		rawPath: RAW_PATH,
		query: QUERY,
		uri: `${PATH}?${QUERY}`,
		raw: `https://${AUTHORITY}${TARGET}`,
	},
	requestHeaders: linesOf(REQUEST),
	requestContentLength: 512,
	requestReceivedMs: RECEIVED_MS,
	clientIp: "203.0.113.7",
	clientPort: 50_000,
	serverIp: "192.0.2.1",
	serverPort: 443,
	connectionBytesIn: 880,
	connectionBytesOut: 1220,
	connectionStartMs: RECEIVED_MS,
	tlsVersion: "1.3",
	tlsSni: AUTHORITY,
	tlsCipherSuite: "",
	tlsNegotiatedAlpn: "",
	tlsJa4: "t13d1516h2_8daaf6152771_e5627efa2ab1",
	geo: {
		countryCode: "BR",
		country: "Brazil",
		city: "Manaus",
		latitude: "-3.1",
		longitude: "-60.02",
		subdivision: "Amazonas",
	},
	responseStatusCode: 201,
	responseContentLength: 1024,
	responseHeaders: linesOf(RESPONSE),
	edgeId: "shop",
	routeId: "orders",
	endpointHost: AUTHORITY,
	endpointProtocol: "https",
	endpointPort: 443,
	nowMs: Date.parse("2026-05-04T10:20:31Z"),
};
