/**
 * A request as the front hands it over (native/src/front/request_text.h). A plain one is read where it stands in its
 * text; of any other the lines go to `header-reader.ts`. Used by `server.ts`.
 */

import type { EdgeErrorCode } from "../../error-code-origins.ts";
import { ERROR_CODES } from "../../error-codes.ts";
import { NOT_ASCII } from "../../http/fields.ts";
import type { Front } from "../../http/front.ts";
import { addon } from "../../native-addon.ts";
import { badRequest } from "../response/local-replies.ts";
import { textOfBytes } from "./header-lines.ts";
import type { HeaderReader } from "./header-reader.ts";
import type { ParsedHeader, Refusal } from "./request-head.ts";
import { type RequestLines, TextRequestLines } from "./request-lines.ts";

// Numbers rather than properties of an object with many, which are slow to read.
const {
	kind: AT_KIND,
	kindPlain: AT_KIND_PLAIN,
	lines: AT_LINES,
	targetBytes: AT_TARGET_BYTES,
	method: AT_METHOD,
	queryAt: AT_QUERY_AT,
	kindRefusal: AT_KIND_REFUSAL,
	bodyLength: AT_BODY_LENGTH,
	hostAt: AT_HOST_AT,
	hostBytes: AT_HOST_BYTES,
	forwarded: AT_FORWARDED,
} = addon.frontLayout;
/** By the number that the addon has for them. */
const METHODS = [undefined, "GET", "PUT", "POST", "HEAD"] as const;

/** One for all requests, because their handlers run one after the other. */
export class FrontHeader implements ParsedHeader {
	readonly bad = false;
	readonly ascii = true;
	/** a request with such names is not plain */
	readonly underscored = false;
	readonly upgrade = false;
	readonly via = false;
	method = "";
	rawPath = "";
	/** undefined if the target holds no `?` */
	rawQuery: string | undefined;
	readonly #front: Front;
	readonly #reader: HeaderReader;

	constructor(front: Front, reader: HeaderReader) {
		this.#front = front;
		this.#reader = reader;
	}

	/** Hot. Reads the request that was taken. @param ownHost for clients that name no host, as HTTP/1.0 allows */
	read(ownHost: string): ParsedHeader {
		const { text, numbers } = this.#front;
		if (numbers[AT_KIND] !== AT_KIND_PLAIN) return this.#readLines(text, ownHost);
		const targetAt = numbers[AT_LINES] ?? 0;
		const targetEnd = targetAt + (numbers[AT_TARGET_BYTES] ?? 0);
		this.method = METHODS[numbers[AT_METHOD] ?? 0] ?? text.slice(targetEnd);
		const queryAt = targetAt + (numbers[AT_QUERY_AT] ?? 0);
		this.rawPath = text.slice(targetAt, queryAt);
		this.rawQuery = queryAt < targetEnd ? text.slice(queryAt + 1, targetEnd) : undefined;
		return this;
	}

	/** @returns why what was taken is no request; undefined if it is one */
	refusal(): Refusal | undefined {
		const { text, numbers } = this.#front;
		if (numbers[AT_KIND] !== AT_KIND_REFUSAL) return undefined;
		this.method = "";
		this.rawPath = "";
		return refusalOf(text);
	}

	get bodyLength(): number {
		return this.#front.numbers[AT_BODY_LENGTH] ?? 0;
	}
	get host(): string {
		const { text, numbers } = this.#front;
		const at = numbers[AT_HOST_AT] ?? 0;
		return text.slice(at, at + (numbers[AT_HOST_BYTES] ?? 0));
	}
	takeLines(): RequestLines {
		const { text, numbers } = this.#front;
		return new TextRequestLines(
			text,
			numbers[AT_LINES] ?? 0,
			numbers[AT_FORWARDED] ?? 0,
			numbers[AT_HOST_AT] ?? 0,
			numbers[AT_HOST_BYTES] ?? 0,
		);
	}

	#readLines(text: string, ownHost: string): ParsedHeader {
		const reader = this.#reader;
		reader.clear();
		const [method = "", bytes = "", ...lines] = text.split("\r\n");
		const target = NOT_ASCII.test(bytes) ? textOfBytes(bytes) : bytes;
		this.method = method;
		const queryAt = target.indexOf("?");
		this.rawPath = queryAt < 0 ? target : target.slice(0, queryAt);
		this.rawQuery = queryAt < 0 ? undefined : target.slice(queryAt + 1);
		let hasHost = false;
		for (const line of lines) {
			if (line === "") continue;
			const colon = line.indexOf(":");
			const name = line.slice(0, colon);
			hasHost ||= name === "host";
			reader.addBytes(name, line.slice(colon + 2));
		}
		if (!hasHost) reader.addBytes("host", ownHost);
		return reader;
	}
}

const isCode = (code: string): code is EdgeErrorCode => code in ERROR_CODES;

/** The addon has a fixed number of them. */
const refusals = new Map<string, Refusal>();
function refusalOf(text: string): Refusal {
	const known = refusals.get(text);
	if (known !== undefined) return known;
	const [, code = "", sentence = ""] = text.split("\r\n");
	const reply = badRequest(isCode(code) ? code : "ERR_BAD_REQUEST", sentence);
	const refusal = { reply, inStep: true };
	refusals.set(text, refusal);
	return refusal;
}
