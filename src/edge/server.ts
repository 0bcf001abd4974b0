/**
 * A listener of the data path: one uWebSockets.js app, plain or TLS with certificates by SNI. It copies what a
 * request brought while the library's handler runs, refuses what `request/request-head.ts` refuses, and hands the
 * rest to the pipeline. Made by `edge.ts`.
 */
import type { Config, Listener } from "../config.ts";
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
import { Exchange } from "./exchange.ts";
import type { ListenerContext } from "./listener-context.ts";
import type { Pipeline } from "./pipeline.ts";
import { HeaderReader } from "./request/header-reader.ts";
import { addressOf } from "./request/peer-address.ts";
import { type ProxiedPeer, ProxyFrames, SECOND_FRAME } from "./request/proxy-frames.ts";
import { checkRequest, type ParsedHeader, type Refusal } from "./request/request-head.ts";
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
	readonly #allowTrace: boolean;
	/** on listeners with `proxy_protocol` */
	#frames: ProxyFrames | undefined;
	#socket: us_listen_socket | undefined;
	#port: number;

	/** @throws Error if a certificate or the cipher suites can't be used */
	constructor(listener: Listener, config: Config, pipeline: Pipeline, services: Services) {
		this.#listener = listener;
		this.#port = listener.port;
		this.#pipeline = pipeline;
		this.#services = services;
		this.#allowTrace = config.allowTrace;
		const action = config.underscoresInHeaders;
		const underscored = services.metrics.counter(series(UNDERSCORED, { action }));
		this.#header = new HeaderReader(action, underscored);
		const register = (app: TemplatedApp, sni: string): void => this.#register(app, sni);
		const secure = secureApp(listener.tls, config.tls, register);
		this.#app = secure ?? App();
		if (secure === undefined) register(this.#app, "");
		services.connections?.guard(this.#app);
	}

	/** as bound, once it listens */
	get port(): number {
		return this.#port;
	}

	/** @throws Error if the address can't be bound, or PROXY protocol can't be read */
	async listen(tickets: WorkerTickets): Promise<void> {
		const { host, port, proxyProtocol } = this.#listener;
		const giveKeys = await tickets.prepare(this.#listener);
		await new Promise<void>((resolve, reject) => {
			this.#app.listen(host, port, (socket) => {
				if (!socket) {
					reject(new Error(`can't listen on ${host} port ${port}: in use or not permitted`));
					return;
				}
				this.#socket = socket;
				this.#port = us_socket_local_port(socket);
				giveKeys(socket);
				try {
					if (proxyProtocol) {
						this.#frames = new ProxyFrames(socket, `${host} port ${this.#port}`, this.#services);
					}
					resolve();
				} catch (error) {
					this.stopAccepting();
					reject(error as Error);
				}
			});
		});
	}

	stopAccepting(): void {
		if (this.#socket === undefined) return;
		us_listen_socket_close(this.#socket);
		this.#socket = undefined;
	}

	/** Closes every connection. */
	close(): void {
		this.#socket = undefined;
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
		app.any("/*", (response, request) => this.#handle(listenerContext, response, request));
	}

	/** Hot. The request is valid only until this returns. */
	#handle(listenerContext: ListenerContext, response: HttpResponse, request: HttpRequest): void {
		// `getMethod` would change the method to lower case, also for later reads.
		const method = request.getCaseSensitiveMethod();
		// Undefined where the target holds no `?`, which the library's types don't say.
		const rawQuery = request.getQuery() as string | undefined;
		const rawPath = request.getUrl();
		const header = this.#read(request);
		const head = checkRequest(method, rawPath, rawQuery, header, this.#allowTrace);
		const proxied = this.#frames?.peer();
		if ("reply" in head) this.#refuse(response, method, rawPath, head, proxied);
		else if (this.#frames?.sawAnother(response) === true) {
			this.#refuse(response, method, rawPath, SECOND_FRAME, proxied);
		} else
			this.#pipeline.run(new Exchange(response, listenerContext, head, this.#services, proxied));
	}

	/** Hot. */
	#read(request: HttpRequest): ParsedHeader {
		const view = this.#services.requestView;
		if (view?.read(request) === true) return view;
		const header = this.#header;
		header.clear();
		request.forEach(header.add);
		if (view?.hidesLines(request) === true) header.hidesLines();
		return header;
	}

	#refuse(
		response: HttpResponse,
		method: string,
		rawPath: string,
		{ reply, inStep }: Refusal,
		proxied: ProxiedPeer | undefined,
	): void {
		const peer = proxied?.address ?? addressOf(response.getRemoteAddress());
		this.#services.refused(reply.statusCode, method, rawPath, peer);
		if (inStep) writeReply(response, method, reply, true);
		else writeRefusal(response, method, reply);
	}
}
