/**
 * Every variable that an expression may name (contract 4, "Variables"): its type, and whether it exists
 * outbound only. The checker takes types from here; `lower/reads.ts` says how each is read.
 */
import { readType } from "./signatures.ts";
import { BOOL, INT, type RecordType, STRING, type Type } from "./types.ts";

export interface Variable {
	readonly name: string;
	readonly type: Type;
	readonly outboundOnly: boolean;
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

type Row = readonly [name: string, type: string];

const HEADERS = "map<string, list<string>>";

const ROWS: readonly Row[] = [
	["req.method", "string"],
	["req.host", "string"],
	["req.version", "string"],
	["req.location", "string"],
	["req.content_length", "int"],
	["req.content_encoding", "list<string>"],
	["req.ts.header_received", "timestamp"],
	["req.url", "string"],
	["req.url.scheme", "string"],
	["req.url.host", "string"],
	["req.url.authority", "string"],
	["req.url.port", "int"],
	["req.url.path", "string"],
	["req.url.raw_path", "string"],
	["req.url.query", "string"],
	["req.url.uri", "string"],
	["req.url.raw", "string"],
	["req.url.query_params", HEADERS],
	["req.content_type", "string"],
	["req.content_type.raw", "string"],
	["req.content_type.parameters", "map<string, string>"],
	["req.user_agent", "string"],
	["req.user_agent.raw", "string"],
	["req.headers", HEADERS],
	["req.trailers", HEADERS],
	["req.cookies", "map<string, list<cookie>>"],
	["conn.client_ip", "string"],
	["conn.client_port", "int"],
	["conn.server_ip", "string"],
	["conn.server_port", "int"],
	["conn.bytes_in", "int"],
	["conn.bytes_out", "int"],
	["conn.ts.start", "timestamp"],
	["conn.tls.version", "string"],
	["conn.tls.sni", "string"],
	["conn.tls.cipher_suite", "string"],
	["conn.tls.negotiated_alpn", "string"],
	["conn.geo.country_code", "string"],
	["conn.geo.country", "string"],
	["conn.geo.city", "string"],
	["conn.geo.latitude", "string"],
	["conn.geo.longitude", "string"],
	["conn.geo.subdivision", "string"],
	["res.status_code", "int"],
	["res.content_length", "int"],
	["res.content_type", "string"],
	["res.content_type.raw", "string"],
	["res.content_type.parameters", "map<string, string>"],
	["res.location", "string"],
	["res.content_encoding", "list<string>"],
	["res.headers", HEADERS],
	["res.trailers", HEADERS],
	["res.cookies", "map<string, list<set_cookie>>"],
	["edge.id", "string"],
	["route.id", "string"],
	["endpoint.id", "string"],
	["endpoint.host", "string"],
	["endpoint.port", "int"],
	["endpoint.protocol", "string"],
	["endpoint.url", "string"],
	["time.now", "timestamp"],
];

export const VARIABLES: ReadonlyMap<string, Variable> = new Map(
	ROWS.map(([name, type]) => [
		name,
		{
			name,
			type: readType(type, RECORDS),
			outboundOnly: name.startsWith("res."),
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
