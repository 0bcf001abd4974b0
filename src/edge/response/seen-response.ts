/** A response as expressions read it. Made by `exchange.ts` for those that rules, or whoever counts answers, look at. */
import type { HeaderLines } from "../../cel/attributes.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";
import { FlatHeaders } from "../request/header-lines.ts";

export class SeenResponse {
	/** bytes, or -1 */
	readonly contentLength: number;
	#headers: HeaderLines;
	/** of an upstream, until its lines have been read */
	#head: ResponseHead | undefined;

	/** @param head an upstream's, in place of `headers`; to be read while it is valid */
	constructor(contentLength: number, headers: HeaderLines, head?: ResponseHead) {
		this.contentLength = contentLength;
		this.#headers = headers;
		this.#head = head;
	}

	get headers(): HeaderLines {
		if (this.#head !== undefined) {
			this.#headers = new FlatHeaders(this.#head.lines());
			this.#head = undefined;
		}
		return this.#headers;
	}
}
