/**
 * The management API's server (contract 2): from a request of the HTTP library to an answer, whatever
 * happens in between. Started by process/ in the supervisor.
 */
import type { ErrorCode } from "../error-code-origins.ts";
import type { ApiError } from "../errors.ts";
import type { ConnectionBound } from "../http/connection-bound.ts";
import { CHUNKED } from "../http/framing.ts";
import type { FrontSettings } from "../http/front.ts";
import { certificateNames } from "../http/tls/certificates.ts";
import type { AuditLog, Log } from "../telemetry/log.ts";
import { asksForChange, auditLine, stepLines } from "./audit/audit-line.ts";
import type { Context } from "./context.ts";
import { FleetDoor } from "./fleet/fleet-door.ts";
import { admit, bodyBoundOf, bodyLengthOf, FramingError, type Gate } from "./http/admission.ts";
import { Authenticator } from "./http/auth.ts";
import { IncomingBody } from "./http/body.ts";
import type { Incoming } from "./http/incoming.ts";
import { KnownHosts } from "./http/known-hosts.ts";
import type { Answer, ApiListener, ManagementTls } from "./http/listener.ts";
import { Listeners } from "./http/listeners.ts";
import type { Scheme } from "./http/origin.ts";
import { asApiError, errorReply, isStreamed, type Reply } from "./http/reply.ts";
import type { ApiRequest } from "./http/request.ts";
import { MethodNotAllowed, Router } from "./http/router.ts";
import { assertStreams, runStream } from "./http/streams.ts";
import { writeReply } from "./http/write.ts";
import { routesOf } from "./routes.ts";

export interface ManagementOptions extends Omit<Context, "managementFront"> {
	readonly host: string;
	/** 0 picks a free one */
	readonly port: number;
	/** a socket that listens there already; it stays the caller's */
	readonly inherited?: number | undefined;
	/** the port is bound, by one who won't listen there, until the API listens */
	readonly isHeld?: boolean | undefined;
	/** undefined: plain HTTP */
	readonly tls?: ManagementTls | undefined;
	/** names that requests may be for, see `KnownHosts`, besides those of `host` and of the certificates */
	readonly hosts?: readonly string[];
	/** how weir's own front reads clients; undefined: the server library reads them alone */
	readonly frontSettings?: FrontSettings | undefined;
	/** told of the address where the front can't be had */
	readonly frontMissing?: (address: string) => void;
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
	/** of the socket that it accepts from, for a process that takes over; undefined: nobody can tell */
	readonly descriptor: number | undefined;
	/** Takes changed certificates and names over. @throws Error then nothing has changed */
	reload(changed: Pick<ManagementOptions, "tls" | "hosts" | "frontSettings">): Promise<void>;
	/** Another process listens on the same socket: answers also who has connected, then closes. */
	leave(): Promise<void>;
	/** Stops listening, lets requests in flight finish (at most `LIMITS.managementDrainMs`), closes all. */
	close(): Promise<void>;
}

