/**
 * PROXY protocol on one listener: whose requests they are, as the proxy in front says in the first bytes of a
 * connection. The addon takes that frame away below TLS and before the server library reads anything
 * (native/README.md, "The front"), because the library itself would take a client's frame before every request.
 * Used by `server.ts` for listeners with `proxy_protocol`.
 */

import { type HttpResponse, libraryFile, type us_listen_socket } from "../../http/uws.ts";
import { addon } from "../../native-addon.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Counter, Metrics } from "../../telemetry/metrics.ts";
import { badRequest } from "../response/own-answers.ts";
import { addressIn } from "./peer-address.ts";

/** Who connected to the proxy; undefined wherever it stands: the peer itself is meant. */
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
	answer: badRequest(400, "a PROXY protocol header is read only where the connection begins"),
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

	/** Hot. Within a request's handler. @returns undefined: it is the proxy's own, and it is the peer itself */
	peer(): ProxiedPeer | undefined {
		const size = addon.proxiedPeer();
		if (size === 0) return undefined;
		// Only if the library called a handler while it read nothing: whose request that is can't be told.
		if (size === -1) return NOBODY;
		return {
			address: addressIn(bytes, size),
			port: ((bytes[LAYOUT.portAt] ?? 0) << 8) | (bytes[LAYOUT.portAt + 1] ?? 0),
		};
	}

	/**
	 * Hot. The library has read a frame of its own, which no proxy sent: it keeps the address of the last one
	 * before a request, and never sees the connection's first.
	 */
	sawAnother(response: HttpResponse): boolean {
		return response.getProxiedRemoteAddress().byteLength > 0;
	}

	close(): void {
		clearInterval(this.#timer);
		this.#report();
	}

	/** One line for as many as there were. */
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
