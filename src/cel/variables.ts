/**
 * Every variable that an expression may name (contract 4, "Variables"): its type, whether it exists
 * outbound only, and how it is read from the exchange. The checker takes types from here, the
 * activation makes one lazy getter of each entry, so a rule pays for what it names and nothing else.
 */
import type { CelInput } from "@bufbuild/cel";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Attributes } from "./attributes.ts";
import { requestCookies, responseCookies } from "./cookies.ts";
import { headerMap, listHeader, NO_HEADERS } from "./header-map.ts";
import { mediaType, mediaTypeParameters, rawLine } from "./media-type.ts";
import { queryParameters } from "./query.ts";
import { readType } from "./signatures.ts";
import { BOOL, INT, type RecordType, STRING, type Type } from "./types.ts";

export interface Variable {
	readonly name: string;
	readonly type: Type;
	readonly outboundOnly: boolean;
	/** is reading it more than a look-up, so that an evaluation does it once? */
	readonly isParsed: boolean;
	/** Hot. */
	readonly read: (attributes: Attributes) => CelInput;
}

const record = (name: string, fields: Readonly<Record<string, Type>>): RecordType => ({
	kind: "record",
	name,
	fields: new Map(Object.entries(fields)),
});

const RECORD_TYPES: readonly RecordType[] = [
	record("cookie", { name: STRING, value: STRING }),
	record("set_cookie", {
		name: STRING,
		value: STRING,
		path: STRING,
		domain: STRING,
		expires: STRING,
		max_age: INT,
		secure: BOOL,
		http_only: BOOL,
		same_site: STRING,
	}),
];

/** Types of our own by name, for signatures and variables. */
export const RECORDS: ReadonlyMap<string, Type> = new Map(
	RECORD_TYPES.map((type) => [type.name, type]),
);

type Row = readonly [name: string, type: string, read: Variable["read"]];

const HEADERS = "map<string, list<string>>";

