/**
 * A request of the front's as the data path reads it (`http/front-request.ts`). A plain one is read where it stands in
 * its text; of any other the lines go to `header-reader.ts`. Used by `server.ts`.
 */

import type { EdgeErrorCode } from "../../error-code-origins.ts";
import { ERROR_CODES } from "../../error-codes.ts";
import type { Front } from "../../http/front.ts";
import { type FrontRefusal, FrontRequest } from "../../http/front-request.ts";
import { addon } from "../../native-addon.ts";
import { badRequest } from "../response/local-replies.ts";
import type { Authorities, MetAuthority } from "./authorities.ts";
import type { HeaderReader } from "./header-reader.ts";
import type { ParsedHeader, Refusal } from "./request-head.ts";
import { type RequestLines, TextRequestLines } from "./request-lines.ts";

// Numbers rather than properties of an object with many, which are slow to read.
const {
	lines: AT_LINES,
	bodyLength: AT_BODY_LENGTH,
	hostAt: AT_HOST_AT,
	hostBytes: AT_HOST_BYTES,
	forwarded: AT_FORWARDED,
} = addon.frontLayout;

export class FrontHeader extends FrontRequest implements ParsedHeader {
	readonly bad = false;
	readonly ascii = true;
	/** a request with such names is not plain */
	readonly underscored = false;
	readonly upgrade = false;
	readonly via = false;
	readonly #reader: HeaderReader;
	readonly #add = (name: string, value: string): void => this.#reader.addBytes(name, value);

	constructor(front: Front, reader: HeaderReader) {
		super(front);
		this.#reader = reader;
	}

	/** Hot. Reads the request that was taken. @param ownHost for clients that name no host, as HTTP/1.0 allows */
	read(ownHost: string): ParsedHeader {
		if (this.isPlain) {
			this.readPlainLine();
			return this;
		}
		this.#reader.clear();
		this.readLines(this.#add, ownHost);
		return this.#reader;
	}

	/** @returns why what was taken is no request; undefined if it is one */
	refusal(): Refusal | undefined {
		const refused = this.refused();
		return refused === undefined ? undefined : refusalOf(refused);
	}

	get bodyLength(): number {
		return this.front.numbers[AT_BODY_LENGTH] ?? 0;
	}
	authorityIn(authorities: Authorities): MetAuthority | undefined {
		const { text, numbers } = this.front;
		return authorities.within(text, numbers[AT_HOST_AT] ?? 0, numbers[AT_HOST_BYTES] ?? 0);
	}
	takeLines(): RequestLines {
		const { text, numbers } = this.front;
		return new TextRequestLines(
			text,
			numbers[AT_LINES] ?? 0,
			numbers[AT_FORWARDED] ?? 0,
			numbers[AT_HOST_AT] ?? 0,
			numbers[AT_HOST_BYTES] ?? 0,
		);
	}
}

const isCode = (code: string): code is EdgeErrorCode => code in ERROR_CODES;

const refusals = new Map<FrontRefusal, Refusal>();
function refusalOf(refused: FrontRefusal): Refusal {
	const known = refusals.get(refused);
	if (known !== undefined) return known;
	const { code, sentence } = refused;
	const reply = badRequest(isCode(code) ? code : "ERR_BAD_REQUEST", sentence);
	const refusal = { reply, inStep: true };
	refusals.set(refused, refusal);
	return refusal;
}
