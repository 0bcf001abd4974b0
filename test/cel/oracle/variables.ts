/**
 * Every variable of contract 4 as the library's values, by its dotted name. Used by `evaluate.ts`.
 */
import type { CelInput } from "@bufbuild/cel";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Attributes } from "../../../src/cel/attributes.ts";
import { requestCookies, responseCookies } from "./cookies.ts";
import { headerMap, listHeader, NO_HEADERS } from "./header-map.ts";
import { mediaType, mediaTypeParameters, rawLine } from "./media-type.ts";
import { queryParameters } from "./query.ts";
import { RESULT_ROWS } from "./results.ts";

type Read = (attributes: Attributes) => CelInput;

const ROWS: readonly (readonly [name: string, read: Read])[] = [
	["req.method", (a) => a.method],
	["req.host", (a) => a.host],
	["req.version", (a) => a.httpVersion],
	["req.location", (a) => rawLine(a.requestHeaders, "location")],
	["req.content_length", (a) => BigInt(a.requestContentLength)],
	["req.content_encoding", (a) => listHeader(a.requestHeaders, "content-encoding")],
	["req.ts.header_received", (a) => timestampFromMs(a.requestReceivedMs)],
	["req.url", (a) => a.url.full],
	["req.url.scheme", (a) => a.url.scheme],
	["req.url.host", (a) => a.url.host],
	["req.url.authority", (a) => a.url.authority],
	["req.url.port", (a) => BigInt(a.url.port)],
	["req.url.path", (a) => a.url.path],
	["req.url.raw_path", (a) => a.url.rawPath],
	["req.url.query", (a) => a.url.query],
	["req.url.uri", (a) => a.url.uri],
	["req.url.raw", (a) => a.url.raw],
	["req.url.query_params", (a) => queryParameters(a.url.query)],
	["req.content_type", (a) => mediaType(a.requestHeaders)],
	["req.content_type.raw", (a) => rawLine(a.requestHeaders, "content-type")],
	["req.content_type.parameters", (a) => mediaTypeParameters(a.requestHeaders)],
	["req.user_agent", (a) => rawLine(a.requestHeaders, "user-agent")],
	["req.user_agent.raw", (a) => rawLine(a.requestHeaders, "user-agent")],
	["req.headers", (a) => headerMap(a.requestHeaders)],
	["req.trailers", () => NO_HEADERS],
	["req.cookies", (a) => requestCookies(a.requestHeaders)],
	["conn.client_ip", (a) => a.clientIp],
	["conn.client_port", (a) => BigInt(a.clientPort)],
	["conn.server_ip", (a) => a.serverIp],
	["conn.server_port", (a) => BigInt(a.serverPort)],
	["conn.bytes_in", (a) => BigInt(a.bytesIn)],
	["conn.bytes_out", (a) => BigInt(a.bytesOut)],
	["conn.ts.start", (a) => timestampFromMs(a.connectionStartMs)],
	["conn.tls.version", (a) => a.tlsVersion],
	["conn.tls.sni", (a) => a.tlsSni],
	["conn.tls.cipher_suite", (a) => a.tlsCipherSuite],
	["conn.tls.negotiated_alpn", (a) => a.tlsNegotiatedAlpn],
	["conn.geo.country_code", (a) => a.geo.countryCode],
	["conn.geo.country", (a) => a.geo.country],
	["conn.geo.city", (a) => a.geo.city],
	["conn.geo.latitude", (a) => a.geo.latitude],
	["conn.geo.longitude", (a) => a.geo.longitude],
	["conn.geo.subdivision", (a) => a.geo.subdivision],
	["res.status_code", (a) => BigInt(a.responseStatusCode)],
	["res.content_length", (a) => BigInt(a.responseContentLength)],
	["res.content_type", (a) => mediaType(a.responseHeaders)],
	["res.content_type.raw", (a) => rawLine(a.responseHeaders, "content-type")],
	["res.content_type.parameters", (a) => mediaTypeParameters(a.responseHeaders)],
	["res.location", (a) => rawLine(a.responseHeaders, "location")],
	["res.content_encoding", (a) => listHeader(a.responseHeaders, "content-encoding")],
	["res.headers", (a) => headerMap(a.responseHeaders)],
	["res.trailers", () => NO_HEADERS],
	["res.cookies", (a) => responseCookies(a.responseHeaders)],
	["edge.id", (a) => a.edgeId],
	["route.id", (a) => a.routeId],
	["endpoint.id", (a) => a.edgeId],
	["endpoint.host", (a) => a.endpointHost],
	["endpoint.port", (a) => BigInt(a.endpointPort)],
	["endpoint.protocol", (a) => a.endpointProtocol],
	["endpoint.url", endpointUrl],
	...RESULT_ROWS,
	["time.now", (a) => timestampFromMs(a.nowMs)],
];

/** `scheme://host[:port]`, the port where it is not the scheme's default. */
function endpointUrl(a: Attributes): string {
	const { endpointProtocol: scheme, endpointHost: host, endpointPort: port } = a;
	const isDefault = port === (scheme === "https" ? 443 : 80);
	return isDefault ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
}

export const READS: ReadonlyMap<string, Read> = new Map(ROWS);
