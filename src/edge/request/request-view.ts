/**
 * The quick way to read a request: the addon copies the header out of the server library's memory in one
 * call, where the library itself hands over two strings and a call for each line, and an `ArrayBuffer` for the
 * address (native/README.md, "The request view"). Used by `server.ts` for plain requests; all others are
 * read in the library's own way (`request-header.ts`), and only there a request is refused for its header.
 *
 * It relies on what the library's memory looks like, so it is there only for the very files it was written for,
 * told by their SHA-256. With any other build of the library everything works as well, a little slower.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type HttpRequest, type HttpResponse, libraryFile } from "../../http/uws.ts";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";
import type { ArrivedHeader } from "./arrival.ts";
import { textOfIPv4 } from "./peer-address.ts";
import { type RequestLines, TextRequestLines } from "./request-lines.ts";

/** uws-pack 20.0.8, linux-x64, for Node 20 and 22. */
const KNOWN_BUILDS: ReadonlySet<string> = new Set([
	"6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e",
	"8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af",
]);

/** Which of the numbers of the last request is what. */
const AT = addon.requestViewLayout;

const isKnown = (file: string | undefined): boolean => {
	if (file === undefined) return false;
	try {
		return KNOWN_BUILDS.has(createHash("sha256").update(readFileSync(file)).digest("hex"));
	} catch {
		return false;
	}
};

/** One for all requests, whose handlers run one after the other. As a header it is that of the last one read. */
export class RequestView implements ArrivedHeader {
	readonly bad = false;
	readonly ascii = true;
	/** what has such names isn't plain */
	readonly underscored = false;
	readonly upgrade = false;
	/** bytes of the forwarded lines; place and length of the value of `host`; content-length */
	readonly #numbers = new Float64Array(AT.numbers);
	#text = "";

	/** The addon writes the numbers of one view. */
	static #opened: RequestView | undefined;

	private constructor() {}

	/** @returns the same one each time; undefined where the library isn't one of the known builds */
	static open(file = libraryFile()): RequestView | undefined {
		if (!isKnown(file)) return undefined;
		if (RequestView.#opened === undefined) {
			const view = new RequestView();
			// The kernel takes twice as much as it is asked for.
			if (addon.openRequestView(view.#numbers, LIMITS.bodyReadBytes / 2))
				RequestView.#opened = view;
		}
		return RequestView.#opened;
	}

	/**
	 * Hot. To be called while the request's handler runs.
	 * @returns false if the request isn't plain (native/src/request/request_view.h)
	 */
	read(request: HttpRequest): boolean {
		const text = addon.viewRequest(request);
		if (text === undefined) return false;
		this.#text = text;
		return true;
	}

	get bodyLength(): number {
		return this.#numbers[AT.bodyLength] ?? 0;
	}
	get host(): string {
		const offset = this.#numbers[AT.hostOffset] ?? 0;
		const length = this.#numbers[AT.hostLength] ?? 0;
		return this.#text.slice(offset, offset + length);
	}
	takeLines(): RequestLines {
		const numbers = this.#numbers;
		return new TextRequestLines(
			this.#text,
			numbers[AT.forwardedLength] ?? 0,
			numbers[AT.hostOffset] ?? 0,
			numbers[AT.hostLength] ?? 0,
		);
	}

	/** A line without a name hides the lines behind it from everybody who asks the library. */
	hidesLines(request: HttpRequest): boolean {
		return addon.hidesLines(request);
	}

	/** Hot. @returns the peer's IPv4 address; undefined if it has another one, or the response has ended */
	peerOf(response: HttpResponse): string | undefined {
		const address = addon.peerOf(response);
		return address === undefined ? undefined : textOfIPv4(address);
	}

	/**
	 * For a long body: without it the library reads on as long as each read fills its 512 KiB, paused or not, and
	 * a fast client's upload ends up in memory.
	 */
	boundReads(response: HttpResponse): void {
		addon.boundReads(response);
	}

	/** @returns bytes that the client has acknowledged since it connected; -1: not known */
	acknowledgedBytes(response: HttpResponse): number {
		return addon.acknowledgedBytes(response);
	}

	/** @returns bytes that are left to be read of a client that will send no more; -1: it may, or nobody knows */
	bytesBeforeEnd(response: HttpResponse): number {
		return addon.bytesBeforeEnd(response);
	}
}
