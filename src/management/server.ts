/**
 * The management API's server (contract 2): from a request of the HTTP library to an answer, whatever
 * happens in between. Started by process/ in the supervisor.
 */
import type { ErrorCode } from "../error-code-origins.ts";
import type { ApiError } from "../errors.ts";
import type { ConnectionBound } from "../http/connection-bound.ts";
import { CHUNKED } from "../http/framing.ts";
import { certificateNames } from "../http/tls/certificates.ts";
import type { HttpResponse } from "../http/uws.ts";
import type { AuditLog, Log } from "../telemetry/log.ts";
import { asksForChange, auditLine } from "./audit/audit-line.ts";
import type { Context } from "./context.ts";
import { admit, bodyBoundOf, bodyLengthOf, FramingError, type Gate } from "./http/admission.ts";
import { Authenticator } from "./http/auth.ts";
import { IncomingBody } from "./http/body.ts";
import { KnownHosts } from "./http/known-hosts.ts";
import type { Answer, ApiListener, ManagementTls } from "./http/listener.ts";
import { Listeners } from "./http/listeners.ts";
import type { Scheme } from "./http/origin.ts";
import { peerOf } from "./http/peer.ts";
import { asApiError, errorReply, type Reply } from "./http/reply.ts";
import { ApiRequest } from "./http/request.ts";
import { MethodNotAllowed, Router } from "./http/router.ts";
import { writeReply } from "./http/write.ts";
import { routesOf } from "./routes.ts";

export interface ManagementOptions extends Context {
	readonly host: string;
	/** 0 picks a free one */
	readonly port: number;
	/** undefined: plain HTTP */
	readonly tls?: ManagementTls | undefined;
	/** names that requests may be for, see `KnownHosts`, besides those of `host` and of the certificates */
	readonly hosts?: readonly string[];
	/** `WEIR_API_KEY`, valid beside the keys of the store */
	readonly configuredKey: string | undefined;
	/** bounds the connections, so that the supervisor keeps the descriptors that it needs */
	readonly connections?: ConnectionBound;
	/** milliseconds since 1970, for tests */
	readonly now?: () => number;
	readonly log: Pick<Log, "error"> & AuditLog;
}

export interface Management {
	readonly port: number;
	/** Takes changed certificates and names over. @throws Error then nothing has changed */
	reload(changed: Pick<ManagementOptions, "tls" | "hosts">): Promise<void>;
	/** Stops listening, lets requests in flight finish (at most `LIMITS.managementDrainMs`), closes all. */
	close(): Promise<void>;
}

/** @throws Error the address can't be listened on, or a certificate can't be used */
export async function startManagement(options: ManagementOptions): Promise<Management> {
	const server = new ManagementServer(options);
	const { host, port, tls, connections } = options;
	const listeners = await Listeners.open({ host, port, tls, connections }, server.answer);
	let stopping: Promise<void> | undefined;
	return {
		port: listeners.port,
		async reload(changed) {
			const hosts = hostsOf({ ...changed, host });
			await listeners.change(changed.tls);
			server.hosts = hosts;
		},
		close: () => {
			stopping ??= listeners.close();
			return stopping;
		},
	};
}

/** What has a certificate of its own is a name of this API: nobody else can have a browser believe it. */
const hostsOf = ({ hosts, host, tls }: Pick<ManagementOptions, "hosts" | "host" | "tls">) =>
	new KnownHosts([
		...(hosts ?? []),
		host,
		...(tls === undefined ? [] : certificateNames(tls.files)),
	]);

class ManagementServer {
	readonly #options: ManagementOptions;
	readonly #gate: Pick<Gate, "authenticator" | "router">;
	/** replaced by a reload */
	hosts: KnownHosts;

	constructor(options: ManagementOptions) {
		this.#options = options;
		this.#gate = {
			authenticator: new Authenticator(options.store, options.configuredKey, options.now),
			router: new Router(routesOf(options)),
		};
		this.hosts = hostsOf(options);
	}

	/** Reads the request before it returns. */
	readonly answer: Answer = (response, request, listener) => {
		const copied = new ApiRequest(request);
		if (asksForChange(copied)) copied.notes.peer = peerOf(response);
		const body = new IncomingBody(response);
		return this.#answer(response, copied, body, listener);
	};

	async #answer(
		response: HttpResponse,
		request: ApiRequest,
		body: IncomingBody,
		listener: ApiListener,
	): Promise<void> {
		let bodyLength = 0;
		let reply: Reply;
		let code: ErrorCode | undefined;
		let isTooMuch = false;
		let mustClose = false;
		try {
			bodyLength = bodyLengthOf(request);
			reply = (await this.#handle(request, body, bodyLength, listener.scheme)) ?? NOBODY;
		} catch (error) {
			const known = asApiError(error);
			code = known.code;
			reply = this.#failure(error, known, request);
			// a body of unknown or great length is not read to its end just to keep the connection
			const isLong = bodyLength === CHUNKED || bodyLength > this.#options.limits.policyBytes;
			isTooMuch = reply.status === 413 || (isLong && !body.isComplete);
			mustClose = isTooMuch || error instanceof FramingError || reply.status === 408;
		}
		if (asksForChange(request)) this.#audit(request, reply, code, body.isAborted);
		// after a framing error nothing is read any more: the rest might pass for a request
		if (isTooMuch) await body.discard();
		if (body.isAborted) return;
		writeReply(response, request, listener.isLeaving ? asLast(reply) : reply, mustClose);
	}

	/** Before the answer: who has one can have the line. */
	#audit(
		request: ApiRequest,
		reply: Reply,
		code: ErrorCode | undefined,
		clientGone: boolean,
	): void {
		const subject = this.#gate.router.subjectOf(request.method, request.path);
		const status = reply === NOBODY ? undefined : reply.status;
		this.#options.log.audit(auditLine(request, subject, { status, code, clientGone }));
	}

	/** The synchronous part ends where the body is waited for. @returns undefined if the client is gone */
	async #handle(
		request: ApiRequest,
		body: IncomingBody,
		bodyLength: number,
		scheme: Scheme,
	): Promise<Reply | undefined> {
		const bodyBytes = this.#options.limits.policyBytes;
		const gate = { hosts: this.hosts, scheme, bodyBytes };
		const { handler, ids } = admit(request, bodyLength, { ...this.#gate, ...gate });
		const most = bodyBoundOf(handler, bodyBytes);
		const bytes = handler.takesBody ? await body.receive(most) : EMPTY;
		if (bytes === undefined) return undefined;
		this.#options.store.refresh();
		return handler.run(request, ids, bytes);
	}

	#failure(error: unknown, known: ApiError, request: ApiRequest): Reply {
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

/** The client is to open another connection for its next request. */
const asLast = (reply: Reply): Reply => ({
	...reply,
	headers: { ...reply.headers, connection: "close" },
});

const EMPTY = new Uint8Array();
/** never written: the client is gone */
const NOBODY: Reply = { status: 499, headers: {}, body: undefined };
