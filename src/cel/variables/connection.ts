/** Variables of the client's connection: addresses, TLS, and where the client is. Joined by `table.ts`. */
import { timestampFromMs } from "../values/timestamp.ts";
import {
	type AttributePath,
	attribute,
	BYTES_MAX,
	derived,
	integer,
	PORT_MAX,
	type VariableDefinition,
} from "./definition.ts";
import { addressText, nameText } from "./sizes.ts";

const NEVER_TOLD = "always `''`: the server library does not tell it";
const NO_ALPN = "always `''`: the server library agrees upon no protocol, whatever clients offer";
const WITHOUT_HELLO = "`''`; always on listeners without TLS, and with `front: off`";
const WITH_DATABASE = "`''`; always where `geo.database` is not set";

/** A text that the geo database or TLS knows. */
const known = <Name extends string>(
	name: Name,
	path: AttributePath,
	doc: string,
	example: string,
	absent: string,
): VariableDefinition & { readonly name: Name } => ({
	name,
	type: "string",
	doc,
	example,
	absent,
	read: attribute(path),
	size: nameText,
});

export const CONNECTION = [
	{
		name: "conn.client_ip",
		type: "string",
		doc: "The client's address. If the peer is one of `trusted_proxies`, the right-most address of `x-forwarded-for` that is not; with `proxy_protocol` the address that it tells.",
		example: "'203.0.113.7'",
		read: attribute("clientIp"),
		size: addressText,
		isAddress: true,
	},
	{
		name: "conn.client_port",
		type: "int",
		doc: "The client's port.",
		example: "50000",
		absent: "`0` behind a proxy that names the client in `x-forwarded-for`",
		read: integer("clientPort", 0, PORT_MAX),
	},
	{
		name: "conn.server_ip",
		type: "string",
		doc: "The address that the listener is bound to.",
		example: "'192.0.2.1'",
		read: attribute("serverIp"),
		size: addressText,
	},
	{
		name: "conn.server_port",
		type: "int",
		doc: "The port of the listener.",
		example: "443",
		read: integer("serverPort", 0, PORT_MAX),
	},
	{
		name: "conn.bytes_in",
		type: "int",
		doc: "Bytes that have come on this connection so far, within TLS: headers and bodies of all its requests. With `front: off` those of this request.",
		example: "880",
		read: integer("connectionBytesIn", 0, BYTES_MAX),
		changes: true,
	},
	{
		name: "conn.bytes_out",
		type: "int",
		doc: "Bytes that have been sent on this connection so far, within TLS: headers and bodies of all its answers. With `front: off` those of this response's body.",
		example: "1220",
		read: integer("connectionBytesOut", 0, BYTES_MAX),
		changes: true,
	},
	{
		name: "conn.ts.start",
		type: "timestamp",
		doc: "When the connection began.",
		example: "timestamp('2026-05-04T10:20:30.250Z')",
		read: derived((a) => timestampFromMs(a.connectionStartMs), "connectionStartMs"),
	},
	known(
		"conn.tls.version",
		"tlsVersion",
		"The version of TLS: `1.2` or `1.3`.",
		"'1.3'",
		WITHOUT_HELLO,
	),
	known(
		"conn.tls.sni",
		"tlsSni",
		"The name that the client asked for in its TLS handshake (SNI), in lower case. With `front: off` only names that a certificate spells out.",
		"'shop.example.com'",
		"`''`; always on listeners without TLS",
	),
	known("conn.tls.cipher_suite", "tlsCipherSuite", "The cipher suite.", "''", NEVER_TOLD),
	known(
		"conn.tls.negotiated_alpn",
		"tlsNegotiatedAlpn",
		"The protocol that ALPN agreed upon.",
		"''",
		NO_ALPN,
	),
	known(
		"conn.tls.ja4",
		"tlsJa4",
		"The client's fingerprint, JA4: of the versions, cipher suites, extensions, signature algorithms and the first protocol that its ClientHello offers. Any client can take another's.",
		"'t13d1516h2_8daaf6152771_e5627efa2ab1'",
		WITHOUT_HELLO,
	),
	known(
		"conn.geo.country_code",
		"geo.countryCode",
		"The country of `conn.client_ip`, two capitals (ISO 3166).",
		"'BR'",
		"`''` if unknown, as for private addresses",
	),
	known("conn.geo.country", "geo.country", "The country's name.", "'Brazil'", WITH_DATABASE),
	known("conn.geo.city", "geo.city", "The city's name.", "'Manaus'", WITH_DATABASE),
	known(
		"conn.geo.latitude",
		"geo.latitude",
		"Degrees to the north, as text: `double(conn.geo.latitude)`.",
		"'-3.1'",
		WITH_DATABASE,
	),
	known(
		"conn.geo.longitude",
		"geo.longitude",
		"Degrees to the east, as text.",
		"'-60.02'",
		WITH_DATABASE,
	),
	known(
		"conn.geo.subdivision",
		"geo.subdivision",
		"The name of the state or province.",
		"'Amazonas'",
		WITH_DATABASE,
	),
] as const satisfies readonly VariableDefinition[];
