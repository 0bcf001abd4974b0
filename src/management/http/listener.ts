/**
 * The management API's listening socket, plain or TLS, with the requests that came through it. A change of
 * certificates makes another one on the same port, because the HTTP library can't change those of an app; the first
 * finishes what it has begun. Made by `listeners.ts`.
 */
import type { TlsFiles, TlsSettings } from "../../config.ts";
import type { ConnectionBound } from "../../http/connection-bound.ts";
import { Front, type FrontSettings, type Serve } from "../../http/front.ts";
import type { FrontState } from "../../http/front-telemetry.ts";
import { descriptorOf } from "../../http/inherited-listener.ts";
import { oneCertificateApp } from "../../http/tls/secure-app.ts";
import { App, type TemplatedApp, type us_listen_socket } from "../../http/uws.ts";
import { LIMITS } from "../../limits/limits.ts";
import { FrontRequests, fromLibrary, type Incoming } from "./incoming.ts";
import { listen, listenOn } from "./listen.ts";
import type { Scheme } from "./origin.ts";

export interface ManagementTls {
	readonly files: TlsFiles;
	readonly settings: TlsSettings;
}

export interface ListenerOptions {
	readonly host: string;
	/** 0 picks a free one, which nobody can share, so that it can't be taken over */
	readonly port: number;
	/** a socket that listens there already; it stays the caller's */
	readonly inherited?: number | undefined;
	/** the port is bound, by one who won't listen there, until this listens */
	readonly isHeld?: boolean | undefined;
	/** undefined: plain HTTP */
	readonly tls: ManagementTls | undefined;
	/** bounds the connections, so that the supervisor keeps the descriptors that it needs */
	readonly connections: ConnectionBound | undefined;
	/** undefined: the server library reads clients alone */
	readonly front: FrontSettings | undefined;
	/** told of the address where the front can't be had */
	readonly frontMissing?: ((address: string) => void) | undefined;
}

/** The promise ends with the answer. Never rejects. */
export type Answer = (incoming: Incoming, listener: ApiListener) => Promise<void>;

export class ApiListener {
	readonly scheme: Scheme;
	readonly #app: TemplatedApp;
	readonly #answer: Answer;
	#hasFront = false;
	#isFrontMissing = false;
	#socket: { readonly port: number; stop(): void } | undefined;
	#descriptor: number | undefined;
	readonly #connections = new Open();
	readonly #requests = new Open();
	#isLeaving = false;
	#isClosed = false;

	/** @throws Error a certificate or the suites can't be used, or the address can't be listened on */
	static async open(options: ListenerOptions, answer: Answer): Promise<ApiListener> {
		const { host, port, inherited, isHeld } = options;
		const listener = new ApiListener(options, answer);
		const begun = (socket: us_listen_socket, bound: number): void => {
			listener.#descriptor = descriptorOf(socket);
			listener.#hookFront(socket, bound, options);
		};
		// Two share the port while the second takes over; whether it is free was found out at the start.
		const isShared = listener.scheme === "https" || isHeld === true;
		listener.#socket =
			inherited === undefined
				? await listen(listener.#app, host, port, isShared, begun)
				: await listenOn(listener.#app, options, inherited, begun);
		return listener;
	}

	private constructor({ tls, connections }: ListenerOptions, answer: Answer) {
		this.scheme = tls === undefined ? "http" : "https";
		this.#app = tls === undefined ? App() : oneCertificateApp(tls.files, tls.settings);
		this.#answer = answer;
		this.#app.any("/*", (response, request) => this.#begin(fromLibrary(response, request)));
		this.#app.filter((_connection, change) => this.#connections.change(change));
		connections?.guard(this.#app);
	}

	/** who reads its clients */
	get front(): FrontState {
		if (this.#hasFront) return "on";
		return this.#isFrontMissing ? "unavailable" : "off";
	}

	/** of the socket that it accepts from, for another process; undefined: nobody can tell */
	get descriptor(): number | undefined {
		return this.#socket === undefined ? undefined : this.#descriptor;
	}

	/** 0 once it does not listen any more */
	get port(): number {
		return this.#socket?.port ?? 0;
	}

	#begin(incoming: Incoming): void {
		this.#requests.change(1);
		void this.#answer(incoming, this).finally(() => this.#requests.change(-1));
	}

	#hookFront(socket: us_listen_socket, port: number, options: ListenerOptions): void {
		const { host, front: settings, frontMissing } = options;
		const ownHost = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
		if (settings === undefined) return;
		const front = Front.open();
		const requests = front && new FrontRequests(front);
		const serve: Serve = (response, client) => {
			if (requests !== undefined) this.#begin(requests.read(response, client, ownHost));
		};
		// As much of a refused body is thrown away as without a front.
		const own = { ...settings, lingerBytes: LIMITS.discardBytes };
		this.#hasFront = front?.hook(socket, this.scheme === "https", own, serve) === true;
		if (this.#hasFront) return;
		this.#isFrontMissing = true;
		frontMissing?.(`${host} port ${port}`);
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
			await this.#requests.none();
			await new Promise((resolve) => setTimeout(resolve, LIMITS.managementDrainMs).unref());
		} while (this.#requests.areSome);
		this.#close();
	}

	/**
	 * Another process listens on the same socket: answers also those who have connected and whose request is on its way,
	 * for `LIMITS.managementLeaveMs` at most, before it closes.
	 */
	async leave(): Promise<void> {
		await this.stopAccepting();
		await this.#connections.none(LIMITS.managementLeaveMs);
		await this.close();
	}

	/** Stops listening, lets requests in flight finish, for `LIMITS.managementDrainMs` at most, closes all. */
	async close(): Promise<void> {
		this.#stop();
		await this.#requests.none(LIMITS.managementDrainMs);
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
}

/** How many are open, for who waits until none is. */
class Open {
	#count = 0;
	#waiting: (() => void)[] = [];

	get areSome(): boolean {
		return this.#count > 0;
	}

	change(by: number): void {
		this.#count += by;
		if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Resolves when none is, or some have been for too long. */
	none(mostMs?: number): Promise<void> {
		if (this.#count === 0) return Promise.resolve();
		return new Promise((resolve) => {
			const deadline = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
			this.#waiting.push(() => {
				clearTimeout(deadline);
				resolve();
			});
		});
	}
}
