/**
 * The exchange of an explained request: the data path's own, over a request that nobody sent, which tells what actions do to
 * it. Nothing is read from a socket, nothing is written to one. Made by `explain.ts`; replays have its client that is none.
 */
import type { Phase } from "../cel/attributes.ts";
import { Exchange } from "../edge/exchange.ts";
import type { ListenerContext } from "../edge/listener-context.ts";
import type { RequestHead } from "../edge/request/request-head.ts";
import type { SeenRequest } from "../edge/seen/seen-request.ts";
import type { Services } from "../edge/services.ts";
import type { ClientConnection } from "../http/client-connection.ts";
import type { ClientResponse } from "../http/client-response.ts";
import { UNKNOWN_TLS_CLIENT } from "../http/tls/tls-client.ts";
import type { AnswerTask, JsonValue, Place } from "../policy/exchange.ts";
import type { Tracer } from "../policy/trace/tracer.ts";

type Lines = readonly (readonly [name: string, value: string])[];

export interface ExplainedSurroundings {
	readonly context: ListenerContext;
	readonly head: RequestHead;
	readonly services: Services;
	/** of the connection */
	readonly clientIp: string;
	/** milliseconds since 1970 */
	readonly nowMs: number;
	/** the real request; undefined: there is none */
	readonly seen: SeenRequest | undefined;
	readonly tracer: Tracer;
}

export class ExplainedExchange extends Exchange {
	readonly #tracer: Tracer;
	readonly #seen: SeenRequest | undefined;
	#askedMs: number;

	constructor({ context, head, services, clientIp, nowMs, seen, tracer }: ExplainedSurroundings) {
		super(NO_RESPONSE, context, head, services, connectionFrom(clientIp, nowMs, seen?.client));
		this.#tracer = tracer;
		this.#seen = seen;
		this.#askedMs = nowMs;
	}

	override get requestId(): string {
		return this.#seen?.requestId ?? super.requestId;
	}
	override get tlsVersion(): string {
		return this.#seen?.client.tlsVersion ?? super.tlsVersion;
	}
	override get tlsSni(): string {
		return this.#seen?.client.tlsSni ?? super.tlsSni;
	}
	override get tlsJa4(): string {
		return this.#seen?.client.tlsJa4 ?? super.tlsJa4;
	}

	override setResponse(...response: Parameters<Exchange["setResponse"]>): void {
		super.setResponse(...response);
		this.#askedMs = this.#seen?.end.nowMs ?? this.#askedMs;
	}
	override setUpstreamResponse(...response: Parameters<Exchange["setUpstreamResponse"]>): void {
		super.setUpstreamResponse(...response);
		this.#askedMs = this.#seen?.response?.nowMs ?? this.#askedMs;
	}

	override get nowMs(): number {
		return this.#askedMs;
	}
	override get requestReceivedMs(): number {
		return this.#askedMs;
	}

	override addHeaders(phase: Phase, lines: Lines): boolean {
		const fits = super.addHeaders(phase, lines);
		const told = lines.map(([name, value]): [string, string] => [name, value]);
		if (fits) this.#tracer.effect({ kind: "add_headers", lines: told });
		return fits;
	}

	override removeHeaders(phase: Phase, names: readonly string[]): readonly string[] {
		const removed = super.removeHeaders(phase, names);
		this.#tracer.effect({ kind: "remove_headers", names: [...removed] });
		return removed;
	}

	override rewriteUrl(full: string): boolean {
		const before = this.url.full;
		const isUrl = super.rewriteUrl(full);
		const isChanged = isUrl && full !== before;
		if (isChanged) this.#tracer.effect({ kind: "rewrite_url", before, after: full });
		return isUrl;
	}

	override setOnResponse(lines: Lines, without: readonly string[]): void {
		super.setOnResponse(lines, without);
		const told = lines.map(([name, value]): [string, string] => [name, value]);
		this.#tracer.effect({ kind: "answer_headers", lines: told, without: [...without] });
	}

	override log(metadata: JsonValue): void {
		super.log(metadata);
		this.#tracer.effect({ kind: "log", metadata });
	}

	override wouldHave(place: Place, type: string): void {
		super.wouldHave(place, type);
		this.#tracer.wouldHave();
	}

	override expressionFailed(_place: Place, message: string): void {
		this.#tracer.effect({ kind: "failed", message });
	}

	/** The answer of an explained request counts for nothing. */
	override whenAnswered(_task: AnswerTask): void {}
}

/** @throws Error always: there is no client */
const nobody = (): never => {
	throw new Error("an explained request has no client");
};

export const NO_RESPONSE: ClientResponse = {
	cork: nobody,
	writeStatus: nobody,
	writeHeader: nobody,
	write: nobody,
	tryEnd: nobody,
	getWriteOffset: nobody,
	end: nobody,
	endWithoutBody: nobody,
	onWritable: nobody,
	onAborted: nobody,
	onData: nobody,
	close: nobody,
};

export const connectionFrom = (
	address: string,
	startMs: number,
	client: SeenRequest["client"] | undefined,
): ClientConnection => ({
	port: 0,
	startMs,
	bytesIn: 0,
	bytesOut: 0,
	isHttp10: false,
	...client,
	address,
	tls: UNKNOWN_TLS_CLIENT,
	isFront: true,
	expectsContinue: false,
	connectionField: "",
	hasBadBody: false,
	pause: nobody,
	resume: nobody,
	renew: nobody,
	answered: nobody,
	writeContinue: nobody,
	write: nobody,
	endsBody: nobody,
	boundReads: nobody,
	acknowledgedBytes: () => -1,
	bytesBeforeEnd: () => -1,
});
