/** A tunnel that does as the test says, and the response that opens it. */
import type {
	BackendPort,
	PortTunnel,
	TunnelEnding,
	TunnelStart,
} from "../../../src/http/tunnel.ts";
import type { UpgradedBackend } from "../../../src/upstream/upstream.ts";

export class FakeTunnel implements PortTunnel {
	bytesIn = 0;
	bytesOut = 0;
	readonly did: string[] = [];
	/** what `write` says */
	hasRoom = true;
	readonly start: TunnelStart;
	readonly port: BackendPort | undefined;

	constructor(start: TunnelStart, port?: BackendPort) {
		this.start = start;
		this.port = port;
	}

	drain(): void {
		this.did.push("drain");
	}
	close(): void {
		this.did.push("close");
	}
	write(chunk: Uint8Array): boolean {
		this.did.push(`write ${Buffer.from(chunk)}`);
		return this.hasRoom;
	}
	end(): void {
		this.did.push("end");
	}
	abort(): void {
		this.did.push("abort");
	}
	resume(): void {
		this.did.push("resume");
	}

	over(by: TunnelEnding): void {
		const { bytesIn, bytesOut } = this;
		this.start.onEnd({ by, bytesIn, bytesOut });
	}
}

/** A response of the front's. */
export class FakeOpener {
	readonly tunnels: FakeTunnel[] = [];
	/** the client has gone */
	isGone = false;

	openTunnel(start: TunnelStart): FakeTunnel | undefined {
		return this.#opened(new FakeTunnel(start));
	}
	openPortTunnel(start: TunnelStart, port: BackendPort): FakeTunnel | undefined {
		return this.#opened(new FakeTunnel(start, port));
	}

	#opened(tunnel: FakeTunnel): FakeTunnel | undefined {
		if (this.isGone) return undefined;
		this.tunnels.push(tunnel);
		return tunnel;
	}
}

export const nativeBackend: UpgradedBackend = { call: 1, stream: undefined, abort() {} };
