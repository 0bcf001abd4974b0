/**
 * What expressions can read of one exchange (contract 4, "Variables"). The edge implements it over a
 * live request, tests over plain objects. Every member is read only when an expression names it, so an
 * implementation computes lazily: a rule on `req.method` must cost one property read.
 */
import type { UrlParts } from "../http/target.ts";
import type { HeaderLines } from "./values/header-lines.ts";
import type { Derived, Left } from "./values/kept.ts";

export type { UrlParts } from "../http/target.ts";
export type { HeaderLines } from "./values/header-lines.ts";

/** Variables of the response exist outbound only: they are refused when an inbound expression is compiled. */
export type Phase = "inbound" | "outbound";

/** What the geo database says of the client address; unknown fields are empty strings. */
export interface GeoRecord {
	readonly countryCode: string;
	readonly country: string;
	readonly city: string;
	readonly latitude: string;
	readonly longitude: string;
	readonly subdivision: string;
}

export interface Attributes {
	/** as sent, e.g. `GET` */
	readonly method: string;
	/** the `host` header without port, lower case, without a trailing dot */
	readonly host: string;
	/** e.g. `HTTP/1.1` */
	readonly httpVersion: string;
	readonly url: UrlParts;
	readonly requestHeaders: HeaderLines;
	/** bytes; 0 if absent, -1 if chunked */
	readonly requestContentLength: number;
	/** wall clock, milliseconds since the epoch, when the request header was complete */
	readonly requestReceivedMs: number;

	readonly clientIp: string;
	readonly clientPort: number;
	readonly serverIp: string;
	readonly serverPort: number;
	readonly bytesIn: number;
	readonly bytesOut: number;
	/** wall clock, milliseconds since the epoch */
	readonly connectionStartMs: number;
	readonly tlsVersion: string;
	readonly tlsSni: string;
	readonly tlsCipherSuite: string;
	readonly tlsNegotiatedAlpn: string;
	readonly geo: GeoRecord;

	/** outbound only; 0 and an empty set before there is a response */
	readonly responseStatusCode: number;
	/** bytes; 0 if absent, -1 if chunked or delimited by close */
	readonly responseContentLength: number;
	readonly responseHeaders: HeaderLines;

	readonly edgeId: string;
	readonly routeId: string;
	/** the endpoint the request reached: the edge's id, matched host, `http` or `https`, port */
	readonly endpointHost: string;
	readonly endpointProtocol: string;
	readonly endpointPort: number;
	/** wall clock, milliseconds since the epoch, for `time.now`; the same within one phase */
	readonly nowMs: number;

	/** what expressions have made of the rest; theirs alone, and empty at first */
	derived?: Derived | undefined;
	/** what actions have left for expressions; undefined until one has left something */
	readonly results?: Left | undefined;
}
