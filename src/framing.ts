/**
 * What a request's header says about where its body ends, checked before anything else is done with it
 * (contract 6, "Refused with 400 and close"). One function for the data path and the management API: the
 * HTTP library lets through what could make the two ends disagree (two lengths, an empty one, any
 * `transfer-encoding` as if chunked), so both sides refuse it here and close the connection.
 */

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

/**
 * Hot: one pass, nothing allocated; refusals are constants.
 * @param headers name, value, name, value, … in the order received, names in lower case
 * @returns the body's length in bytes (0 if there is none), `CHUNKED`, or why the request is refused;
 *   after a refusal the connection must be closed, because nobody knows where the next request begins
 */
export function checkFraming(headers: readonly string[]): number | FramingRefusal {
	let host: string | undefined;
	let length: string | undefined;
	let coding: string | undefined;
	let several: FramingRefusal | undefined;
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index];
		if (name === "host") {
			if (host !== undefined) several ??= REPEATED_HOST;
			host = headers[index + 1];
		} else if (name === "content-length") {
			if (length !== undefined) several ??= REPEATED_LENGTH;
			length = headers[index + 1];
		} else if (name === "transfer-encoding") {
			if (coding !== undefined) several ??= UNKNOWN_CODING;
			coding = headers[index + 1];
		}
	}
	if (length !== undefined && coding !== undefined) return BOTH;
	if (several !== undefined) return several;
	if (host === undefined) return NO_HOST;
	if (host === "") return EMPTY_HOST;
	if (length !== undefined) return LENGTH.test(length) ? Number(length) : BAD_LENGTH;
	if (coding === undefined) return 0;
	return coding === "chunked" || coding.toLowerCase() === "chunked" ? CHUNKED : UNKNOWN_CODING;
}
