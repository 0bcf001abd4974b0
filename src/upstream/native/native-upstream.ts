/**
 * The `Upstream` of a backend that speaks plain HTTP/1.1: the native client, with the addresses that
 * `../names/backend-addresses.ts` finds. Made by `../create-upstream.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { UpstreamBackendOptions } from "../../native-addon.ts";
import type { BackendDocument } from "../../store/resources.ts";
import type { AddressState } from "../../telemetry/traffic/backend-counts.ts";
import { backendOptions } from "../backend-options.ts";
import { BackendAddresses } from "../names/backend-addresses.ts";
import type { NameResolver } from "../names/name-resolver.ts";
import type { AddressNames } from "../trail.ts";
import type {
	ResponseSink,
	Upstream,
	UpstreamCall,
	UpstreamFactory,
	UpstreamFailure,
	UpstreamOptions,
	UpstreamRequest,
	UpstreamStates,
} from "../upstream.ts";
import { type BackendListener, type NativeClient, nativeClient } from "./client.ts";

/** Pipelined requests share connections, so that fewer do. */
const pipelinedOptions = (
	document: BackendDocument,
	options: UpstreamOptions,
): UpstreamBackendOptions => {
	const pipelining = document.pipelining ?? 1;
	const most = pipelining > 1 ? LIMITS.pipelinedConnections : options.connections;
	const connections = Math.min(options.connections, most);
	return { ...backendOptions(document, { ...options, connections }), pipelining };
};

/** of each address in what `takeStates` returns */
const STATE_NUMBERS = 5;

/** One backend. */
export class NativeUpstream implements Upstream, BackendListener, AddressNames {
	readonly tellsContinue = true;
	readonly #client: NativeClient;
	readonly #document: BackendDocument;
	readonly #options: UpstreamOptions;
	readonly #resolver: NameResolver;
	readonly #backend: number;
	readonly #addresses: BackendAddresses;
	#closing: Promise<void> | undefined;
	/** closed; another backend may have its number */
	#gone = false;
	#onClosed: () => void = () => {};

	constructor(document: BackendDocument, options: UpstreamOptions, resolver: NameResolver) {
		const client = nativeClient();
		const backend = client.openBackend(pipelinedOptions(document, options), this);
		this.#client = client;
		this.#document = document;
		this.#options = options;
		this.#resolver = resolver;
		this.#backend = backend;
		try {
			this.#addresses = new BackendAddresses(
				document.urls,
				resolver,
				(addresses) => client.setAddresses(backend, addresses),
				(message) => client.failWaiting(backend, message),
			);
		} catch (error) {
			client.closeBackend(backend);
			throw error;
		}
	}

	/** Hot. */
	send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
		if (this.#closing !== undefined) return this.#sendLate(request, sink);
		request.trail?.begin(this);
		return this.#client.send(this.#backend, request, sink);
	}

	/** A request that waited at the edge while its backend was closed gets a backend of its own. */
	#sendLate(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
		const late = new NativeUpstream(this.#document, this.#options, this.#resolver);
		const call = late.send(request, sink);
		void late.close();
		return call;
	}

	close(): Promise<void> {
		this.#closing ??= new Promise((resolve) => {
			this.#onClosed = resolve;
			this.#client.closeBackend(this.#backend);
		});
		return this.#closing;
	}

	get bodyBytes(): number {
		return this.#gone ? 0 : this.#client.bodyBytes(this.#backend);
	}
	get pressed(): number {
		return this.#gone ? 0 : this.#client.pressed(this.#backend);
	}
	get occupancy(): number {
		return this.#gone ? 0 : this.#client.occupancy(this.#backend);
	}

	takeStates(): UpstreamStates {
		if (this.#gone) return { waiting: 0, addresses: [] };
		const [waiting = 0, ...numbers] = this.#client.takeStates(this.#backend);
		const addresses: AddressState[] = [];
		for (let at = 0; at < numbers.length; at += STATE_NUMBERS) {
			const [id = -1, requests = 0, connections = 0, idle = 0, setAsideMs = 0] = numbers.slice(at);
			const address = this.#addresses.find(id)?.url ?? this.#document.urls.join(", ");
			addresses.push({ address, requests, connections, idle, setAsideMs });
		}
		return { waiting, addresses };
	}

	attemptFailed(failure: UpstreamFailure, address: number, message: string): void {
		// Without an address where no name of the backend is known.
		const url = this.#addresses.find(address)?.url ?? this.#document.urls.join(", ");
		this.#options.onAttemptFailed(failure, url, message);
	}

	/** For the access log and traces. */
	addressText(address: number): string {
		const found = this.#addresses.find(address);
		if (found === undefined) return "";
		const { ip, port } = found;
		return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
	}

	retried(): void {
		this.#options.onRetry();
	}

	closed(): void {
		this.#gone = true;
		this.#addresses?.close();
		this.#onClosed();
	}
}

/** @param resolver of the names of all backends. The factory throws for a URL that is none. */
export const nativeUpstreamFactory =
	(resolver: NameResolver): UpstreamFactory =>
	(document, options) =>
		new NativeUpstream(document, options, resolver);
