/**
 * Takes down what an explanation of a real request needs: at first what it brought, then what rate-limits and the backend
 * say, at last how it ended. Nothing is explained here, on a worker's loop. Made by `explain-tokens.ts` for requests with a
 * valid token; `exchange.ts` and `services.ts` tell it the rest.
 */
import type { HeaderLines } from "../../cel/attributes.ts";
import type { EdgeErrorCode } from "../../error-code-origins.ts";
import { EXPLAIN_FIELD } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Place } from "../../policy/exchange.ts";
import { NotedLimits } from "../../policy/trace/noted-limits.ts";
import type { RefusalReason } from "../../telemetry/live-report.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";
import type { AnsweredBy } from "../access/request-end.ts";
import type { SeenClient, SeenEnd, SeenRequest, SeenResponse } from "./seen-request.ts";

/** A request that begins. */
export interface BeginningRequest {
	readonly requestId: string;
	readonly nowMs: number;
	readonly head: {
		readonly method: string;
		readonly rawPath: string;
		readonly rawQuery: string | undefined;
		readonly host: string;
		readonly lines: HeaderLines;
	};
	readonly listenerContext: {
		readonly listener: { readonly host: string };
		readonly port: number;
		readonly scheme: "http" | "https";
		readonly sni: string;
	};
	readonly client: Omit<SeenClient, "tlsVersion" | "tlsSni" | "tlsJa4" | "address">;
	/** of the connection */
	readonly peer: string;
	readonly clientIp: string;
	readonly tlsVersion: string;
	readonly tlsSni: string;
	readonly tlsJa4: string;
}

/** One that is over. */
export interface EndedRequest {
	readonly nowMs: number;
	readonly edgeId: string;
	readonly routeId: string;
	readonly answeredBy: AnsweredBy;
	readonly errorCode: EdgeErrorCode | undefined;
	readonly failure: UpstreamFailure | undefined;
	readonly endedBy: Place | undefined;
	readonly limit: string | undefined;
}

/** What stands for the token's value. */
const TAKEN_OUT = "[token]";

export class RequestNotes {
	readonly limits = new NotedLimits();
	/** set by `refused-requests.ts` */
	reason: RefusalReason | undefined;
	readonly #begun: Omit<SeenRequest, "limits" | "response" | "end">;
	/** characters so far */
	#size: number;
	#response: SeenResponse | undefined;

	/** @param token its hash @param revision of the store */
	constructor(request: BeginningRequest, token: string, revision: number) {
		const { head, listenerContext, client } = request;
		const { method, rawPath, rawQuery, host } = head;
		const { listener, port, scheme, sni } = listenerContext;
		const lines = linesOf(head.lines);
		this.#size = rawPath.length + (rawQuery?.length ?? 0) + sizeOf(lines.flat());
		this.#begun = {
			...{ token, revision, requestId: request.requestId, nowMs: request.nowMs },
			...{ method, rawPath, rawQuery, host, scheme },
			listener: { host: listener.host, port, sni },
			lines,
			isCut: false,
			client: {
				...{ address: request.peer, port: client.port, startMs: client.startMs },
				...{ bytesIn: client.bytesIn, bytesOut: client.bytesOut, isHttp10: client.isHttp10 },
				tlsVersion: request.tlsVersion,
				tlsSni: request.tlsSni,
				tlsJa4: request.tlsJa4,
			},
			clientIp: request.clientIp,
		};
	}

	/** The backend has answered. @param lines name, value, …; @param length of the body, or -1 @param nowMs for outbound rules */
	responded(status: number, lines: readonly string[], length: number, nowMs: number): void {
		this.#size += sizeOf(lines);
		this.#response = { status, lines, length, nowMs };
	}

	/** All of it. */
	ended(request: EndedRequest, status: number, aborted: boolean): SeenRequest {
		const { answeredBy: by, errorCode, failure, limit, edgeId, routeId, nowMs } = request;
		const limits = this.limits.answers;
		const { endedBy } = request;
		const rule: SeenEnd["rule"] = endedBy && {
			...{ phase: endedBy.phase, ruleIndex: endedBy.ruleIndex, ruleName: endedBy.ruleName },
		};
		const { reason } = this;
		const ways = { status, aborted, by, errorCode, failure, rule, limit, reason };
		const end = { ...ways, edgeId, routeId, nowMs };
		const size = this.#size + sizeOf(limits.map(([key]) => key));
		if (size <= LIMITS.seenCharacters)
			return { ...this.#begun, limits, response: this.#response, end };
		const { rawPath } = this.#begun;
		const cut = { lines: [], rawQuery: undefined, rawPath: rawPath.slice(0, MOST_PATH) };
		return { ...this.#begun, ...cut, isCut: true, limits: [], end };
	}
}

const MOST_PATH = 1024;

const sizeOf = (texts: readonly string[]): number =>
	texts.reduce((sum, text) => sum + text.length, 0);

/** By name, in the order in which names come first. */
const linesOf = (lines: HeaderLines): [string, string][] =>
	lines
		.names()
		.flatMap((name) =>
			lines
				.lines(name)
				.map((value): [string, string] => [name, name === EXPLAIN_FIELD ? TAKEN_OUT : value]),
		);
