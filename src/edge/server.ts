/**
 * A listener of the data path: one uWebSockets.js app, plain or TLS with certificates by SNI, whose requests the front
 * hands over, or the library where there is none. It copies what a request brought while its handler runs, refuses what
 * `request/request-head.ts` refuses, and hands the rest to the pipeline. Made by `edge.ts`.
 */
import type { Config, Listener } from "../config.ts";
import type { ClientConnection } from "../http/client-connection.ts";
import type { ClientResponse } from "../http/client-response.ts";
import type { Front } from "../http/front.ts";
import type { FrontConnection } from "../http/front-connection.ts";
import { descriptorOf, openListener } from "../http/inherited-listener.ts";
import { LibraryConnection } from "../http/library-connection.ts";
import { secureApp } from "../http/tls/secure-app.ts";
import {
	App,
	type HttpRequest,
	type HttpResponse,
	type TemplatedApp,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../http/uws.ts";
import { series } from "../telemetry/metrics.ts";
import { readTicks } from "../telemetry/request-clock.ts";
import { Exchange } from "./exchange.ts";
import type { ListenerContext } from "./listener-context.ts";
import type { Pipeline } from "./pipeline.ts";
import { FrontHeader } from "./request/front-header.ts";
import { HeaderReader } from "./request/header-reader.ts";
import { ProxyFrames, SECOND_FRAME } from "./request/proxy-frames.ts";
import { checkRequest, type Refusal } from "./request/request-head.ts";
import { writeRefusal, writeReply } from "./response/write-response.ts";
import type { Services } from "./services.ts";
import type { WorkerTickets } from "./tls/worker-tickets.ts";

const UNDERSCORED = "weir_underscored_fields_total";

export class Server {
	readonly #listener: Listener;
	readonly #pipeline: Pipeline;
	readonly #services: Services;
	readonly #app: TemplatedApp;
	readonly #header: HeaderReader;
	readonly #config: Config;
	/** for all names, since the front knows which was asked for */
	#context: ListenerContext | undefined;
	/** unless the library reads clients alone */
	#front: Front | undefined;
	#frontHeader: FrontHeader | undefined;
	/** on listeners with `proxy_protocol` */
	#frames: ProxyFrames | undefined;
	#sockets: us_listen_socket[] = [];
	#port: number;
	/** for requests that name no host */
	#ownHost = "";

	/** @throws Error if a certificate or the cipher suites can't be used */
	constructor(listener: Listener, config: Config, pipeline: Pipeline, services: Services) {
		this.#listener = listener;
		this.#port = listener.port;
		this.#pipeline = pipeline;
		this.#services = services;
		this.#config = config;
		const action = config.underscoresInHeaders;
		const underscored = services.metrics.counter(series(UNDERSCORED, { action }));
		this.#header = new HeaderReader(action, underscored);
		const register = (app: TemplatedApp, sni: string): void => this.#register(app, sni);
		const secure = secureApp(listener.tls, config.tls, register);
		this.#app = secure ?? App();
		if (secure === undefined) register(this.#app, "");
		services.connections?.guard(this.#app, () => this.#ownHost);
	}

	/** as bound, once it listens */
	get port(): number {
		return this.#port;
	}

	/** once it listens */
	get hasFront(): boolean {
		return this.#front !== undefined;
	}

	/**
	 * @param inherited descriptors to accept from, instead of a socket of its own
	 * @throws Error if the address can't be bound, or PROXY protocol can't be read
	 */
	async listen(tickets: WorkerTickets, inherited: readonly number[] = []): Promise<void> {
		const giveKeys = await tickets.prepare(this.#listener);
		const sockets = inherited.length === 0 ? [undefined] : inherited;
		for (const socket of sockets) {
			await openListener(this.#app, this.#listener, socket, (token) => {
				this.#sockets.push(token);
				if (this.#sockets.length === 1) this.#begin(token, giveKeys);
			}).catch((error: unknown) => {
				this.stopAccepting();
				throw error;
			});
		}
	}

	/** What all connections of the app have in common. */
	#begin(token: us_listen_socket, giveKeys: (token: us_listen_socket) => void): void {
		const { host, proxyProtocol } = this.#listener;
		this.#port = us_socket_local_port(token);
		this.#ownHost = `${host.includes(":") ? `[${host}]` : host}:${this.#port}`;
		giveKeys(token);
		this.#hookFront(token);
		if (proxyProtocol) {
			this.#frames = new ProxyFrames(token, `${host} port ${this.#port}`, this.#services);
		}
	}

	/** What it accepts from. */
	get descriptors(): readonly number[] {
		return this.#sockets.map(descriptorOf).filter((each) => each !== undefined);
	}

	stopAccepting(): void {
		for (const socket of this.#sockets.splice(0)) us_listen_socket_close(socket);
	}

	/** Closes every connection. */
	close(): void {
		this.#sockets = [];
		this.#app.close();
		this.#frames?.close();
	}

	#register(app: TemplatedApp, sni: string): void {
		const server = this;
		const listenerContext: ListenerContext = {
			listener: this.#listener,
			scheme: this.#listener.tls.length > 0 ? "https" : "http",
			get port() {
				return server.#port;
			},
			sni,
		};
		if (sni === "") this.#context = listenerContext;
		// Not called where there is a front.
		app.any("/*", (response, request) => this.#handleAlone(listenerContext, response, request));
	}

	/** Before PROXY protocol, which is read before all else. */
	#hookFront(socket: us_listen_socket): void {
		const { front } = this.#services;
		const { timeouts, limits } = this.#config;
		const { host, tls, proxyProtocol } = this.#listener;
		const settings = { ...timeouts, ...limits, proxyProtocol };
		if (front?.hook(socket, tls.length > 0, settings, this.#serve) !== true) {
			if (this.#config.front === "on") {
				this.#services.frontMissing(`${host} port ${this.#port}`);
			}
			return;
		}
		this.#services.connectionLimits?.listening(this.#ownHost);
		this.#front = front;
		this.#frontHeader = new FrontHeader(front, this.#header);
	}

	/** Hot. Where there is a front. */
	readonly #serve = (response: ClientResponse, client: FrontConnection): void => {
		const header = this.#frontHeader;
		const listenerContext = this.#context;
		if (header === undefined || listenerContext === undefined) throw new Error("not hooked");
		const refusal = header.refusal();
		if (refusal !== undefined) {
			this.#refuse(response, header, refusal, client);
			return;
		}
		const parsed = header.read(this.#ownHost);
		const { method, rawPath, rawQuery } = header;
		const head = checkRequest(method, rawPath, rawQuery, parsed, this.#config.allowTrace);
		if ("reply" in head) this.#refuse(response, header, head, client);
		else this.#pipeline.run(new Exchange(response, listenerContext, head, this.#services, client));
	};

	/** Hot. Where there is no front. The request is valid only until this returns. */
	#handleAlone(
		listenerContext: ListenerContext,
		response: HttpResponse,
		request: HttpRequest,
	): void {
		readTicks();
		// `getMethod` would change the method to lower case, also for later reads.
		const method = request.getCaseSensitiveMethod();
		// Undefined where the target holds no `?`, which the library's types don't say.
		const rawQuery = request.getQuery() as string | undefined;
		const rawPath = request.getUrl();
		const header = this.#header;
		header.clear();
		request.forEach(header.add);
		const head = checkRequest(method, rawPath, rawQuery, header, this.#config.allowTrace);
		const client = new LibraryConnection(response, this.#frames?.peer());
		const line = { method, rawPath };
		if ("reply" in head) this.#refuse(response, line, head, client);
		else if (this.#frames?.sawAnother(response) === true) {
			this.#refuse(response, line, SECOND_FRAME, client);
		} else
			this.#pipeline.run(new Exchange(response, listenerContext, head, this.#services, client));
	}

	#refuse(
		response: ClientResponse,
		{ method, rawPath }: { readonly method: string; readonly rawPath: string },
		{ reply, inStep }: Refusal,
		client: ClientConnection,
	): void {
		this.#services.refused(reply.statusCode, method, rawPath, client.address);
		if (inStep || client.isFront) writeReply(response, method, reply, true, client);
		else writeRefusal(response, method, reply, client);
	}
}
