/**
 * The one table of error codes: those of the management API (contract 2) and of the data path's own answers
 * (contract 5 and 6). A code never changes its meaning. `management/http/reply.ts` turns an `ApiError` into the
 * published shape, `edge/response/` makes the answers of the data path, and `native/src/front/refusals.h` names
 * those of requests that are refused while they are read; the documentation lists this table.
 */

import { ACCESS_CODES } from "./error-codes-access.ts";
import { FLEET_AWAY_CODES } from "./error-codes-fleet.ts";
import { CONFLICT_CODES, CONTENT_CODES, MISSING_CODES } from "./error-codes-resources.ts";
import { HANDSHAKE_CODES, TUNNEL_CODES } from "./error-codes-tunnels.ts";

/** Who answers with a code: the management API, the data path (`edge`), or both. */
export type Origin = "api" | "edge" | "both";

interface CodeEntry {
	readonly status: number;
	readonly origin: Origin;
	/** for people, as a sentence of Markdown */
	readonly cause: string;
	/** what to do about it, likewise */
	readonly remedy: string;
}

/** By status. */
export const ERROR_CODES = {
	ERR_BAD_REQUEST: {
		status: 400,
		origin: "both",
		cause: "The request is malformed, or readers could take it to mean different things.",
		remedy: "Send it as RFC 9112 and RFC 3986 define it; `msg` names the part that is wrong.",
	},
	ERR_INVALID_JSON: {
		status: 400,
		origin: "api",
		cause: "The body is no JSON, or names a key twice.",
		remedy: "Mend the body at the line and column that `msg` names.",
	},
	ERR_INVALID_DOCUMENT: {
		status: 400,
		origin: "api",
		cause: "The document breaks its schema, or a policy does not compile.",
		remedy: "Mend every place that `problems` lists.",
	},
	ERR_INVALID_ID: {
		status: 400,
		origin: "api",
		cause:
			"An id in the path is too long or holds other characters than A-Z, a-z, 0-9, `_`, `-` and `.`, or is `.` or `..`.",
		remedy: "Choose an id of these characters.",
	},
	ERR_INVALID_KEY: {
		status: 400,
		origin: "api",
		cause:
			"The path does not hold a key of this rate-limit: one segment for each element of `bucket_key`, percent-encoded.",
		remedy:
			"`GET …/rate-limits` shows the elements and their order; write what is no text as `json:` and JSON.",
	},
	ERR_INVALID_QUERY: {
		status: 400,
		origin: "api",
		cause: "A query parameter has a value that is not allowed, or is given twice.",
		remedy: "Mend the parameter that `msg` names.",
	},
	ERR_UNSUPPORTED_VERSION: {
		status: 400,
		origin: "api",
		cause: "`service-version` asks for a version of the API that there is not.",
		remedy: "Leave the field out or send `2`.",
	},
	...ACCESS_CODES,
	ERR_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "The API has nothing at this path.",
		remedy: "Compare the path with `/openapi.json`.",
	},
	...MISSING_CODES,
	ERR_NO_ROUTE: {
		status: 404,
		origin: "edge",
		cause: "No edge has the request's host, or none of its routes has the path.",
		remedy: "Compare host and path with the edge's `hostports` and the routes' `match`.",
	},
	ERR_METHOD_NOT_ALLOWED: {
		status: 405,
		origin: "both",
		cause:
			"The path does not have this method; of the data path: CONNECT, or TRACE while `allow_trace` is off.",
		remedy: "Use a method that the field `allow` lists.",
	},
	ERR_REQUEST_TIMEOUT: {
		status: 408,
		origin: "both",
		cause: "The request's header or body arrived too slowly.",
		remedy:
			"Send it faster; `timeouts.request_header_ms` and, for the data path, `slow_clients` in the configuration say how slow it may be.",
	},
	...CONFLICT_CODES,
	ERR_PRECONDITION_FAILED: {
		status: 412,
		origin: "api",
		cause: "`if-match` or `if-none-match` does not fit what is stored.",
		remedy: "Read the document again, and repeat the change with its new etag.",
	},
	ERR_BODY_TOO_LARGE: {
		status: 413,
		origin: "api",
		cause: "The body is larger than a document may be.",
		remedy: "Make it smaller, or raise `limits.policy_bytes`.",
	},
	ERR_URI_TOO_LONG: {
		status: 414,
		origin: "both",
		cause: "The request target is longer than a URL may be.",
		remedy: "Shorten path and query, or move what they hold into the body.",
	},
	ERR_UNSUPPORTED_MEDIA_TYPE: {
		status: 415,
		origin: "api",
		cause: "The body is not declared as JSON, or is compressed.",
		remedy: "Send `content-type: application/json` and no `content-encoding`.",
	},
	ERR_EXPECTATION_FAILED: {
		status: 417,
		origin: "both",
		cause: "`expect` asks for something else than `100-continue`.",
		remedy: "Send the request without it.",
	},
	ERR_UNKNOWN_HOST: {
		status: 421,
		origin: "api",
		cause:
			"The request's `host` is no address, not `localhost` and no name of this API, so a foreign page might be behind it (DNS rebinding).",
		remedy: "List the name in `management.hosts`, or use an address.",
	},
	...CONTENT_CODES,
	...HANDSHAKE_CODES,
	ERR_RATE_LIMITED: {
		status: 429,
		origin: "edge",
		cause: "A rate-limit of the route's policy refuses the request.",
		remedy: "Wait for `retry_after` seconds.",
	},
	ERR_HEADER_TOO_LARGE: {
		status: 431,
		origin: "both",
		cause: "Request line and header fields are too large together, or too many.",
		remedy: "Send less (often cookies), or raise `limits.request_header_bytes`.",
	},
	ERR_INTERNAL: {
		status: 500,
		origin: "both",
		cause: "weir failed.",
		remedy: "The log has the reason; please report it.",
	},
	ERR_POLICY_FAILED: {
		status: 500,
		origin: "edge",
		cause:
			"An expression, a template or an action of the route's policy failed, or no thread was free to evaluate it in time.",
		remedy: "Mend the policy; the log names the rule and the reason.",
	},
	ERR_NOT_IMPLEMENTED: {
		status: 501,
		origin: "edge",
		cause:
			"The request asks for an unknown transfer coding; or for a WebSocket, and weir's front is off.",
		remedy: "Send it without; for WebSockets leave `front` on.",
	},
	ERR_UNSUPPORTED_TRANSFER_ENCODING: {
		status: 501,
		origin: "api",
		cause: "The body has another transfer coding than chunked.",
		remedy: "Send it chunked or with a `content-length`.",
	},
	ERR_UPSTREAM_FAILED: {
		status: 502,
		origin: "edge",
		cause: "No address of the backend takes a connection, or the answer broke off or is no HTTP.",
		remedy: "Look at the backend; the log names the address and the reason.",
	},
	...TUNNEL_CODES,
	ERR_UPSTREAM_BUSY: {
		status: 503,
		origin: "edge",
		cause:
			"All connections to the backend are in use and the queue is full, or request bodies fill their memory.",
		remedy: "Try again; raise `max_connections` of the backend or `limits.body_memory_bytes`.",
	},
	ERR_TOO_MANY_CONNECTIONS: {
		status: 503,
		origin: "edge",
		cause: "Clients, or those at this client's address, have as many connections open as they may.",
		remedy: "Close connections; raise `limits.connections` or `limits.connections_per_address`.",
	},
	ERR_NOT_READY: {
		status: 503,
		origin: "api",
		cause: "No worker serves, or too many large documents are being checked.",
		remedy: "Try again in a moment.",
	},
	ERR_TOO_MANY_STREAMS: {
		status: 503,
		origin: "api",
		cause: "As many streams of events are open as there may be.",
		remedy: "Close a page that watches, or ask again later.",
	},
	ERR_STORE_LOST: {
		status: 503,
		origin: "api",
		cause: "The store's files were removed, replaced or cut short while weir ran.",
		remedy: "Restore the data folder and start weir again.",
	},
	ERR_UPGRADING: {
		status: 503,
		origin: "api",
		cause:
			"Another version of weir is taking over from this one, and nothing is stored until it has.",
		remedy: "Send the request again after `retry-after`.",
	},
	...FLEET_AWAY_CODES,
	ERR_UPSTREAM_TIMEOUT: {
		status: 504,
		origin: "edge",
		cause: "The backend's answer did not begin in time.",
		remedy: "Look at the backend, or raise `response_timeout_ms`.",
	},
	ERR_VERSION_NOT_SUPPORTED: {
		status: 505,
		origin: "both",
		cause: "The request is of another version than HTTP/1.1 or HTTP/1.0.",
		remedy: "Send HTTP/1.1; of a client that begins with HTTP/2 at once, turn that off.",
	},
	ERR_STORE_FULL: {
		status: 507,
		origin: "api",
		cause: "The disk or the store has no room left; nothing was changed.",
		remedy: "Make room; the log says where.",
	},
	ERR_LOOP_DETECTED: {
		status: 508,
		origin: "edge",
		cause:
			"The request has passed weir too often, as its `via` says: a backend leads back to weir, or the client sent such a `via`.",
		remedy:
			"Let the backend's `urls` name the server itself; the log names edge, route and backend.",
	},
} as const satisfies Readonly<Record<string, CodeEntry>>;
