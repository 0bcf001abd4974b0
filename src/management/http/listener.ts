/**
 * The management API's listening socket, plain or TLS, with the requests that came through it. A change of
 * certificates makes another one on the same port, because the HTTP library can't change those of an app; the first
 * finishes what it has begun. Made by `listeners.ts`.
 */
import type { TlsFiles, TlsSettings } from "../../config.ts";
import type { ConnectionBound } from "../../http/connection-bound.ts";
import { oneCertificateApp } from "../../http/tls/secure-app.ts";
import { App, type HttpRequest, type HttpResponse, type TemplatedApp } from "../../http/uws.ts";
import { LIMITS } from "../../limits/limits.ts";
import { listen } from "./listen.ts";
import type { Scheme } from "./origin.ts";

export interface ManagementTls {
	readonly files: TlsFiles;
	readonly settings: TlsSettings;
}

export interface ListenerOptions {
	readonly host: string;
	/** 0 picks a free one, which nobody can share, so that it can't be taken over */
	readonly port: number;
	/** undefined: plain HTTP */
	readonly tls: ManagementTls | undefined;
	/** bounds the connections, so that the supervisor keeps the descriptors that it needs */
	readonly connections: ConnectionBound | undefined;
}

/** Reads the request before it returns; the promise ends with the answer. Never rejects. */
export type Answer = (
	response: HttpResponse,
	request: HttpRequest,
	listener: ApiListener,
) => Promise<void>;

export class ApiListener {
	readonly scheme: Scheme;
	readonly #app: TemplatedApp;
	#socket: { readonly port: number; stop(): void } | undefined;
	#inFlight = 0;
	#onIdle: (() => void) | undefined;
	#isLeaving = false;
	#isClosed = false;

	/** @throws Error a certificate or the suites can't be used, or the address can't be listened on */
	static async open(options: ListenerOptions, answer: Answer): Promise<ApiListener> {
		const { host, port } = options;
		const listener = new ApiListener(options, answer);
		// Two share the port while the second takes over; whether it is free was found out at the start.
		const isShared = listener.scheme === "https";
		listener.#socket = await listen(listener.#app, host, port, isShared);
		return listener;
	}

	private constructor({ tls, connections }: ListenerOptions, answer: Answer) {
		this.scheme = tls === undefined ? "http" : "https";
		this.#app = tls === undefined ? App() : oneCertificateApp(tls.files, tls.settings);
		this.#app.any("/*", (response, request) => {
			this.#inFlight += 1;
			void answer(response, request, this).finally(() => this.#ended());
		});
		connections?.guard(this.#app);
	}

	/** 0 once it does not listen any more */
	get port(): number {
		return this.#socket?.port ?? 0;
	}

	/** Another one has taken over: clients are to open new connections. */
	get isLeaving(): boolean {
		return this.#isLeaving;
	}

	/** Another one listens: stops right after the library has accepted whoever was queued, who would be sent away. */
	async stopAccepting(): Promise<void> {
		this.#isLeaving = true;
		// The second comes after a look at all sockets.
		for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
		this.#stop();
	}

	/** Resolves when all is answered and idle clients have had their time to leave. */
	async finish(): Promise<void> {
		do {
			await this.#idle();
			await new Promise((resolve) => setTimeout(resolve, LIMITS.managementDrainMs).unref());
		} while (this.#inFlight > 0);
		this.#close();
	}

	/** Stops listening, lets requests in flight finish, for `LIMITS.managementDrainMs` at most, closes all. */
	async close(): Promise<void> {
		this.#stop();
		await this.#idle(LIMITS.managementDrainMs);
		this.#close();
	}

	#stop(): void {
		this.#socket?.stop();
		this.#socket = undefined;
	}

	#close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#app.close();
	}

	#ended(): void {
		this.#inFlight -= 1;
		if (this.#inFlight === 0) this.#onIdle?.();
	}

	/** Resolves when no request is in flight, or has been for too long. */
	#idle(mostMs?: number): Promise<void> {
		if (this.#inFlight === 0) return Promise.resolve();
		return new Promise((resolve) => {
			const before = this.#onIdle;
			const deadline = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
			this.#onIdle = () => {
				before?.();
				clearTimeout(deadline);
				resolve();
			};
		});
	}
}
