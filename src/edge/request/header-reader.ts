/**
 * Copies a request's header lines from the server library, and checks them on the way, so that no line is read
 * twice: framing, bytes that can't be forwarded, and whether some rare fields are there. `server.ts` keeps one for
 * all requests, because their handlers run one after the other. Hot.
 *
 * Lines whose names hold an underscore are dropped, passed or refused, as the configuration says (contract 6). CGI,
 * WSGI and others read `x_admin` and `x-admin` as one name, and a rule on the one does not see the other. lighttpd,
 * busybox and others turn every character that is no letter or digit into `_`, so names such as `x.admin` and
 * `x~admin` are treated alike.
 */
import type { Config } from "../../config.ts";
import { isOwn, NOT_ASCII, textOfBytes } from "../../http/fields.ts";
import { FramingFields, type FramingRefusal } from "../../http/framing.ts";
import type { Counter } from "../../telemetry/metrics.ts";
import type { Authorities, MetAuthority } from "./authorities.ts";
import { utf8Bytes } from "./header-lines.ts";
import type { ParsedHeader } from "./request-head.ts";
import { FlatRequestLines, type RequestLines } from "./request-lines.ts";

type Underscores = Config["underscoresInHeaders"];

/** Characters of a name that some backends read as a hyphen. */
const NOT_PLAIN_NAME = /[^a-z0-9-]/;
const NOT_ALPHANUMERIC = /[^a-z0-9]/g;
/** One range without tab, which saves a quarter of the time. What it finds is checked again. */
const NOT_PLAIN = /[^\u0020-\u007e]/;
/** Control characters except tab, and the character that the library puts in place of bytes that are no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BAD_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f\ufffd]/;

export class HeaderReader implements ParsedHeader {
	readonly #underscores: Underscores;
	readonly #underscored: Counter;
	/** name, value, name, value, …; names in lower case */
	#lines: string[] = [];
	/** of `addBytes`: the same, a character a byte */
	#sent: string[] = [];
	readonly #framing = new FramingFields();
	/** no value holds a byte beyond ASCII */
	ascii = true;
	/** a value holds what can't be forwarded unchanged */
	bad = false;
	underscored = false;
	/** `connection` says more than whether the connection stays open */
	#connectionOptions = false;
	upgrade = false;
	via = false;

	/** @param underscored counts lines that are left out or refused */
	constructor(underscores: Underscores, underscored: Counter) {
		this.#underscores = underscores;
		this.#underscored = underscored;
	}

	get bodyLength(): number | FramingRefusal {
		return this.#framing.bodyLength();
	}
	/** the `host` field as it came */
	get host(): string {
		return this.#framing.host ?? "";
	}
	authorityIn(authorities: Authorities): MetAuthority | undefined {
		return authorities.of(this.host);
	}
	takeLines(): RequestLines {
		const lines = this.#lines;
		if (this.ascii) return new FlatRequestLines(lines, this.#connectionOptions);
		const sent = this.#sent.length > 0 ? this.#sent : lines.map(utf8Bytes);
		return new FlatRequestLines(lines, this.#connectionOptions, sent);
	}

	/** For the next request. Lines that were taken stay as they are. */
	clear(): void {
		this.#lines = [];
		this.#sent = [];
		this.#framing.clear();
		this.ascii = true;
		this.bad = false;
		this.underscored = false;
		this.#connectionOptions = false;
		this.upgrade = false;
		this.via = false;
	}

	/**
	 * Whether a line whose name is not plain is left out. A name that some backends read as one of the edge's own
	 * fields is always left out, or the client could say itself who sent the request.
	 */
	#leavesOut(name: string): boolean {
		const passes = this.#underscores === "pass" && !isOwn(name.replace(NOT_ALPHANUMERIC, "-"));
		if (passes) return false;
		this.#underscored.value++;
		this.underscored = this.#underscores === "refuse";
		return true;
	}

	/** Bound, so that it can be handed to the library as it is. @param name a token in lower case */
	readonly add = (name: string, value: string): void => {
		if (NOT_PLAIN_NAME.test(name) && this.#leavesOut(name)) return;
		this.#lines.push(name, value);
		if (NOT_PLAIN.test(value)) {
			if (NOT_ASCII.test(value)) this.ascii = false;
			if (BAD_VALUE.test(value)) this.bad = true;
		}
		this.#note(name, value);
	};

	/**
	 * Of a line that the request reader let pass: any bytes go upstream as they came, and rules read them as UTF-8.
	 * @param value a character a byte
	 */
	addBytes(name: string, value: string): void {
		if (NOT_PLAIN_NAME.test(name) && this.#leavesOut(name)) return;
		const isAscii = !NOT_ASCII.test(value);
		const text = isAscii ? value : textOfBytes(value);
		this.ascii &&= isAscii;
		this.#lines.push(name, text);
		this.#sent.push(name, value);
		this.#note(name, text);
	}

	#note(name: string, value: string): void {
		// By length first: comparing each name with each field of interest takes longer than copying it.
		switch (name.length) {
			case "host".length:
			case "content-length".length:
			case "transfer-encoding".length:
				this.#framing.add(name, value);
				break;
			case "via".length:
				if (name === "via") this.via = true;
				break;
			case "connection".length:
				if (name === "connection" && value !== "keep-alive" && value !== "close") {
					this.#connectionOptions = true;
				}
				break;
			case "upgrade".length:
				if (name === "upgrade") this.upgrade = true;
		}
	}
}
