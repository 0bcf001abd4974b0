/**
 * What a request's header says about where its body ends, checked before anything else is done with it
 * (contract 6, "Refused with 400 and close"). One function for the data path and the management API: the
 * HTTP library lets through what could make the two ends disagree (two lengths, an empty one, any
 * `transfer-encoding` as if chunked), so both sides refuse it here and close the connection.
 */
import { asciiLowerCase } from "../ascii.ts";

export interface FramingRefusal {
	readonly status: 400 | 501;
	/** one sentence for the client */
	readonly message: string;
}

const refusal = (status: 400 | 501, message: string): FramingRefusal =>
	Object.freeze({ status, message });

const REPEATED_LENGTH = refusal(400, "the header has several content-length fields");
const BAD_LENGTH = refusal(400, "content-length is not a number of bytes");
const BOTH = refusal(400, "the header has both content-length and transfer-encoding");
const UNKNOWN_CODING = refusal(501, "transfer-encoding can be chunked only");
const NO_HOST = refusal(400, "the host field is missing");
const EMPTY_HOST = refusal(400, "the host field is empty");
const REPEATED_HOST = refusal(400, "the header has several host fields");

/** 15 digits stay below 2^53 */
const LENGTH = /^[0-9]{1,15}$/;

/** The body's length in bytes where it is told in advance, and what stands for chunked. */
export const CHUNKED = -1;

/** Collects what the fields of a header say about framing, field by field. Hot: nothing is allocated. */
export class FramingFields {
	/** of the first `host` field */
	host: string | undefined;
	#length: string | undefined;
	#coding: string | undefined;
	#several: FramingRefusal | undefined;

	/** For the next request. */
	clear(): void {
		this.host = undefined;
		this.#length = undefined;
		this.#coding = undefined;
		this.#several = undefined;
	}

	/** @param name in lower case; any field's */
	add(name: string, value: string): void {
		if (name === "host") {
			if (this.host === undefined) this.host = value;
			else this.#several ??= REPEATED_HOST;
		} else if (name === "content-length") {
			if (this.#length === undefined) this.#length = value;
			else this.#several ??= REPEATED_LENGTH;
		} else if (name === "transfer-encoding") {
			if (this.#coding === undefined) this.#coding = value;
			else this.#several ??= UNKNOWN_CODING;
		}
	}

	/**
	 * @returns the body's length in bytes (0 if there is none), `CHUNKED`, or why the request is refused;
	 *   after a refusal the connection must be closed, because nobody knows where the next request begins
	 */
	bodyLength(): number | FramingRefusal {
		const length = this.#length;
		const coding = this.#coding;
		if (length !== undefined && coding !== undefined) return BOTH;
		if (this.#several !== undefined) return this.#several;
		if (this.host === undefined) return NO_HOST;
		if (this.host === "") return EMPTY_HOST;
		if (length !== undefined) return LENGTH.test(length) ? Number(length) : BAD_LENGTH;
		if (coding === undefined) return 0;
		return coding === "chunked" || asciiLowerCase(coding) === "chunked" ? CHUNKED : UNKNOWN_CODING;
	}
}

/**
 * As `FramingFields.bodyLength`, of a whole header.
 * @param headers name, value, name, value, … in the order received, names in lower case
 */
export function checkFraming(headers: readonly string[]): number | FramingRefusal {
	const fields = new FramingFields();
	for (let index = 0; index < headers.length; index += 2) {
		fields.add(headers[index] ?? "", headers[index + 1] ?? "");
	}
	return fields.bodyLength();
}
