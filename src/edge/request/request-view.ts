/**
 * The quick way to read a request. The addon copies the whole header out of the server library's memory in one call,
 * where the library itself needs two strings and a call for each line, and an `ArrayBuffer` for the address
 * (native/README.md, "The request view"). `server.ts` uses it for plain requests. All others are read through the
 * library (`header-reader.ts`), and only there a request is refused for its header.
 *
 * The addon has to know the layout of the library's memory, so the view exists only for the builds of the library
 * that it was written for, recognised by their SHA-256. With any other build everything works, a little slower.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type HttpRequest, type HttpResponse, libraryFile } from "../../http/uws.ts";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";
import { textOfIPv4 } from "./peer-address.ts";
import type { ParsedHeader } from "./request-head.ts";
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

/** One for all requests, because their handlers run one after the other. It holds the header that was read last. */
export class RequestView implements ParsedHeader {
	readonly bad = false;
	readonly ascii = true;
	/** a request with such names is not plain */
	readonly underscored = false;
	readonly upgrade = false;
	readonly via = false;
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
	 * To be called for a long body. Otherwise the library goes on while each read fills its 512 KiB, also on a paused
	 * socket, and a fast client's upload ends up in memory.
	 */
	boundReads(response: HttpResponse): void {
		addon.boundReads(response);
	}

	/** @returns bytes that the client has acknowledged since it connected; -1: not known */
	acknowledgedBytes(response: HttpResponse): number {
		return addon.acknowledgedBytes(response);
	}

	/** @returns bytes left to read of a client that has closed its side; -1: it has not, or that is not known */
	bytesBeforeEnd(response: HttpResponse): number {
		return addon.bytesBeforeEnd(response);
	}
}
