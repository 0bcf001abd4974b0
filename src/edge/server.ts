/**
 * The listeners of the data path: one uWebSockets.js app each, plain or TLS with certificates by SNI.
 * Copies what a request brought while the library's handler runs, refuses what `arrival.ts` refuses, and
 * hands the rest to the pipeline.
 */
import type { Listener, TlsFiles } from "../config.ts";
import {
	App,
	type HttpRequest,
	type HttpResponse,
	SSLApp,
	type TemplatedApp,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../uws.ts";
import { type ArrivedHeader, inspect, type Refusal } from "./arrival.ts";
import { certificateNames } from "./certificates.ts";
import { type Door, Exchange } from "./exchange.ts";
import { badRequest } from "./own-answers.ts";
import { addressOf } from "./peer-address.ts";
import type { Pipeline } from "./pipeline.ts";
import { writeAnswer, writeRefusal } from "./reply.ts";
import { RequestHeader } from "./request-header.ts";
import type { Services } from "./services.ts";

const NO_PROXY_HEADER: Refusal = {
	answer: badRequest(400, "the connection has no PROXY protocol header"),
	inStep: false,
};

export class Server {
	readonly #listener: Listener;
	readonly #pipeline: Pipeline;
	readonly #services: Services;
	readonly #app: TemplatedApp;
	readonly #header = new RequestHeader();
	#socket: us_listen_socket | undefined;
	#port: number;

	/** @throws Error if a certificate can't be used */
	constructor(listener: Listener, pipeline: Pipeline, services: Services) {
		this.#listener = listener;
		this.#port = listener.port;
		this.#pipeline = pipeline;
		this.#services = services;
		const [first] = listener.tls;
		if (first === undefined) {
			this.#app = App();
			this.#register(this.#app, "");
		} else {
			this.#app = this.#secureApp(first);
		}
		services.connections?.guard(this.#app);
	}

	/** as bound, once it listens */
	get port(): number {
		return this.#port;
	}

	/** @throws Error if the address can't be bound */
	listen(): Promise<void> {
		const { host, port } = this.#listener;
		return new Promise((resolve, reject) => {
			this.#app.listen(host, port, (socket) => {
				if (!socket) {
					reject(new Error(`can't listen on ${host} port ${port}: in use or not permitted`));
					return;
				}
				this.#socket = socket;
				this.#port = us_socket_local_port(socket);
				resolve();
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
	}

	/** The first certificate answers names that none has. */
	#secureApp(first: TlsFiles): TemplatedApp {
		const certificates = this.#listener.tls.map((files) => ({
			files,
			names: certificateNames(files),
		}));
		const app = SSLApp({ cert_file_name: first.cert, key_file_name: first.key });
		this.#register(app, "");
		const taken = new Set<string>();
		for (const { files, names } of certificates) {
			for (const name of names) {
				if (taken.has(name)) continue;
				taken.add(name);
				app.addServerName(name, { cert_file_name: files.cert, key_file_name: files.key });
				// Each name has its own handlers; without them its requests would hang.
				this.#register(app.domain(name), name.startsWith("*") ? "" : name);
			}
		}
		return app;
	}

	#register(app: TemplatedApp, sni: string): void {
		const server = this;
		const door: Door = {
			listener: this.#listener,
			scheme: this.#listener.tls.length > 0 ? "https" : "http",
			get port() {
				return server.#port;
			},
			sni,
		};
		app.any("/*", (response, request) => this.#handle(door, response, request));
	}

	/** Hot. The request is valid only until this returns. */
	#handle(door: Door, response: HttpResponse, request: HttpRequest): void {
		// `getMethod` would turn the method into lower case for good.
		const method = request.getCaseSensitiveMethod();
		// Undefined where the target holds no `?`, which the library's types don't say.
		const rawQuery = request.getQuery() as string | undefined;
		const rawPath = request.getUrl();
		const arrival = inspect(method, rawPath, rawQuery, this.#read(request));
		if ("answer" in arrival) this.#refuse(response, method, rawPath, arrival);
		else if (this.#listener.proxyProtocol && response.getProxiedRemoteAddress().byteLength === 0) {
			this.#refuse(response, method, rawPath, NO_PROXY_HEADER);
		} else this.#pipeline.run(new Exchange(response, door, arrival, this.#services));
	}

	/** Hot. */
	#read(request: HttpRequest): ArrivedHeader {
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
		{ answer, inStep }: Refusal,
	): void {
		const peer = addressOf(response.getRemoteAddress());
		this.#services.refused(answer.statusCode, method, rawPath, peer);
		if (inStep) writeAnswer(response, method, answer, true);
		else writeRefusal(response, method, answer);
	}
}
