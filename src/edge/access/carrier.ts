/**
 * What names a request to others: its id, which goes upstream and back where `request_id.send` is on, and its place in a
 * trace, which goes upstream where tracing is on (contract 6, "Request ids", "Traces"). Made by `edge-parts.ts`; asked by
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
const WITHOUT_PARENT = HeaderChanges.removingAlways(PARENT);
const WITHOUT_STATE = HeaderChanges.removingAlways(STATE);

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

type Going = Pick<Named, "head" | "requestId" | "trace"> & {
	readonly requestChanges: HeaderChanges | undefined;
};

export class Carrier {
	/** Whether `begin` and `onward` have anything to do. */
	readonly acts: boolean;
	readonly #header: string;
	readonly #sends: boolean;
	/** undefined: tracing is off */
	readonly #ratio: number | undefined;
	readonly #withoutId: HeaderChanges;

	constructor({ requestId, tracing }: Pick<Config, "requestId" | "tracing">) {
		this.#header = requestId.header;
		this.#sends = requestId.send;
		this.#ratio = tracing.endpoint === null ? undefined : tracing.sampleRatio;
		this.#withoutId = HeaderChanges.removingAlways(requestId.header);
		this.acts = requestId.send || tracing.endpoint !== null;
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

	/** Whatever answer there will be says the request's id. */
	answerWithId(exchange: Pick<Named, "requestId" | "setOnEveryResponse">): void {
		const line = [this.#header, exchange.requestId] as const;
		exchange.setOnEveryResponse(this.#withoutId.adding([line]));
	}

	/** Before anything can answer the request. */
	begin(exchange: Named): void {
		if (this.#sends) this.answerWithId(exchange);
		if (this.#ratio !== undefined) exchange.trace = this.#traceOf(exchange, this.#ratio);
	}

	/** A stranger's wish to be recorded would let it fill the collector. */
	#traceOf(exchange: Peer, ratio: number): RequestTrace {
		const parent = traceParentOf(exchange.head.lines.lines(PARENT));
		const isFollowed = parent !== undefined && isBelieved(exchange);
		return new RequestTrace(parent, isFollowed ? parent.isSampled : Math.random() < ratio);
	}

	/** Hot. @param lines as they would go upstream, each `name: value\r\n` */
	onward(exchange: Going, lines: string): string {
		const { trace } = exchange;
		let text = lines;
		if (this.#sends) {
			const without = mayHold(exchange, this.#header) ? this.#withoutId.without(text) : text;
			text = `${without}${this.#header}: ${exchange.requestId}\r\n`;
		}
		if (trace === undefined) return text;
		if (mayHold(exchange, PARENT)) text = WITHOUT_PARENT.without(text);
		// Of a trace that nobody could read, the state means nothing.
		if (trace.parentSpanId === undefined && mayHold(exchange, STATE))
			text = WITHOUT_STATE.without(text);
		return `${text}${PARENT}: ${trace.field}\r\n`;
	}
}

/** What goes upstream is searched only where it may have a line of this name: of the client's, or of a rule. */
const mayHold = ({ head, requestChanges }: Going, name: string): boolean =>
	requestChanges !== undefined || head.lines.lines(name).length > 0;
