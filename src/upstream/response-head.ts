/**
 * The header of an upstream's response: as text for the client, and as names and values for policies. The
 * interface is shared by both implementations of `Upstream`; `RawResponseHead`, made from the raw lines that
 * undici hands over, is the one of `undici/attempt.ts`.
 */
import { asciiLowerCase } from "../ascii.ts";
import {
	FRAMING,
	HOP_BY_HOP,
	isFieldName,
	isFieldValue,
	NOT_ASCII,
	namedInConnection,
} from "../http/fields.ts";

export interface ResponseHead {
	/**
	 * The lines to pass on, each `name: value`, divided by CRLF; a latin1 string of the bytes. Left out are fields
	 * of the connection and of framing (RFC 9110 7.6.1), and `date`, which the edge writes itself.
	 */
	readonly passed: string;
	/** no byte of `passed` is above 127 */
	readonly ascii: boolean;
	/**
	 * All lines as they came: name, value, name, value…; names in lower case, values as UTF-8 text. To be
	 * called before the sink's method returns that was given this header.
	 */
	lines(): readonly string[];
}

/** A response that came in one piece; its memory is the upstream's, as that of the head. */
export interface WholeResponse extends ResponseHead {
	/** length of `passed` */
	readonly passedBytes: number;
	/** length of the body */
	readonly bodyBytes: number;
	/** for `ClientResponse.sendRecord`; -1: none, and its parts have to be sent */
	readonly record: number;
	body(): Uint8Array;
}

const bufferOf = (bytes: Uint8Array | undefined): Buffer =>
	bytes === undefined
		? Buffer.alloc(0)
		: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The bytes as a string of as many characters. */
export const latin1 = (bytes: Uint8Array | undefined): string => bufferOf(bytes).toString("latin1");

const connectionLines = (raw: readonly Uint8Array[]): string[] => {
	const lines: string[] = [];
	for (let index = 0; index < raw.length; index += 2) {
		if (raw[index]?.length !== 10 || asciiLowerCase(latin1(raw[index])) !== "connection") continue;
		lines.push(latin1(raw[index + 1]));
	}
	return lines;
};

export class RawResponseHead implements ResponseHead {
	readonly passed: string;
	readonly ascii: boolean;
	readonly #raw: readonly Uint8Array[];

	private constructor(raw: readonly Uint8Array[], passed: readonly string[]) {
		this.passed = passed.join("\r\n");
		this.ascii = !NOT_ASCII.test(this.passed);
		this.#raw = raw;
	}

	/**
	 * @param raw name, value, name, value…, bytes as they came
	 * @returns undefined if HTTP does not allow one of the lines
	 */
	static from(raw: readonly Uint8Array[]): RawResponseHead | undefined {
		const named = namedInConnection(connectionLines(raw));
		const passed: string[] = [];
		for (let index = 0; index < raw.length; index += 2) {
			const name = latin1(raw[index]);
			const value = latin1(raw[index + 1]);
			if (!isFieldName(name) || !isFieldValue(value)) return undefined;
			const lower = asciiLowerCase(name);
			if (HOP_BY_HOP.has(lower) || FRAMING.has(lower) || lower === "date") continue;
			if (named?.has(lower) !== true) passed.push(`${name}: ${value}`);
		}
		return new RawResponseHead(raw, passed);
	}

	lines(): readonly string[] {
		return this.#raw.map((bytes, index) =>
			index % 2 === 0 ? asciiLowerCase(latin1(bytes)) : bufferOf(bytes).toString("utf8"),
		);
	}
}
