/**
 * A backend's response that is there as a whole, and that nobody has to look at or change: it goes to the client in one
 * piece, from where the native client has it, and nothing is made for it. Called by `proxied-request.ts`.
 */
import type { WholeResponse } from "../../upstream/response-head.ts";
import type { Exchange } from "../exchange.ts";
import { wholeHead } from "../headers/response-changes.ts";
import { fitsOnePiece, hasNoBody, writeWhole } from "../response/write-response.ts";
import type { Services } from "../services.ts";
import type { UpstreamRequest } from "./upstream-request.ts";

/** Hot. @param length of its body, or -1 @returns false, having done nothing: it has to be shown, or handed over in pieces */
export function passWhole(
	exchange: Exchange,
	services: Services,
	upstream: UpstreamRequest,
	statusCode: number,
	whole: WholeResponse,
	length: number,
): boolean {
	const { response, client } = exchange;
	if (services.draining || client.connectionField !== "" || exchange.isWatched) return false;
	if (exchange.route?.policy?.outboundEmpty === false) return false;
	// Who counts answers reads their fields.
	if (exchange.answerTasks !== undefined) return false;
	if (services.accessLog.readsResponse || hasNoBody(exchange.method, statusCode)) return false;
	const head = wholeHead(response, whole, exchange.responseChanges);
	const passedBytes = head?.passed.length ?? whole.passedBytes;
	const { bodyBytes } = whole;
	if (!fitsOnePiece(passedBytes, length, bodyBytes)) return false;
	services.traffic.responded(exchange);
	exchange.marks?.answered();
	exchange.answeredBy = "upstream";
	exchange.responseStatusCode = statusCode;
	upstream.stopBody();
	exchange.bytesOut += bodyBytes;
	writeWhole(response, statusCode, head, whole);
	client.answered(false);
	services.end(exchange, statusCode, false);
	return true;
}
