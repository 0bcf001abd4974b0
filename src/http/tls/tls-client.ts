/**
 * What a client of a TLS listener said of itself in its ClientHello, as the addon read it below TLS
 * (native/src/front/tls_client.h). Taken apart when somebody asks, which few policies do. Used by
 * `front-connection.ts` and `library-connection.ts`.
 */
import { hostSpelling } from "../host.ts";
import { ja4Of } from "./ja4.ts";

/** What a name may be made of; other bytes have no one spelling that a policy could name. */
const PRINTABLE = /^[!-~]+$/;

export class TlsClient {
	/** `1.3` or `1.2`: what both sides agreed upon; empty where that is not known */
	readonly version: string;
	/** the name that the client asked for, in lower case and without a trailing dot; empty: none, or none to be spelled */
	readonly serverName: string;
	readonly #raw: string;
	#ja4: string | undefined;

	/** @param text of the addon; empty: it knows nothing */
	constructor(text: string) {
		const [version = "", name = "", raw = ""] = text.split("\0");
		this.version = version;
		this.serverName = PRINTABLE.test(name) ? (hostSpelling(name) ?? "") : "";
		this.#raw = raw;
	}

	/** the client's fingerprint, as `t13d1516h2_8daaf6152771_e5627efa2ab1`; empty where it is not known */
	get ja4(): string {
		this.#ja4 ??= ja4Of(this.#raw) ?? "";
		return this.#ja4;
	}
}

/** Of a connection without TLS, or whose ClientHello nobody read. */
export const UNKNOWN_TLS_CLIENT = new TlsClient("");
