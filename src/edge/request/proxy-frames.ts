/**
 * PROXY protocol on one listener: the proxy in front says in the first bytes of a connection who its client is. The
 * addon takes this frame away below TLS, before the server library reads anything (native/README.md, "The front"),
 * because the library itself would accept another frame, from the client, before every request. Used by `server.ts`
 * for listeners with `proxy_protocol`.
 */

import { addressIn } from "../../http/peer-address.ts";
import { type HttpResponse, libraryFile, type us_listen_socket } from "../../http/uws.ts";
import { addon } from "../../native-addon.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Counter, Metrics } from "../../telemetry/metrics.ts";
import { badRequest } from "../response/local-replies.ts";

/** The client of the proxy. Where it is undefined, the peer itself is the client. */
export interface ProxiedPeer {
	/** empty if it can't be told */
	readonly address: string;
	readonly port: number;
}

/** milliseconds between log lines about connections that were closed */
const REPORT_MS = 1000;

/** The addon writes here: an address, then the port in network order. */
const LAYOUT = addon.proxiedPeerLayout;
const bytes = new Uint8Array(LAYOUT.bytes);
const NOBODY: ProxiedPeer = { address: "", port: 0 };

export const SECOND_FRAME = {
	reply: badRequest(
		"ERR_BAD_REQUEST",
		"a PROXY protocol header is read only where the connection begins",
	),
	inStep: false,
};

export class ProxyFrames {
	readonly #listener: number;
	readonly #name: string;
	readonly #log: Log;
	readonly #counter: Counter;
	readonly #timer: NodeJS.Timeout;
	#reported = 0;

	/**
	 * To be made at once when the listener listens, before its first connection.
	 * @param name of the listener, for messages
	 * @throws Error if this build of the server library has no way to it
	 */
	constructor(
		token: us_listen_socket,
		name: string,
		{ metrics, log }: { metrics: Metrics; log: Log },
		file = libraryFile(),
	) {
		const listener = file === undefined ? -1 : addon.hookProxyFrames(file, token, bytes);
		if (listener === -1) throw new Error(notAvailable(name));
		this.#listener = listener;
		this.#name = name;
		this.#log = log;
		this.#counter = metrics.counter("weir_proxy_frames_refused_total");
		this.#timer = setInterval(() => this.#report(), REPORT_MS).unref();
	}

	/** Hot. To be called in a request's handler. @returns undefined if the proxy itself sent the request */
	peer(): ProxiedPeer | undefined {
		const size = addon.proxiedPeer();
		if (size === 0) return undefined;
		// The library called a handler while it read nothing, so nobody knows whose request it is.
		if (size === -1) return NOBODY;
		return {
			address: addressIn(bytes, size),
			port: ((bytes[LAYOUT.portAt] ?? 0) << 8) | (bytes[LAYOUT.portAt + 1] ?? 0),
		};
	}

	/**
	 * Hot. Whether the library has read a frame itself. The addon took the proxy's frame away, so the client sent
	 * this one.
	 */
	sawAnother(response: HttpResponse): boolean {
		return response.getProxiedRemoteAddress().byteLength > 0;
	}

	close(): void {
		clearInterval(this.#timer);
		this.#report();
	}

	/** One log line for all connections since the last one. */
	#report(): void {
		const refused = addon.refusedFrames(this.#listener);
		const connections = refused - this.#reported;
		if (connections === 0) return;
		this.#reported = refused;
		this.#counter.value += connections;
		const last = addon.lastRefusal(this.#listener);
		this.#log.warn(
			{ listener: this.#name, connections, last },
			"connections closed that didn't begin with a good PROXY protocol header",
		);
	}
}

const notAvailable = (listener: string): string =>
	`${listener}: PROXY protocol is not available with this build of the server library, which would let clients forge it; have the proxy send x-forwarded-for and name its address in trusted_proxies`;
