/**
 * The management API's server (contract 2): from a request of the HTTP library to an answer, whatever
 * happens in between. Started by process/ in the supervisor.
 */
import type { ConnectionBound } from "../http/connection-bound.ts";
import { CHUNKED } from "../http/framing.ts";
import { App, type HttpRequest, type HttpResponse } from "../http/uws.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Context } from "./context.ts";
import { admit, bodyLengthOf, FramingError } from "./http/admission.ts";
import { Authenticator } from "./http/auth.ts";
import { IncomingBody } from "./http/body.ts";
import { listen } from "./http/listen.ts";
import { asApiError, errorReply, type Reply } from "./http/reply.ts";
import { ApiRequest } from "./http/request.ts";
import { MethodNotAllowed, Router } from "./http/router.ts";
import { writeReply } from "./http/write.ts";
import { operationRoutes } from "./operations.ts";
import { EDGES_PATH, edgeListMethods, edgeMethods } from "./resources/edges.ts";
import { policyMethods } from "./resources/policies.ts";
import { POLICIES_PATH, policyListMethods } from "./resources/policy-list.ts";
import { routeListMethods, routeMethods } from "./resources/routes.ts";
import { trafficPolicyMethods } from "./resources/traffic-policy.ts";

export interface ManagementOptions extends Context {
	readonly host: string;
	/** 0 picks a free one */
	readonly port: number;
	/** `WEIR_API_KEY`, valid beside the keys of the store */
	readonly configuredKey: string | undefined;
	/** bounds the connections, so that the supervisor keeps the descriptors that it needs */
	readonly connections?: ConnectionBound;
	readonly log: { error(fields: object, message: string): void };
}

export interface Management {
	readonly port: number;
	/** Stops listening, lets requests in flight finish (at most `LIMITS.managementDrainMs`), closes all. */
	close(): Promise<void>;
}

/** @throws Error the address can't be listened on */
export async function startManagement(options: ManagementOptions): Promise<Management> {
	const app = App();
	const server = new ManagementServer(options);
	options.connections?.guard(app);
	app.any("/*", (response, request) => server.accept(response, request));
	const listening = await listen(app, options.host, options.port);
	const stop = async () => {
		listening.stop();
		await server.idle();
		app.close();
	};
	let stopping: Promise<void> | undefined;
	return {
		port: listening.port,
		close: () => {
			stopping ??= stop();
			return stopping;
		},
	};
}

const edgePath = `${EDGES_PATH}/{edge_id}`;

const routerOf = (context: Context): Router =>
	new Router([
		{ pattern: `${edgePath}/routes/{id}/policy`, methods: policyMethods(context) },
		{
			pattern: `${edgePath}/routes/{id}/traffic_policy`,
			methods: trafficPolicyMethods(context),
		},
		{ pattern: `${edgePath}/routes/{id}`, methods: routeMethods(context) },
		{ pattern: `${edgePath}/routes`, methods: routeListMethods(context) },
		{ pattern: edgePath, methods: edgeMethods(context) },
		{ pattern: EDGES_PATH, methods: edgeListMethods(context) },
		{ pattern: POLICIES_PATH, methods: policyListMethods(context) },
		...operationRoutes(context),
	]);

class ManagementServer {
	readonly #options: ManagementOptions;
	readonly #authenticator: Authenticator;
	readonly #router: Router;
	#inFlight = 0;
	#onIdle: (() => void) | undefined;

	constructor(options: ManagementOptions) {
		this.#options = options;
		this.#authenticator = new Authenticator(options.store, options.configuredKey);
		this.#router = routerOf(options);
	}

	accept(response: HttpResponse, request: HttpRequest): void {
		const copied = new ApiRequest(request);
		const body = new IncomingBody(response);
		this.#inFlight += 1;
		void this.#answer(response, copied, body).finally(() => {
			this.#inFlight -= 1;
			if (this.#inFlight === 0) this.#onIdle?.();
		});
	}

	/** Resolves when no request is in flight, or has been for too long. */
	idle(): Promise<void> {
		if (this.#inFlight === 0) return Promise.resolve();
		return new Promise((resolve) => {
			const deadline = setTimeout(resolve, LIMITS.managementDrainMs);
			this.#onIdle = () => {
				clearTimeout(deadline);
				resolve();
			};
		});
	}

	async #answer(response: HttpResponse, request: ApiRequest, body: IncomingBody): Promise<void> {
		let bodyLength = 0;
		let reply: Reply;
		let mustClose = false;
		try {
			bodyLength = bodyLengthOf(request);
			reply = (await this.#handle(request, body, bodyLength)) ?? NOBODY;
		} catch (error) {
			reply = this.#failure(error, request);
			// a body of unknown or great length is not read to its end just to keep the connection
			const isLong = bodyLength === CHUNKED || bodyLength > this.#options.limits.policyBytes;
			const isTooMuch = reply.status === 413 || (isLong && !body.isComplete);
			mustClose = isTooMuch || error instanceof FramingError || reply.status === 408;
			// after a framing error nothing is read any more: the rest might pass for a request
			if (isTooMuch) await body.discard();
		}
		if (!body.isAborted) writeReply(response, request, reply, mustClose);
	}

	/** The synchronous part ends where the body is waited for. @returns undefined if the client is gone */
	async #handle(
		request: ApiRequest,
		body: IncomingBody,
		bodyLength: number,
	): Promise<Reply | undefined> {
		const limit = this.#options.limits.policyBytes;
		const { handler, ids } = admit(request, bodyLength, this.#authenticator, this.#router, limit);
		const bytes = handler.takesBody ? await body.receive(limit) : EMPTY;
		if (bytes === undefined) return undefined;
		this.#options.store.refresh();
		return handler.run(request, ids, bytes);
	}

	#failure(error: unknown, request: ApiRequest): Reply {
		const known = asApiError(error);
		if (known.code === "ERR_INTERNAL" || known.code === "ERR_STORE_FULL") {
			const { id, method, path } = request;
			this.#options.log.error(
				{ err: error, operation_id: `op_${id}`, method, path },
				"management request failed",
			);
		}
		const headers = error instanceof MethodNotAllowed ? { allow: error.allow } : {};
		return errorReply(known, request.id, headers);
	}
}

const EMPTY = new Uint8Array();
/** never written: the client is gone */
const NOBODY: Reply = { status: 499, headers: {}, body: undefined };
