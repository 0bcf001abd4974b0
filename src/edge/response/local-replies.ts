/**
 * Replies that the edge makes itself, where no backend's response is passed on: one small JSON shape, with the codes
 * and statuses of `error-codes.ts`. Their bytes are made once, at the start. Only a rate-limit's reply, which tells
 * seconds, and a refusal, which tells a reason, are made when they are first needed.
 */
import type { EdgeErrorCode } from "../../error-code-origins.ts";
import { ERROR_CODES } from "../../error-codes.ts";
import type { LimitAnswer } from "../../policy/exchange.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";
import { ALLOWED_METHODS } from "../request/methods.ts";
import { beginning } from "./status-line.ts";

export interface LocalReply {
	readonly statusCode: number;
	/** that its content tells */
	readonly code?: EdgeErrorCode | undefined;
	/** name, value, name, value, …; names in lower case unless a policy gave them */
	readonly headers: readonly string[];
	readonly content: string;
	/** of replies that are sent again and again */
	readonly bytes: ReplyBytes | undefined;
}

/** What is written: the library takes bytes faster than text, the front one text. */
interface ReplyBytes {
	/** status and header lines (`status-line.ts`) */
	readonly head: Uint8Array;
	readonly content: Uint8Array;
	/** all of it, as latin1 (`ClientResponse.sendText`) */
	readonly text: string;
}

/** @param headers validated, without `date` */
const kept = (
	statusCode: number,
	headers: readonly string[],
	content: string,
	code?: EdgeErrorCode,
): LocalReply => {
	const lines: string[] = [];
	for (let index = 0; index < headers.length; index += 2) {
		lines.push(`${headers[index]}: ${headers[index + 1]}`);
	}
	const body = Buffer.from(content);
	const head = beginning(statusCode, lines.join("\r\n"));
	const text = `${head}\r\ncontent-length: ${body.byteLength}\r\n\r\n${body.toString("latin1")}`;
	return {
		statusCode,
		code,
		headers,
		content,
		bytes: { head: Buffer.from(head), content: body, text },
	};
};

const JSON_TYPE = ["content-type", "application/json"];

/** @param more header lines besides the content type */
const jsonReply = (
	code: EdgeErrorCode,
	message: string,
	more: readonly string[] = [],
): LocalReply => {
	const { status } = ERROR_CODES[code];
	const content = JSON.stringify({ error_code: code, status_code: status, msg: message });
	return kept(status, [...JSON_TYPE, ...more], content, code);
};

/** As `jsonReply`, and tells the client when to come again. */
const jsonReplyWithWait = (
	code: EdgeErrorCode,
	message: string,
	retryAfterSeconds: number,
): LocalReply => {
	const { status } = ERROR_CODES[code];
	return kept(
		status,
		[...JSON_TYPE, "retry-after", `${retryAfterSeconds}`],
		`{"error_code":"${code}","status_code":${status},"msg":"${message}","retry_after":${retryAfterSeconds}}`,
		code,
	);
};

