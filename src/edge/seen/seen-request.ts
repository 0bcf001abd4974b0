/**
 * A request as a worker has seen it that somebody wants to have explained: what it brought, what rate-limits and its backend
 * said, and how it ended. Taken down by `request-notes.ts`, carried to the supervisor by `process/messages.ts`, explained by
 * `explain/live/`. Plain data, bounded by `LIMITS.seenCharacters`.
 */
import type { EdgeErrorCode } from "../../error-code-origins.ts";
import type { LimitAnswer } from "../../policy/trace/asked-limits.ts";
import type { EndingRule, RefusalReason } from "../../telemetry/live-report.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";
import type { AnsweredBy } from "../access/request-end.ts";

/** A token as workers know it (contract 2, "Explain"). */
export interface LiveToken {
	/** of the token: SHA-256, hexadecimal */
	readonly hash: string;
	/** milliseconds since 1970 */
	readonly untilMs: number;
	/** an address or a range in CIDR form that the client's address must lie in */
	readonly clientIp?: string | undefined;
	/** a field that the request must have, with a value that has this hash; name in lower case */
	readonly header?: { readonly name: string; readonly hash: string } | undefined;
}

export interface SeenClient {
	/** of the connection */
	readonly address: string;
	readonly port: number;
	readonly startMs: number;
	readonly bytesIn: number;
	readonly bytesOut: number;
	readonly isHttp10: boolean;
	readonly tlsVersion: string;
	readonly tlsSni: string;
	readonly tlsJa4: string;
}

export interface SeenResponse {
	readonly status: number;
	/** name, value, name, value, …; names in lower case */
	readonly lines: readonly string[];
	/** bytes of its body; -1: not known */
	readonly length: number;
	/** what `time.now` was for outbound rules */
	readonly nowMs: number;
}

export interface SeenEnd {
	/** 0: there was no answer */
	readonly status: number;
	/** the client has left */
	readonly aborted: boolean;
	readonly by: AnsweredBy;
	readonly errorCode?: EdgeErrorCode | undefined;
	readonly failure?: UpstreamFailure | undefined;
	readonly rule?: EndingRule | undefined;
	/** name of the rate-limit that rejected it */
	readonly limit?: string | undefined;
	/** undefined: it was not refused */
	readonly reason?: RefusalReason | undefined;
	/** empty: no route was found */
	readonly edgeId: string;
	readonly routeId: string;
	/** what `time.now` was for rules of the answer, where weir made it */
	readonly nowMs: number;
}

export interface SeenRequest {
	/** the token's hash */
	readonly token: string;
	readonly requestId: string;
	/** of the store, when it began */
	readonly revision: number;
	/** what `time.now` was for inbound rules; milliseconds since 1970 */
	readonly nowMs: number;
	readonly method: string;
	readonly rawPath: string;
	/** undefined if the target holds no `?` */
	readonly rawQuery?: string | undefined;
	/** as it came */
	readonly host: string;
	readonly scheme: "http" | "https";
	/** the listener that it came to */
	readonly listener: { readonly host: string; readonly port: number; readonly sni: string };
	/** names in lower case; the token's value is left out */
	readonly lines: readonly (readonly [name: string, value: string])[];
	/** there was more than is taken down, so that it can't be explained: the lines are missing */
	readonly isCut: boolean;
	readonly client: SeenClient;
	/** behind trusted proxies */
	readonly clientIp: string;
	/** by `questionKey` */
	readonly limits: readonly (readonly [key: string, answer: LimitAnswer])[];
	/** of the backend; undefined: it gave none */
	readonly response?: SeenResponse | undefined;
	readonly end: SeenEnd;
}
