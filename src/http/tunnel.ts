/**
 * A tunnel: what a client's connection becomes when its request to upgrade was answered with 101 (native/README.md,
 * "Tunnels"). From then on bytes go both ways as they are, through the addon and past JS. Opened by
 * `ClientResponse.openTunnel`, which only the front has; ended by whoever ends it first, and told once.
 */

/**
 * Whose end it was. `client`, `backend`: ended its side first, or its connection broke; `idle`: no byte in either
 * direction for too long; `drain`: `Tunnel.drain` was called; `error`: `Tunnel.close` was.
 */
export type TunnelEnding = "client" | "backend" | "idle" | "drain" | "error";

export interface TunnelEnd {
	readonly by: TunnelEnding;
	/** from the client, behind the request's header */
	readonly bytesIn: number;
	/** to the client, behind the 101's header */
	readonly bytesOut: number;
}

/** What the one who opens a tunnel decides. */
export interface TunnelStart {
	/** `101 Switching Protocols` and header lines, divided by CRLF, without one at the end, as latin1; the front adds `date` */
	readonly head: string;
	/** milliseconds without a byte in either direction, to a tenth of a second; 0: any time */
	readonly idleMs: number;
	/** the frames of both sides are counted off, so that `drain` can say goodbye between two */
	readonly isWebSocket: boolean;
	/** Called once, not from within `openTunnel`; maybe from within any other call of the tunnel. */
	onEnd(end: TunnelEnd): void;
}

export interface Tunnel {
	/** as `TunnelEnd`, so far; what they were last once it is over */
	readonly bytesIn: number;
	readonly bytesOut: number;
	/**
	 * Ends it in good order, as soon as that can be done. WebSocket: a close frame 1001 to each side that is between
	 * two frames, or when it is, and then the end of both connections; else: both sides' ends behind what is on its
	 * way. Who wants an end by some time calls `close` then.
	 */
	drain(): void;
	/** Both connections are dropped. */
	close(): void;
}

/** The backend's side where JS carries it, as it does for backends with TLS. */
export interface BackendPort {
	/** Bytes of the client, valid until this returns. @returns false: no more until `PortTunnel.resume` */
	onData(chunk: Uint8Array): boolean;
	/** The client has ended its side: no more `onData`. */
	onClientEnd(): void;
	/** After `PortTunnel.write` has returned false: there is room again. */
	onRoom(): void;
	/** The tunnel is over, whoever ended it: drop the backend's connection. `TunnelStart.onEnd` follows. */
	onClose(): void;
}

export interface PortTunnel extends Tunnel {
	/** Bytes of the backend, which are copied as far as they wait. @returns false: no more until `BackendPort.onRoom` */
	write(chunk: Uint8Array): boolean;
	/** The backend has ended its side. */
	end(): void;
	/** The backend's connection broke: drops the client's. */
	abort(): void;
	/** after `onData` returned false */
	resume(): void;
}
