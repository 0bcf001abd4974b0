/**
 * The part of the addon that moves the bytes of tunnels (native/README.md, "Tunnels"). Its typed face is
 * `http/tunnels.ts`. A part of `NativeAddon` (`native-addon.ts`).
 */

/** Of all tunnels: bytes of a client that the kernel keeps, bytes of a backend that are read at a time, and milliseconds. */
export interface TunnelBounds {
	readonly clientBytes: number;
	readonly backendBytes: number;
	/** for the last bytes of a tunnel whose client has gone, and for both ends of one that was drained */
	readonly lingerMs: number;
}

/** What the addon tells, by a tunnel's number. All but `ended` only of tunnels that `openPortTunnel` made. */
export interface TunnelsHear {
	/** Once, and the last. @param by one of `tunnelEndings` */
	ended(tunnel: number, by: number, bytesIn: number, bytesOut: number): void;
	/** Of the client. */
	received(tunnel: number, chunk: Uint8Array): void;
	clientEnded(tunnel: number): void;
	/** `writeTunnel` has returned false, and the client has taken everything since. */
	room(tunnel: number): void;
}

/** A tunnel that is over is no mistake; its number is used again, not before the next tick. */
export interface TunnelsAddon {
	/** Once, when the front is open. */
	openTunnels(bounds: TunnelBounds, hears: TunnelsHear): void;
	/**
	 * Answers the pending request of a client's connection (`FrontAddon`) with 101, and joins the two.
	 * @param call of the upstream client, of which `kind.upgraded` was told, and as many times `upgradedSerialOne` as
	 *   the word `backend` said
	 * @returns the tunnel; -1, and nothing is done, if client or backend has gone
	 */
	openTunnel(
		connection: number,
		head: string,
		idleMs: number,
		isWebSocket: boolean,
		call: number,
	): number;
	openPortTunnel(connection: number, head: string, idleMs: number, isWebSocket: boolean): number;
	/** As `abort`, for a `call` as `openTunnel` takes it, at any time. */
	abortUpgraded(call: number): void;
	readonly upgradedSerialOne: number;
	drainTunnel(tunnel: number): void;
	closeTunnel(tunnel: number): void;
	/** @returns -1: it is over */
	bytesOfTunnel(tunnel: number, out: boolean): number;
	/** Of a port's backend. @returns false: `room` follows */
	writeTunnel(tunnel: number, bytes: Uint8Array): boolean;
	/** A port's backend has ended its side. */
	endTunnel(tunnel: number): void;
	/** A port's backend has gone. */
	breakTunnel(tunnel: number): void;
	/** Whether a port takes more of the client. */
	pauseTunnel(tunnel: number, paused: boolean): void;
	tickTunnels(): void;
	readonly tunnelEndings: Readonly<
		Record<"client" | "backend" | "idle" | "drain" | "error", number>
	>;
}
