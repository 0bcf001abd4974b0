/**
 * A request of the API as it comes in: through the front, or, where there is none, from the server library alone. Made by
 * `listener.ts`, for `server.ts`.
 */
import type { ErrorCode } from "../../error-code-origins.ts";
import { ERROR_CODES } from "../../error-codes.ts";
import { ApiError } from "../../errors.ts";
import type { ClientConnection } from "../../http/client-connection.ts";
import type { ClientResponse } from "../../http/client-response.ts";
import { NOT_ASCII, textOfBytes } from "../../http/fields.ts";
import { type FrontRefusal, FrontRequest } from "../../http/front-request.ts";
import { LibraryConnection } from "../../http/library-connection.ts";
import type { HttpRequest, HttpResponse } from "../../http/uws.ts";
import type { Peer } from "../audit/notes.ts";
import { peerOf } from "./peer.ts";
import { ApiRequest } from "./request.ts";
import { MethodNotAllowed } from "./router.ts";

export interface Incoming {
	readonly response: ClientResponse;
	readonly client: ClientConnection;
	/** of one that is refused nothing is known */
	readonly request: ApiRequest;
	/** why what came is no request, and nothing that follows is one */
	readonly refusal: ApiError | undefined;
	/** To be called in the request's handler. */
	peer(): Peer;
}

/** One for all requests of a listener. */
export class FrontRequests extends FrontRequest {
	#fields: string[] = [];
	readonly #add = (name: string, value: string): void => {
		this.#fields.push(name, NOT_ASCII.test(value) ? textOfBytes(value) : value);
	};

	/** To be called in a request's handler. @param ownHost for clients that name no host, as HTTP/1.0 allows */
	read(response: ClientResponse, client: ClientConnection, ownHost: string): Incoming {
		this.#fields = [];
		const refused = this.refused();
		if (refused === undefined) this.#readFields(ownHost);
		const { method, rawPath, rawQuery } = this;
		const request = new ApiRequest(method, rawPath, rawQuery ?? "", this.#fields);
		return {
			response,
			client,
			request,
			refusal: refused && refusalOf(refused),
			peer: () => ({ address: client.address, port: client.port || undefined }),
		};
	}

	#readFields(ownHost: string): void {
		if (!this.isPlain) {
			this.readLines(this.#add, ownHost);
			return;
		}
		this.readPlainLine();
		for (const line of this.plainLines.split("\r\n")) {
			const colon = line.indexOf(": ");
			if (colon > 0) this.#fields.push(line.slice(0, colon), line.slice(colon + 2));
		}
	}
}

/** To be called in a request's handler, outside of which the library's objects do not live. */
export function fromLibrary(response: HttpResponse, request: HttpRequest): Incoming {
	const fields: string[] = [];
	request.forEach((name, value) => {
		fields.push(name, value);
	});
	const method = request.getCaseSensitiveMethod();
	const copied = new ApiRequest(method, request.getUrl(), request.getQuery() ?? "", fields);
	const client = new LibraryConnection(response, undefined);
	const peer = () => peerOf(response);
	return { response, client, request: copied, refusal: undefined, peer };
}

const isCode = (code: string): code is ErrorCode =>
	code in ERROR_CODES && ERROR_CODES[code as ErrorCode].origin !== ("edge" as string);

/** In the API's words: of transfer codings it has always had a code of its own. @see admission.ts */
function refusalOf({ status, code, sentence }: FrontRefusal): ApiError {
	const known = isCode(code) ? code : "ERR_BAD_REQUEST";
	if (status === 405) return MethodNotAllowed.anywhere(`The request is refused: ${sentence}.`);
	const own = status === 501 ? "ERR_UNSUPPORTED_TRANSFER_ENCODING" : known;
	return new ApiError(own, `The request is refused: ${sentence}.`);
}