export const NO_ROUTE = jsonReply("ERR_NO_ROUTE", "no route matches this host and path");
/** The machine is in a fleet, and its routes are too old to be used, or missing yet. */
export const CUT_OFF = jsonReplyWithWait(
	"ERR_FLEET_CUT_OFF",
	"this server has no current configuration",
	5,
);
export const POLICY_FAILED = jsonReply("ERR_POLICY_FAILED", "the traffic policy failed");
export const INTERNAL = jsonReply("ERR_INTERNAL", "the edge failed");
export const NO_UPGRADE = jsonReply(
	"ERR_NOT_IMPLEMENTED",
	"WebSockets need weir's front, which is off or not available here",
);
/** RFC 9110 15.5.22 wants the field `upgrade`. */
export const WEBSOCKET_VERSION = jsonReply(
	"ERR_WEBSOCKET_VERSION",
	"a WebSocket handshake needs sec-websocket-version: 13",
	["connection", "upgrade", "upgrade", "websocket", "sec-websocket-version", "13"],
);
export const BAD_UPGRADE = jsonReply("ERR_UPGRADE_FAILED", "the upstream's upgrade is not valid");
export const TOO_MANY_TUNNELS = jsonReply(
	"ERR_TOO_MANY_TUNNELS",
	"the route has as many tunnels open as it may",
);
/** A request that asks for a WebSocket in a way that RFC 6455 does not allow. */
export const badHandshake = (message: string): LocalReply => jsonReply("ERR_BAD_REQUEST", message);
export const LOOP = jsonReply("ERR_LOOP_DETECTED", "the backend leads back to this proxy");
/** Before any request; the connection is closed. */
export const TOO_MANY_CONNECTIONS = jsonReply(
	"ERR_TOO_MANY_CONNECTIONS",
	"there are too many connections, in all or from this address",
);
export const UPSTREAM_FAILED = jsonReply("ERR_UPSTREAM_FAILED", "the upstream gave no answer");
export const UPSTREAM_BUSY = jsonReply("ERR_UPSTREAM_BUSY", "too many requests are waiting");
const UPSTREAM_TIMEOUT = jsonReply("ERR_UPSTREAM_TIMEOUT", "the upstream took too long");
/** What a client gets where its backend has failed. */
export const UPSTREAM_REPLIES: Readonly<Record<UpstreamFailure, LocalReply>> = {
	connect: UPSTREAM_FAILED,
	broken: UPSTREAM_FAILED,
	timeout: UPSTREAM_TIMEOUT,
	queue_full: UPSTREAM_BUSY,
};
/** A client's body came too slowly; the connection is closed. */
export const TOO_SLOW = jsonReply("ERR_REQUEST_TIMEOUT", "the request body came too slowly");
/** A chunk or a trailer is malformed; the connection is closed. */
export const BAD_BODY = jsonReply("ERR_BAD_REQUEST", "the chunked body is malformed");
/** The bodies of other requests take the memory that there is for them. */
export const BODIES_FULL = jsonReplyWithWait(
	"ERR_UPSTREAM_BUSY",
	"too many request bodies wait",
	1,
);

/** A request that is refused before a route is looked for: by the request reader, or by `request/`. */
export const badRequest = (code: EdgeErrorCode, message: string): LocalReply =>
	jsonReply(code, message, code === "ERR_METHOD_NOT_ALLOWED" ? ["allow", ALLOWED_METHODS] : []);

const DENIALS = Array.from({ length: 600 }, (_, statusCode) => kept(statusCode, [], ""));

/** The reply of a deny action: nothing but its status, 200 to 599. */
export const denied = (statusCode: number): LocalReply => DENIALS[statusCode] ?? INTERNAL;

const REFUSALS = {
	address: jsonReply("ERR_ADDRESS_REFUSED", "requests from this address are refused"),
	credentials: jsonReply("ERR_CREDENTIALS_REQUIRED", "user name and password are required"),
} as const;

/** @param headers besides the content type */
export const refusalReply = (
	reason: keyof typeof REFUSALS,
	headers: readonly (readonly [string, string])[],
): LocalReply => {
	const reply = REFUSALS[reason];
	if (headers.length === 0) return reply;
	return { ...reply, headers: [...reply.headers, ...headers.flat()], bytes: undefined };
};

/** The answer to a preflight of CORS. */
export const preflightReply = (headers: readonly (readonly [string, string])[]): LocalReply => ({
	statusCode: 204,
	headers: headers.flat(),
	content: "",
	bytes: undefined,
});

/** Replies kept by their seconds modulo this number: at any time the waits are close together. */
const RECENT = 256;
const rejections: { readonly seconds: number; readonly reply: LocalReply }[] = [];

/** 429 with `retry-after` (contract 5, rate-limit), or what the limit has for an answer. */
export const rateLimited = (retryAfterSeconds: number, answer?: LimitAnswer): LocalReply =>
	answer === undefined ? tooMany(retryAfterSeconds) : ownRejection(retryAfterSeconds, answer);

const ownRejection = (
	retryAfterSeconds: number,
	{ statusCode, content, contentType }: LimitAnswer,
): LocalReply => {
	const usual = tooMany(retryAfterSeconds);
	const type = content === undefined ? JSON_TYPE : ["content-type", contentType];
	return {
		statusCode,
		code: "ERR_RATE_LIMITED",
		headers: [...type, "retry-after", `${retryAfterSeconds}`],
		content: content ?? usual.content.replace(/"status_code":\d+/, `"status_code":${statusCode}`),
		bytes: undefined,
	};
};

const tooMany = (retryAfterSeconds: number): LocalReply => {
	const slot = retryAfterSeconds % RECENT;
	const recent = rejections[slot];
	if (recent?.seconds === retryAfterSeconds) return recent.reply;
	const reply = jsonReplyWithWait("ERR_RATE_LIMITED", "too many requests", retryAfterSeconds);
	rejections[slot] = { seconds: retryAfterSeconds, reply };
	return reply;
};
