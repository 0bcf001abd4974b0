/**
 * What names a request to others: its id, which goes upstream and back where `request_id.send` is on, and its place in a
 * trace, which goes upstream where tracing is on (contract 6, "Request ids", "Traces"). Made by `edge.ts`; asked by
 * `exchange.ts` for the id, by `pipeline.ts` when a request begins, by `proxying/upstream-header.ts` when it goes on.
 */
import type { HeaderLines } from "../../cel/attributes.ts";
import type { Config } from "../../config.ts";
import { isRequestId, newRequestId } from "../../telemetry/request-id.ts";
import { traceParentOf } from "../../telemetry/traces/trace-context.ts";
import { HeaderChanges } from "../headers/header-changes.ts";
import { RequestTrace } from "./request-trace.ts";

const PARENT = "traceparent";
const STATE = "tracestate";

interface Peer {
	readonly head: { readonly lines: HeaderLines };
	/** empty: it has gone, and nothing else may be asked of it */
	readonly loggedIp: string;
	readonly peerTrusted: boolean;
}

/** The request comes from a proxy whose word counts. */
const isBelieved = (exchange: Peer): boolean => exchange.loggedIp !== "" && exchange.peerTrusted;

/** Of an exchange, as much as is needed here. */
interface Named extends Peer {
	readonly requestId: string;
	trace: RequestTrace | undefined;
	/** Lines for whatever response there will be, in place of others of these names. */
	setOnEveryResponse(changes: HeaderChanges): void;
}

export class Carrier {
	/** Whether `begin` and `onward` have anything to do. */
	readonly acts: boolean;
	readonly #header: string;
	readonly #sends: boolean;
	/** undefined: tracing is off */
	readonly #ratio: number | undefined;
	readonly #withoutId: HeaderChanges;
	/** what goes upstream of it is weir's own alone */
	readonly #withoutOwn: HeaderChanges;
	readonly #withoutState: HeaderChanges;

	constructor({ requestId, tracing }: Pick<Config, "requestId" | "tracing">) {
		this.#header = requestId.header;
		this.#sends = requestId.send;
		this.#ratio = tracing.endpoint === null ? undefined : tracing.sampleRatio;
		this.#withoutId = HeaderChanges.NONE.removing([requestId.header]);
		const traces = tracing.endpoint !== null;
		this.acts = requestId.send || traces;
		const own = [...(requestId.send ? [requestId.header] : []), ...(traces ? [PARENT] : [])];
		this.#withoutOwn = HeaderChanges.NONE.removing(own);
		this.#withoutState = HeaderChanges.NONE.removing([STATE]);
	}

	get sendsId(): boolean {
		return this.#sends;
	}

	/** What the answer to a request says that was refused while it was read. @param requestId of its line, if there is one */
	onRefusal(requestId: string | undefined): HeaderChanges | undefined {
		if (!this.#sends || requestId === undefined) return undefined;
		return HeaderChanges.NONE.adding([[this.#header, requestId]]);
	}

	/** The value that a trusted proxy brought, else another one. To be asked once. */
	idOf(exchange: Peer): string {
		const [given, ...more] = isBelieved(exchange) ? exchange.head.lines.lines(this.#header) : [];
		if (given !== undefined && more.length === 0 && isRequestId(given)) return given;
		return newRequestId();
	}

	/** Before anything can answer the request. */
	begin(exchange: Named): void {
		if (this.#sends) {
			const line = [this.#header, exchange.requestId] as const;
			exchange.setOnEveryResponse(this.#withoutId.adding([line]));
		}
		if (this.#ratio !== undefined) exchange.trace = this.#traceOf(exchange, this.#ratio);
	}

	/** A stranger's wish to be recorded would let it fill the collector. */
	#traceOf(exchange: Peer, ratio: number): RequestTrace {
		const parent = traceParentOf(exchange.head.lines.lines(PARENT));
		const isFollowed = parent !== undefined && isBelieved(exchange);
		return new RequestTrace(parent, isFollowed ? parent.isSampled : Math.random() < ratio);
	}

	/** @param lines as they would go upstream, each `name: value\r\n` */
	onward({ requestId, trace }: Pick<Named, "requestId" | "trace">, lines: string): string {
		let text = this.#withoutOwn.without(lines);
		if (trace !== undefined) {
			// Of a trace that nobody could read, the state means nothing.
			if (trace.parentSpanId === undefined) text = this.#withoutState.without(text);
			text += `${PARENT}: ${trace.field}\r\n`;
		}
		return this.#sends ? `${text}${this.#header}: ${requestId}\r\n` : text;
	}
}
