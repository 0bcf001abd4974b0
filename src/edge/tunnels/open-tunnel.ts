/**
 * A tunnel while it is open: what its line in the log will say, and which of its bytes have been counted. There may be
 * 10,000s for days, so it keeps these texts and nothing else of its request. Made by `tunnels.ts`.
 */
import type { Tunnel, TunnelEnd } from "../../http/tunnel.ts";
import { ownCopy } from "../../own-copy.ts";

/** Of the request that became a tunnel. */
export interface TunneledRequest {
	readonly edgeId: string;
	readonly routeId: string;
	readonly host: string;
	readonly loggedIp: string;
	readonly head: { readonly rawPath: string };
}

export class OpenTunnel {
	readonly edgeId: string;
	readonly routeId: string;
	/** a line in the log tells its end whatever `log.access` says, as one told of its request */
	readonly isLogged: boolean;
	/** undefined before it is open */
	tunnel: Tunnel | undefined;
	/** that were counted */
	bytesIn = 0;
	bytesOut = 0;
	readonly #host: string;
	readonly #path: string;
	readonly #clientIp: string;
	readonly #protocol: string;
	readonly #openedMs: number;

	constructor(request: TunneledRequest, protocol: string, isLogged: boolean, nowMs: number) {
		this.edgeId = request.edgeId;
		this.routeId = request.routeId;
		this.isLogged = isLogged;
		this.#host = ownCopy(request.host);
		this.#path = ownCopy(request.head.rawPath);
		this.#clientIp = request.loggedIp;
		this.#protocol = ownCopy(protocol);
		this.#openedMs = nowMs;
	}

	/** Fields of its line in the log. */
	line({ by, bytesIn, bytesOut }: TunnelEnd, nowMs: number): object {
		return {
			edge: this.edgeId,
			route: this.routeId,
			protocol: this.#protocol,
			host: this.#host,
			path: this.#path,
			client_ip: this.#clientIp,
			ended_by: by,
			duration_ms: nowMs - this.#openedMs,
			bytes_in: bytesIn,
			bytes_out: bytesOut,
		};
	}
}
