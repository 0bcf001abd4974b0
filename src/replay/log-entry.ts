/**
 * A request as a line of an access log tells it, whichever form the line has. Made by `json-entry.ts` and
 * `combined-entry.ts`, replayed by `simulation.ts`.
 */
export interface LogEntry {
	readonly form: "json" | "combined";
	/** milliseconds since 1970, whole ones; where lines tell no durations both are the same */
	readonly startMs: number;
	readonly endMs: number;
	readonly requestId: string;
	/** ids; empty: the line does not tell, or none was found */
	readonly edgeId: string;
	readonly routeId: string;
	readonly clientIp: string;
	/** code by the geo database; undefined: the line does not tell */
	readonly country: string | undefined;
	readonly method: string;
	/** without port; empty: the line does not tell */
	readonly host: string;
	readonly rawPath: string;
	/** undefined: there was none, or the log leaves it out */
	readonly rawQuery: string | undefined;
	readonly httpVersion: string;
	/** 0: the client got no answer */
	readonly status: number;
	/** as `AnsweredBy`; empty: the line does not tell */
	readonly outcome: string;
	readonly errorCode: string | undefined;
	/** of the rule that answered */
	readonly phase: string | undefined;
	readonly rule: number | undefined;
	readonly ruleName: string;
	readonly limit: string | undefined;
	/** undefined: the line does not tell */
	readonly scheme: "http" | "https" | undefined;
	readonly tlsVersion: string;
	readonly tlsSni: string;
	readonly tlsJa4: string;
	/** name, value, name, value, …; names in lower case, several lines of one name as one value */
	readonly headers: readonly string[];
	readonly responseHeaders: readonly string[];
	/** of the answer's body */
	readonly bytesOut: number;
	/** the line is one of a sample */
	readonly isSampled: boolean;
}

/** What a line is that is no request which came to a policy. */
export type ReadLine =
	| { readonly kind: "request"; readonly entry: LogEntry }
	/** refused while it was read */
	| { readonly kind: "refused" }
	/** another line of weir's log */
	| { readonly kind: "other" }
	/** a sentence without its end */
	| { readonly kind: "bad"; readonly why: string };

export const REFUSED: ReadLine = { kind: "refused" };
export const OTHER: ReadLine = { kind: "other" };
export const bad = (why: string): ReadLine => ({ kind: "bad", why });
