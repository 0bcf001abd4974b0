/**
 * The part of the table of error codes about upgrades and tunnels (contract 6, "Upgrades"), in two pieces, by status.
 * Parts of `ERROR_CODES` (`error-codes.ts`).
 */
export const HANDSHAKE_CODES = {
	ERR_WEBSOCKET_VERSION: {
		status: 426,
		origin: "edge",
		cause:
			"A WebSocket handshake has no `sec-websocket-version: 13`, the one version that there is.",
		remedy: "Use a client of RFC 6455.",
	},
} as const;

export const TUNNEL_CODES = {
	ERR_UPGRADE_FAILED: {
		status: 502,
		origin: "edge",
		cause:
			"The backend agreed to an upgrade (101) in a way that no client may take: a `sec-websocket-accept` that does not fit, or a protocol that was not asked for.",
		remedy:
			"Look at the backend, or at a proxy or cache before it; the log names what its 101 lacks.",
	},
	ERR_TOO_MANY_TUNNELS: {
		status: 503,
		origin: "edge",
		cause: "The route has as many tunnels (WebSockets, other upgrades) open as it may.",
		remedy: "Close some, or raise `max_tunnels` of the backend.",
	},
} as const;
