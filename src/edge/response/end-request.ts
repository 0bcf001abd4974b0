/**
 * Ends a request with a local reply, or breaks it off where a bug keeps it from going on. Used by `pipeline.ts`,
 * `phases/` and `proxying/`.
 */
import type { Exchange } from "../exchange.ts";
import { CLIENT_GONE } from "../request/client-gone.ts";
import type { Services } from "../services.ts";
import type { LocalReply } from "./local-replies.ts";
import { contentLength, writeReply } from "./write-response.ts";

/** Hot. Writes the reply and ends the request. To be called inside the request's handler or a cork. */
export function sendReply(
	exchange: Exchange,
	reply: LocalReply,
	services: Services,
	close = services.draining,
): void {
	const { response, head, client } = exchange;
	// The address can't be asked for once the response has ended.
	if (services.tells(exchange)) void exchange.loggedIp;
	exchange.errorCode = reply.code;
	if (exchange.answeredBy === "none") exchange.answeredBy = "edge";
	if (head.method !== "HEAD") exchange.bytesOut += contentLength(reply);
	exchange.answered(reply.statusCode);
	writeReply(response, head.method, reply, close || services.draining, client);
	services.end(exchange, reply.statusCode, false);
}

/** Ends a request without an answer (close-connection): counted and logged with status 0. */
export function closeUnanswered(exchange: Exchange, services: Services): void {
	if (services.tells(exchange)) void exchange.loggedIp;
	services.end(exchange, 0, false);
	exchange.response.close();
}

/** A bug is logged, and costs the request that met it. To be called from anywhere. */
export function breakOff(exchange: Exchange, error: unknown, services: Services): void {
	const isGone = error === CLIENT_GONE;
	if (!isGone) services.log.error({ err: error, route: exchange.routeId }, "request failed");
	if (exchange.over) return;
	if (!isGone) exchange.answeredBy = "edge";
	services.end(exchange, 500, isGone);
	exchange.response.close();
}
