/**
 * Answers of the API before they are written: status, fields, body. `errorReply` is the one place that
 * gives errors their published shape (contract 2, "Errors"); it never tells more than the error's table,
 * sentence and problems.
 */
import type { ErrorCode } from "../../error-code-origins.ts";
import { ERROR_CODES } from "../../error-codes.ts";
import { ApiError, type Problem } from "../../errors.ts";
import { FleetError } from "../../fleet/fleet-error.ts";
import { LogError } from "../../fleet/log/log.ts";
import { StoreError } from "../../store/store-error.ts";
import type { EventStream } from "./event-stream.ts";

/** What the API reads and answers, where nothing else is said. */
export const JSON_TYPE = "application/json";

export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Reply {
	readonly status: number;
	/** besides `request-id`, `content-type` and the framing; a list is as many lines of the name */
	readonly headers: ReplyHeaders;
	/** undefined: no body and no content-type; bytes go out as they are */
	readonly body: string | Uint8Array | undefined;
	/** default `JSON_TYPE` */
	readonly contentType?: string;
	/** in place of a body: what is sent for as long as the stream is open. HEAD gets the header alone. */
	readonly stream?: (stream: EventStream) => void;
}

export const json = (status: number, value: unknown, headers: ReplyHeaders = {}): Reply => ({
	status,
	headers,
	body: JSON.stringify(value),
});

export const isStreamed = (reply: Reply): reply is Reply & Required<Pick<Reply, "stream">> =>
	reply.stream !== undefined;

export const NO_CONTENT: Reply = { status: 204, headers: {}, body: undefined };

/** What a thrown value means to a client; anything unforeseen is an internal error without details. */
export function asApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	if (error instanceof FleetError) return new ApiError(error.code, error.message);
	if (error instanceof LogError) {
		const code = error.kind === "not_permitted" ? "ERR_FLEET_READ_ONLY" : "ERR_FLEET_UNAVAILABLE";
		return new ApiError(code, error.message);
	}
	if (error instanceof StoreError && error.full) {
		return new ApiError("ERR_STORE_FULL", "The store has no room left; nothing was changed.");
	}
	if (error instanceof StoreError && error.lost) {
		return new ApiError(
			"ERR_STORE_LOST",
			"The store's files were removed, replaced or cut short; nothing is stored until weir is started again.",
		);
	}
	if (error instanceof StoreError && error.held) {
		return new ApiError(
			"ERR_UPGRADING",
			"Another version of weir is taking over; nothing was changed. Send the request again in a second.",
		);
	}
	return new ApiError("ERR_INTERNAL", "Something went wrong inside; the log says more.");
}

/** Seconds after which the same request may fare better. */
const RETRY_AFTER: Readonly<Partial<Record<ErrorCode, string>>> = {
	ERR_UPGRADING: "1",
	ERR_FLEET_UNAVAILABLE: "5",
	ERR_FLEET_UNCERTAIN: "5",
};

/** @param id the request's random part @param headers e.g. `allow` */
export function errorReply(
	error: ApiError,
	id: string,
	headers: Readonly<Record<string, string>> = {},
): Reply {
	const { status } = ERROR_CODES[error.code];
	const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
	const seconds = RETRY_AFTER[error.code];
	const retry = seconds === undefined ? {} : { "retry-after": seconds };
	const value = {
		error_code: error.code,
		status_code: status,
		msg: error.message,
		details: { operation_id: `op_${id}`, ...detailsOf(error.problems) },
		problems: error.problems,
	};
	return json(status, value, { ...challenge, ...retry, ...headers });
}

/** Pointer to sentence; several problems of one place share its entry, one per line. */
function detailsOf(problems: readonly Problem[]): Record<string, string> {
	const details = new Map<string, string>();
	for (const { pointer, message } of problems) {
		const before = details.get(pointer);
		details.set(pointer, before === undefined ? message : `${before}\n${message}`);
	}
	return Object.fromEntries(details);
}

/** "1 problem", "2 problems", "more than 99 problems": the sentence for a refused document. */
export function refusedDocument(what: string, problems: readonly Problem[]): ApiError {
	const isCut = problems.at(-1)?.code === "more_problems";
	const number = isCut ? `more than ${problems.length - 1}` : String(problems.length);
	const count = number === "1" ? "1 problem" : `${number} problems`;
	return new ApiError("ERR_INVALID_DOCUMENT", `The ${what} has ${count}.`, problems);
}
