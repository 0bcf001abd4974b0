/**
 * How lowered code reads each variable of `variables.ts` from the attributes of an exchange: a property
 * where there is one, so that a rule on `req.method` costs one property, else a function of `derived.ts`.
 * Also which attributes that takes, for copies to other threads.
 */
import type { IntRange } from "./lowered.ts";

export interface VariableRead {
	/** path of a property of `Attributes` */
	readonly property?: string;
	/** name of a function of `derived.ts` that takes the attributes */
	readonly derive?: string;
	/** paths for `copyAttributes` */
	readonly reads: readonly string[];
	/** of an int: it travels as a number */
	readonly range?: IntRange;
	/** a map of lists with something for every text: a missing name is the empty list */
	readonly isListMap?: true;
	/** of a header map: the member of `Attributes` that holds its lines */
	readonly lines?: "requestHeaders" | "responseHeaders";
}

const property = (path: string): VariableRead => ({ property: path, reads: [path] });

const integer = (path: string, min: number, max: number): VariableRead => ({
	...property(path),
	range: { min, max },
});

const derived = (derive: string, ...reads: readonly string[]): VariableRead => ({ derive, reads });

const LENGTH_MAX = Number.MAX_SAFE_INTEGER;

const READS: Readonly<Record<string, VariableRead>> = {
	"req.method": property("method"),
	"req.host": property("host"),
	"req.version": property("httpVersion"),
	"req.location": derived("requestLocation", "requestHeaders:location"),
	"req.content_length": integer("requestContentLength", -1, LENGTH_MAX),
	"req.content_encoding": derived("requestContentEncoding", "requestHeaders:content-encoding"),
	"req.ts.header_received": derived("requestReceived", "requestReceivedMs"),
	"req.url": property("url.full"),
	"req.url.scheme": property("url.scheme"),
	"req.url.host": property("url.host"),
	"req.url.authority": property("url.authority"),
	"req.url.port": integer("url.port", 0, 65_535),
	"req.url.path": property("url.path"),
	"req.url.raw_path": property("url.rawPath"),
	"req.url.query": property("url.query"),
	"req.url.uri": property("url.uri"),
	"req.url.raw": property("url.raw"),
	"req.url.query_params": { ...derived("queryParams", "url.query"), isListMap: true },
	"req.content_type": derived("requestMediaType", "requestHeaders:content-type"),
	"req.content_type.raw": derived("requestContentType", "requestHeaders:content-type"),
	"req.content_type.parameters": derived("requestMediaParameters", "requestHeaders:content-type"),
	"req.user_agent": derived("userAgent", "requestHeaders:user-agent"),
	"req.user_agent.raw": derived("userAgent", "requestHeaders:user-agent"),
	"req.headers": {
		...derived("requestHeaderMap", "requestHeaders"),
		isListMap: true,
		lines: "requestHeaders",
	},
	"req.trailers": { ...derived("noHeaders"), isListMap: true },
	"req.cookies": { ...derived("requestCookies", "requestHeaders:cookie"), isListMap: true },
	"conn.client_ip": property("clientIp"),
	"conn.client_port": integer("clientPort", 0, 65_535),
	"conn.server_ip": property("serverIp"),
	"conn.server_port": integer("serverPort", 0, 65_535),
	"conn.bytes_in": integer("bytesIn", 0, LENGTH_MAX),
	"conn.bytes_out": integer("bytesOut", 0, LENGTH_MAX),
	"conn.ts.start": derived("connectionStart", "connectionStartMs"),
	"conn.tls.version": property("tlsVersion"),
	"conn.tls.sni": property("tlsSni"),
	"conn.tls.cipher_suite": property("tlsCipherSuite"),
	"conn.tls.negotiated_alpn": property("tlsNegotiatedAlpn"),
	"conn.geo.country_code": property("geo.countryCode"),
	"conn.geo.country": property("geo.country"),
	"conn.geo.city": property("geo.city"),
	"conn.geo.latitude": property("geo.latitude"),
	"conn.geo.longitude": property("geo.longitude"),
	"conn.geo.subdivision": property("geo.subdivision"),
	"res.status_code": integer("responseStatusCode", 0, 999),
	"res.content_length": integer("responseContentLength", -1, LENGTH_MAX),
	"res.content_type": derived("responseMediaType", "responseHeaders:content-type"),
	"res.content_type.raw": derived("responseContentType", "responseHeaders:content-type"),
	"res.content_type.parameters": derived("responseMediaParameters", "responseHeaders:content-type"),
	"res.location": derived("responseLocation", "responseHeaders:location"),
	"res.content_encoding": derived("responseContentEncoding", "responseHeaders:content-encoding"),
	"res.headers": {
		...derived("responseHeaderMap", "responseHeaders"),
		isListMap: true,
		lines: "responseHeaders",
	},
	"res.trailers": { ...derived("noHeaders"), isListMap: true },
	"res.cookies": { ...derived("responseCookies", "responseHeaders:set-cookie"), isListMap: true },
	"edge.id": property("edgeId"),
	"route.id": property("routeId"),
	"endpoint.id": property("edgeId"),
	"endpoint.host": property("endpointHost"),
	"endpoint.port": integer("endpointPort", 0, 65_535),
	"endpoint.protocol": property("endpointProtocol"),
	"endpoint.url": derived("endpointUrl", "endpointHost", "endpointPort", "endpointProtocol"),
	"time.now": derived("now", "nowMs"),
};

/** @param name as written in expressions; a test holds this table and `variables.ts` together */
export function readOf(name: string): VariableRead {
	const read = READS[name];
	if (read === undefined) throw new Error(`variable ${name} is read nowhere`);
	return read;
}

export const READ_NAMES: readonly string[] = Object.keys(READS);
