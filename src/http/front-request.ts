/**
 * A request as the front hands it over (native/src/front/request_text.h), taken apart as far as all who serve requests
 * need it. Used by `edge/request/front-header.ts` and `management/http/incoming.ts`.
 */
import { addon } from "../native-addon.ts";
import { NOT_ASCII, textOfBytes } from "./fields.ts";
import type { Front } from "./front.ts";

// Numbers rather than properties of an object with many, which are slow to read.
const {
	kind: AT_KIND,
	kindPlain: AT_KIND_PLAIN,
	kindRefusal: AT_KIND_REFUSAL,
	lines: AT_LINES,
	targetBytes: AT_TARGET_BYTES,
	method: AT_METHOD,
	queryAt: AT_QUERY_AT,
} = addon.frontLayout;
/** By the number that the addon has for them. */
const METHODS = [undefined, "GET", "PUT", "POST", "HEAD"] as const;

/** Why what a client sent is no request. The addon has a fixed number of them, and each is one object. */
export interface FrontRefusal {
	readonly status: number;
	/** of `error-codes.ts` */
	readonly code: string;
	/** without a capital and a full stop */
	readonly sentence: string;
}

/** One for all requests of a listener, because their handlers run one after the other. */
export class FrontRequest {
	method = "";
	rawPath = "";
	/** undefined if the target holds no `?` */
	rawQuery: string | undefined;
	protected readonly front: Front;

	constructor(front: Front) {
		this.front = front;
	}

	/**
	 * Method and target are then known for logs, if its first line was one.
	 * @returns why what was taken is no request; undefined if it is one
	 */
	refused(): FrontRefusal | undefined {
		const { text, numbers } = this.front;
		if (numbers[AT_KIND] !== AT_KIND_REFUSAL) return undefined;
		const lineAt = text.lastIndexOf("\r\n") + 2;
		this.#readRefusedLine(text.slice(lineAt));
		return refusalOf(text.slice(0, lineAt));
	}

	/** @param line empty if nobody knows it */
	#readRefusedLine(line: string): void {
		const targetAt = line.indexOf(" ") + 1;
		this.method = line.slice(0, Math.max(targetAt - 1, 0));
		this.#readTarget(line.slice(targetAt));
	}

	#readTarget(bytes: string): void {
		const target = NOT_ASCII.test(bytes) ? textOfBytes(bytes) : bytes;
		const queryAt = target.indexOf("?");
		this.rawPath = queryAt < 0 ? target : target.slice(0, queryAt);
		this.rawQuery = queryAt < 0 ? undefined : target.slice(queryAt + 1);
	}

	/** Its lines stand in the front's text as they go on: `name: value\r\n`, names in lower case, ASCII alone. */
	protected get isPlain(): boolean {
		return this.front.numbers[AT_KIND] === AT_KIND_PLAIN;
	}

	/** Of a plain request. */
	protected get plainLines(): string {
		const { text, numbers } = this.front;
		return text.slice(0, numbers[AT_LINES] ?? 0);
	}

	/** Hot. Of a plain request. */
	protected readPlainLine(): void {
		const { text, numbers } = this.front;
		const targetAt = numbers[AT_LINES] ?? 0;
		const targetEnd = targetAt + (numbers[AT_TARGET_BYTES] ?? 0);
		this.method = METHODS[numbers[AT_METHOD] ?? 0] ?? text.slice(targetEnd);
		const queryAt = targetAt + (numbers[AT_QUERY_AT] ?? 0);
		this.rawPath = text.slice(targetAt, queryAt);
		this.rawQuery = queryAt < targetEnd ? text.slice(queryAt + 1, targetEnd) : undefined;
	}

	/**
	 * Of one that is not plain.
	 * @param add told of each field: its name in lower case, its value a character a byte
	 * @param ownHost for clients that name no host, as HTTP/1.0 allows
	 */
	protected readLines(add: (name: string, value: string) => void, ownHost: string): void {
		const [method = "", bytes = "", ...lines] = this.front.text.split("\r\n");
		this.method = method;
		this.#readTarget(bytes);
		let hasHost = false;
		for (const line of lines) {
			if (line === "") continue;
			const colon = line.indexOf(":");
			const name = line.slice(0, colon);
			hasHost ||= name === "host";
			add(name, line.slice(colon + 2));
		}
		if (!hasHost) add("host", ownHost);
	}
}

const refusals = new Map<string, FrontRefusal>();
function refusalOf(text: string): FrontRefusal {
	const known = refusals.get(text);
	if (known !== undefined) return known;
	const [status = "", code = "", sentence = ""] = text.split("\r\n");
	const refusal = { status: Number(status), code, sentence };
	refusals.set(text, refusal);
	return refusal;
}
