/** The rows of tunnels (`edge/tunnels/`). A part of the table of metrics (`metric-families.ts`). */
export const TUNNEL_FAMILIES = {
	weir_tunnels_open: {
		kind: "gauge",
		help: "Tunnels that are open: WebSockets and other upgrades.",
		labels: {},
	},
	weir_tunnels_opened_total: {
		kind: "counter",
		help: "Upgrades that backends agreed to, and that became tunnels.",
		labels: {},
	},
	weir_tunnels_ended_total: {
		kind: "counter",
		help: "Tunnels that ended, by whose end it was: client or backend (closed or broke), idle (timeouts.tunnel_idle_ms), drain (weir stops), error.",
		labels: { by: ["client", "backend", "idle", "drain", "error"] },
	},
	weir_tunnels_refused_total: {
		kind: "counter",
		help: "Upgrades answered with 503 because their route has as many tunnels as max_tunnels allows.",
		labels: {},
	},
	weir_tunnel_bytes_total: {
		kind: "counter",
		help: "Bytes through tunnels, by direction: in from clients, out to clients; those of open ones are counted every five seconds.",
		labels: { direction: ["in", "out"] },
	},
} as const;