/** @throws Error the address can't be listened on, or a certificate can't be used */
export async function startManagement(options: ManagementOptions): Promise<Management> {
	const server = new ManagementServer(options);
	const { host, port, inherited, isHeld, tls, connections, frontSettings: front } = options;
	const { frontMissing } = options;
	const own = { host, port, inherited, isHeld, tls, connections, front, frontMissing };
	const listeners = await Listeners.open(own, server.answer);
	server.listeners = listeners;
	let stopping: Promise<void> | undefined;
	const stop = (way: () => Promise<void>): Promise<void> => {
		// Streams have no end of their own that could be waited for.
		options.live.close();
		stopping ??= way();
		return stopping;
	};
	return {
		port: listeners.port,
		get descriptor() {
			return listeners.descriptor;
		},
		async reload(changed) {
			const hosts = hostsOf({ ...changed, host });
			await listeners.change({ tls: changed.tls, front: changed.frontSettings });
			server.hosts = hosts;
		},
		leave: () => stop(() => listeners.leave()),
		close: () => stop(() => listeners.close()),
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
	readonly #fleet: FleetDoor;
	/** replaced by a reload */
	hosts: KnownHosts;
	/** once it listens */
	listeners: Listeners | undefined;

	constructor(options: ManagementOptions) {
		this.#options = options;
		this.#fleet = new FleetDoor(options.fleet);
		this.#gate = {
			authenticator: new Authenticator(options.store, options.configuredKey, options.now),
			router: new Router(
				routesOf({ ...options, managementFront: () => this.listeners?.front ?? "off" }),
			),
		};
		this.hosts = hostsOf(options);
	}

	/** To be called in the library's handler. */
	readonly answer: Answer = (incoming, listener) => {
		const { request } = incoming;
		if (asksForChange(request)) request.notes.peer = incoming.peer();
		return this.#answer(incoming, new IncomingBody(incoming), listener);
	};

	async #answer(incoming: Incoming, body: IncomingBody, listener: ApiListener): Promise<void> {
		const { request, client, refusal } = incoming;
		let bodyLength = 0;
		let reply: Reply;
		let code: ErrorCode | undefined;
		let isTooMuch = false;
		let mustClose = false;
		try {
			if (refusal !== undefined) throw refusal;
			bodyLength = bodyLengthOf(request);
			reply = (await this.#handle(request, body, bodyLength, listener.scheme)) ?? NOBODY;
			if (isStreamed(reply) && request.method === "GET") assertStreams(incoming);
		} catch (error) {
			const known = asApiError(error);
			code = known.code;
			reply = this.#failure(error, known, request);
			// a body of unknown or great length is not read to its end just to keep the connection
			const isLong = bodyLength === CHUNKED || bodyLength > this.#options.limits.policyBytes;
			isTooMuch = reply.status === 413 || (isLong && !body.isComplete);
			mustClose = isTooMuch || error instanceof FramingError || reply.status === 408;
		}
		const ofFleet = this.#fleet.headers(request);
		if (ofFleet !== undefined) reply = { ...reply, headers: { ...ofFleet, ...reply.headers } };
		mustClose ||= refusal !== undefined || body.isMalformed;
		if (asksForChange(request)) this.#audit(request, reply, code, body.isAborted);
		// after a framing error nothing is read any more: the rest might pass for a request
		// the front does that behind the answer
		if (isTooMuch && !client.isFront) await body.discard();
		if (body.isAborted) return;
		if (isStreamed(reply) && request.method === "GET" && !mustClose) {
			const { authenticator } = this.#gate;
			const isAllowed = () => authenticator.isValid(request);
			await runStream(incoming, reply, body, { isLeaving: () => listener.isLeaving, isAllowed });
			return;
		}
		writeReply(incoming, reply, mustClose ? "closed" : listener.isLeaving ? "leaving" : "open");
	}

	/** Before the answer: who has one can have the line. */
	#audit(
		request: ApiRequest,
		reply: Reply,
		code: ErrorCode | undefined,
		clientGone: boolean,
	): void {
		const subject = this.#gate.router.subjectOf(request.method, request.path);
		const status = reply.status === NOBODY.status ? undefined : reply.status;
		this.#options.log.audit(auditLine(request, subject, { status, code, clientGone }));
		for (const line of stepLines(request)) this.#options.log.audit(line);
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
		this.#fleet.check(request, handler);
		const most = bodyBoundOf(handler, bodyBytes);
		const bytes = handler.takesBody ? await body.receive(most) : EMPTY;
		if (bytes === undefined) return undefined;
		return this.#fleet.pass(request, () => {
			this.#options.store.refresh();
			return handler.run(request, ids, bytes);
		});
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

const EMPTY = new Uint8Array();
/** never written: the client is gone */
const NOBODY: Reply = { status: 499, headers: {}, body: undefined };
