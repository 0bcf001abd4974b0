/** An exchange over plain objects, for the tests of this room. */
import type { Attributes, HeaderLines } from "../../src/cel/attributes.ts";

export function headerLines(lines: readonly (readonly [string, string])[]): HeaderLines {
	return {
		lines: (name) => lines.filter(([each]) => each === name).map(([, value]) => value),
		names: () => [...new Set(lines.map(([name]) => name))],
	};
}

export const ATTRIBUTES: Attributes = {
	method: "POST",
	host: "example.com",
	httpVersion: "HTTP/1.1",
	url: {
		full: "https://example.com/v0/user/42?x=1&filter=a%20b+c&x=2&empty",
		scheme: "https",
		host: "example.com",
		authority: "example.com",
		port: 443,
		path: "/v0/user/42",
		rawPath: "/v0/./user/42",
		query: "x=1&filter=a%20b+c&x=2&empty",
		uri: "/v0/user/42?x=1&filter=a%20b+c&x=2&empty",
		raw: "https://example.com/v0/./user/42?x=1&filter=a%20b+c&x=2&empty",
	},
	requestHeaders: headerLines([
		["host", "example.com"],
		["user-agent", "Mozilla/5.0 EDG/120.0"],
		["accept", "text/html"],
		["accept", "application/json"],
		["content-type", 'Text/HTML; Charset="utf-8"; boundary=x'],
		["content-encoding", "gzip, BR"],
		["cookie", "session=abc; theme=dark; session=def"],
	]),
	requestContentLength: 10_001,
	requestReceivedMs: 1_700_000_000_123,
	clientIp: "203.0.113.7",
	clientPort: 50_000,
	serverIp: "192.0.2.1",
	serverPort: 443,
	connectionBytesIn: 400,
	connectionBytesOut: 0,
	connectionStartMs: 1_700_000_000_000,
	tlsVersion: "1.3",
	tlsSni: "example.com",
	tlsCipherSuite: "TLS_AES_128_GCM_SHA256",
	tlsNegotiatedAlpn: "http/1.1",
	tlsJa4: "t13d1516h2_8daaf6152771_e5627efa2ab1",
	geo: {
		countryCode: "BR",
		country: "Brazil",
		city: "",
		latitude: "-10",
		longitude: "-55",
		subdivision: "",
	},
	responseStatusCode: 500,
	responseContentLength: -1,
	responseHeaders: headerLines([
		["content-type", "application/json"],
		["set-cookie", "id=1; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax"],
	]),
	edgeId: "edge-1",
	routeId: "route-1",
	endpointHost: "example.com",
	endpointProtocol: "https",
	endpointPort: 443,
	nowMs: 1_700_000_001_000,
};
