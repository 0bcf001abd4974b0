/**
 * What HTTP says of header fields (RFC 9110 5.1, 5.5, 7.6.1), for everyone who checks or copies them:
 * the data path, the policy validator and the management API.
 */
import { asciiLowerCase } from "../ascii.ts";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BAD_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Connection-specific fields that a proxy never passes on; those named in `connection` come on top. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
	"connection",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/** With a token, asks for an explanation of the request (contract 2, "Explain"). For weir alone. */
export const EXPLAIN_FIELD = "x-weir-explain";

/** Fields that frame a message; the server writes them, nobody may set them. */
export const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

/** Fields that no action of a policy takes away: messages would be broken, or loops not be found. */
export const NEVER_REMOVED: ReadonlySet<string> = new Set([
	"connection",
	"content-length",
	"date",
	"host",
	"transfer-encoding",
	"via",
]);

export const NOT_ASCII = /[\u0080-\uffff]/;

/** UTF-8 text of bytes, a character a byte; what is no UTF-8 becomes U+FFFD. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

export const isFieldName = (name: string): boolean => TOKEN.test(name);

/** No CR, LF, NUL or other control character but tab. */
export const isFieldValue = (value: string): boolean => !BAD_VALUE.test(value);

/** Names in `connection` fields, lower case; undefined in the usual case that there are none of interest. */
export function namedInConnection(lines: readonly string[]): ReadonlySet<string> | undefined {
	let named: Set<string> | undefined;
	for (const line of lines) {
		if (line === "keep-alive" || line === "close") continue;
		named ??= new Set();
		for (const token of line.split(",")) named.add(asciiLowerCase(token.trim()));
	}
	// The message would be nobody's without it; a client can't have it taken off.
	named?.delete("host");
	return named;
}

/**
 * Whether a field isn't passed on as it came: it belongs to the connection, framing is the upstream client's,
 * `expect` has been answered, who sent the request is said by the edge, and a token is for weir. By length first, because most
 * names have one that none of these has; a set would have to hash each name.
 */
export function isOwn(name: string): boolean {
	switch (name.length) {
		case 2:
			return name === "te";
		case 6:
			return name === "expect";
		case 7:
			return name === "upgrade" || name === "trailer";
		case 9:
			return name === "forwarded";
		case 10:
			return name === "connection" || name === "keep-alive";
		case 14:
			return name === "content-length" || name === "http2-settings" || name === EXPLAIN_FIELD;
		case 15:
			return name === "x-forwarded-for";
		case 16:
			return name === "proxy-connection" || name === "x-forwarded-host";
		case 17:
			return name === "transfer-encoding" || name === "x-forwarded-proto";
		case 18:
			return name === "proxy-authenticate";
		case 19:
			return name === "proxy-authorization";
		default:
			return false;
	}
}
