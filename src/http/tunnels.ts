/**
 * The tunnels of this process: the addon moves their bytes, and tells of their ends by their numbers. Used by
 * `front-response.ts`, which opens them, and `front.ts`, whose clock is theirs as well.
 */
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import type { FrontConnection } from "./front-connection.ts";
import type { BackendPort, PortTunnel, Tunnel, TunnelEnding, TunnelStart } from "./tunnel.ts";

/** by the number that the addon has for them */
const ENDINGS: TunnelEnding[] = [];
for (const name of Object.keys(addon.tunnelEndings) as TunnelEnding[]) {
	ENDINGS[addon.tunnelEndings[name]] = name;
}

class OpenTunnel implements Tunnel {
	protected number = -1;
	readonly #start: TunnelStart;
	#bytesIn = 0;
	#bytesOut = 0;

	constructor(start: TunnelStart) {
		this.#start = start;
	}

	get bytesIn(): number {
		return Math.max(this.#bytesIn, this.#bytesOf(false));
	}
	get bytesOut(): number {
		return Math.max(this.#bytesOut, this.#bytesOf(true));
	}
	drain(): void {
		if (this.number >= 0) addon.drainTunnel(this.number);
	}
	close(): void {
		if (this.number >= 0) addon.closeTunnel(this.number);
	}

	opened(number: number): void {
		this.number = number;
	}
	ended(by: TunnelEnding, bytesIn: number, bytesOut: number): void {
		this.number = -1;
		this.#bytesIn = bytesIn;
		this.#bytesOut = bytesOut;
		this.#start.onEnd({ by, bytesIn, bytesOut });
	}
	/** Only those of ports hear these. */
	received(_chunk: Uint8Array): void {}
	clientEnded(): void {}
	room(): void {}

	#bytesOf(out: boolean): number {
		return this.number < 0 ? -1 : addon.bytesOfTunnel(this.number, out);
	}
}

class OpenPortTunnel extends OpenTunnel implements PortTunnel {
	readonly #backend: BackendPort;

	constructor(start: TunnelStart, backend: BackendPort) {
		super(start);
		this.#backend = backend;
	}

	write(chunk: Uint8Array): boolean {
		return this.number < 0 || addon.writeTunnel(this.number, chunk);
	}
	end(): void {
		if (this.number >= 0) addon.endTunnel(this.number);
	}
	abort(): void {
		if (this.number >= 0) addon.breakTunnel(this.number);
	}
	resume(): void {
		if (this.number >= 0) addon.pauseTunnel(this.number, false);
	}

	override ended(by: TunnelEnding, bytesIn: number, bytesOut: number): void {
		this.number = -1;
		this.#backend.onClose();
		super.ended(by, bytesIn, bytesOut);
	}
	override received(chunk: Uint8Array): void {
		if (!this.#backend.onData(chunk) && this.number >= 0) addon.pauseTunnel(this.number, true);
	}
	override clientEnded(): void {
		this.#backend.onClientEnd();
	}
	override room(): void {
		this.#backend.onRoom();
	}
}

/** by the addon's number */
const open: (OpenTunnel | undefined)[] = [];
let begun = false;

function begin(): void {
	if (begun) return;
	begun = true;
	const bounds = {
		clientBytes: LIMITS.tunnelClientBytes,
		backendBytes: LIMITS.tunnelBackendBytes,
		lingerMs: LIMITS.lingerMs,
	};
	addon.openTunnels(bounds, {
		ended: (number, by, bytesIn, bytesOut) => {
			const tunnel = open[number];
			open[number] = undefined;
			tunnel?.ended(ENDINGS[by] ?? "error", bytesIn, bytesOut);
		},
		received: (number, chunk) => open[number]?.received(chunk),
		clientEnded: (number) => open[number]?.clientEnded(),
		room: (number) => open[number]?.room(),
	});
}

/** @param call of the native client @returns undefined, and nothing was done, if the client or the backend has gone */
export function openTunnel(
	client: FrontConnection,
	start: TunnelStart,
	call: number,
): Tunnel | undefined {
	begin();
	const { head, idleMs, isWebSocket } = start;
	const number = addon.openTunnel(client.handle, head, idleMs, isWebSocket, call);
	if (number < 0) return undefined;
	const tunnel = new OpenTunnel(start);
	tunnel.opened(number);
	open[number] = tunnel;
	return tunnel;
}

/** What the client has said already is the backend's before this returns. */
export function openPortTunnel(
	client: FrontConnection,
	start: TunnelStart,
	backend: BackendPort,
): PortTunnel | undefined {
	begin();
	const { head, idleMs, isWebSocket } = start;
	const number = addon.openPortTunnel(client.handle, head, idleMs, isWebSocket);
	if (number < 0) return undefined;
	const tunnel = new OpenPortTunnel(start, backend);
	tunnel.opened(number);
	open[number] = tunnel;
	addon.pauseTunnel(number, false);
	return tunnel;
}

/** To be called some ten times a second. */
export function tickTunnels(): void {
	if (begun) addon.tickTunnels();
}