const ROWS: readonly Row[] = [
	["req.method", "string", (a) => a.method],
	["req.host", "string", (a) => a.host],
	["req.version", "string", (a) => a.httpVersion],
	["req.location", "string", (a) => rawLine(a.requestHeaders, "location")],
	["req.content_length", "int", (a) => BigInt(a.requestContentLength)],
	["req.content_encoding", "list<string>", (a) => listHeader(a.requestHeaders, "content-encoding")],
	["req.ts.header_received", "timestamp", (a) => timestampFromMs(a.requestReceivedMs)],
	["req.url", "string", (a) => a.url.full],
	["req.url.scheme", "string", (a) => a.url.scheme],
	["req.url.host", "string", (a) => a.url.host],
	["req.url.authority", "string", (a) => a.url.authority],
	["req.url.port", "int", (a) => BigInt(a.url.port)],
	["req.url.path", "string", (a) => a.url.path],
	["req.url.raw_path", "string", (a) => a.url.rawPath],
	["req.url.query", "string", (a) => a.url.query],
	["req.url.uri", "string", (a) => a.url.uri],
	["req.url.raw", "string", (a) => a.url.raw],
	["req.url.query_params", HEADERS, (a) => queryParameters(a.url.query)],
	["req.content_type", "string", (a) => mediaType(a.requestHeaders)],
	["req.content_type.raw", "string", (a) => rawLine(a.requestHeaders, "content-type")],
	[
		"req.content_type.parameters",
		"map<string, string>",
		(a) => mediaTypeParameters(a.requestHeaders),
	],
	["req.user_agent", "string", (a) => rawLine(a.requestHeaders, "user-agent")],
	["req.user_agent.raw", "string", (a) => rawLine(a.requestHeaders, "user-agent")],
	["req.headers", HEADERS, (a) => headerMap(a.requestHeaders)],
	["req.trailers", HEADERS, () => NO_HEADERS],
	["req.cookies", "map<string, list<cookie>>", (a) => requestCookies(a.requestHeaders)],
	["conn.client_ip", "string", (a) => a.clientIp],
	["conn.client_port", "int", (a) => BigInt(a.clientPort)],
	["conn.server_ip", "string", (a) => a.serverIp],
	["conn.server_port", "int", (a) => BigInt(a.serverPort)],
	["conn.bytes_in", "int", (a) => BigInt(a.bytesIn)],
	["conn.bytes_out", "int", (a) => BigInt(a.bytesOut)],
	["conn.ts.start", "timestamp", (a) => timestampFromMs(a.connectionStartMs)],
	["conn.tls.version", "string", (a) => a.tlsVersion],
	["conn.tls.sni", "string", (a) => a.tlsSni],
	["conn.tls.cipher_suite", "string", (a) => a.tlsCipherSuite],
	["conn.tls.negotiated_alpn", "string", (a) => a.tlsNegotiatedAlpn],
	["conn.geo.country_code", "string", (a) => a.geo.countryCode],
	["conn.geo.country", "string", (a) => a.geo.country],
	["conn.geo.city", "string", (a) => a.geo.city],
	["conn.geo.latitude", "string", (a) => a.geo.latitude],
	["conn.geo.longitude", "string", (a) => a.geo.longitude],
	["conn.geo.subdivision", "string", (a) => a.geo.subdivision],
	["res.status_code", "int", (a) => BigInt(a.responseStatusCode)],
	["res.content_length", "int", (a) => BigInt(a.responseContentLength)],
	["res.content_type", "string", (a) => mediaType(a.responseHeaders)],
	["res.content_type.raw", "string", (a) => rawLine(a.responseHeaders, "content-type")],
	[
		"res.content_type.parameters",
		"map<string, string>",
		(a) => mediaTypeParameters(a.responseHeaders),
	],
	["res.location", "string", (a) => rawLine(a.responseHeaders, "location")],
	[
		"res.content_encoding",
		"list<string>",
		(a) => listHeader(a.responseHeaders, "content-encoding"),
	],
	["res.headers", HEADERS, (a) => headerMap(a.responseHeaders)],
	["res.trailers", HEADERS, () => NO_HEADERS],
	["res.cookies", "map<string, list<set_cookie>>", (a) => responseCookies(a.responseHeaders)],
	["edge.id", "string", (a) => a.edgeId],
	["route.id", "string", (a) => a.routeId],
	["endpoint.id", "string", (a) => a.edgeId],
	["endpoint.host", "string", (a) => a.endpointHost],
	["endpoint.port", "int", (a) => BigInt(a.endpointPort)],
	["endpoint.protocol", "string", (a) => a.endpointProtocol],
	["endpoint.url", "string", endpointUrl],
	["time.now", "timestamp", (a) => timestampFromMs(a.nowMs)],
];

/** `scheme://host[:port]`, the port where it is not the scheme's default. */
function endpointUrl(a: Attributes): string {
	const { endpointProtocol: scheme, endpointHost: host, endpointPort: port } = a;
	const isDefault = port === (scheme === "https" ? 443 : 80);
	return isDefault ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
}

export const VARIABLES: ReadonlyMap<string, Variable> = new Map(
	ROWS.map(([name, type, read]) => [
		name,
		{
			name,
			type: readType(type, RECORDS),
			outboundOnly: name.startsWith("res."),
			isParsed: type.includes("<") || name.includes("content_type"),
			read,
		},
	]),
);

/** Names under which others are grouped, with those directly below: `req.url` has `path`, `query` … */
export const NAMESPACES: ReadonlyMap<string, readonly string[]> = namespaces();

function namespaces(): ReadonlyMap<string, readonly string[]> {
	const table = new Map<string, string[]>();
	for (const name of VARIABLES.keys()) {
		const parts = name.split(".");
		for (let length = 1; length < parts.length; length++) {
			const group = parts.slice(0, length).join(".");
			const members = table.get(group) ?? [];
			const member = parts[length] ?? "";
			if (!members.includes(member)) members.push(member);
			table.set(group, members);
		}
	}
	return table;
}

/**
 * The name by which the planned expression asks for a variable. It holds no dot, and a character that
 * no identifier has, so that neither a loop variable nor the library's own joining of names meets it.
 */
export const flatName = (name: string): string => `@${name.replaceAll(".", ":")}`;
