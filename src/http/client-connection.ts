/**
 * A client's connection as those see it who serve its requests: the front's (`front-connection.ts`), or the server
 * library's own where there is no front (`library-connection.ts`).
 */
import type { TlsClient } from "./tls/tls-client.ts";

/** A response's field `connection`; empty: it has none. */
export type ConnectionField = "" | "close" | "keep-alive";

/** What whoever proxies a connection's requests leaves at it for the next one (`edge/proxying/sender-lines.ts`). */
export interface Asked {
	/** authority of the last request */
	last: object | undefined;
	/** what backends are told of the client; empty: not put down */
	lines: string;
}

export interface ClientConnection {
	/** of the client, or whom a PROXY protocol header names; to be read before the first answer; empty: it has gone */
	readonly address: string;
	/** of the client at `address`; 0: not known */
	readonly port: number;
	/** when it began, milliseconds since 1970; 0: not known */
	readonly startMs: number;
	/** what it said of itself below TLS; nothing on plain listeners, and where there is no front */
	readonly tls: TlsClient;
	/** bytes of this connection that have come, and that were sent, within TLS and so far; -1: not known */
	readonly bytesIn: number;
	readonly bytesOut: number;
	/** Its ends of connections are told by `answered`, and by nothing else. */
	readonly isFront: boolean;
	/** of the request that is pending */
	readonly expectsContinue: boolean;
	readonly isHttp10: boolean;
	/** What the answer says of the connection: that it ends as the client wants it, or goes on in spite of HTTP/1.0. */
	readonly connectionField: ConnectionField;
	/** The body of the pending request is malformed from here on. */
	readonly hasBadBody: boolean;
	/** undefined: nothing is left here for the connection's next request */
	readonly asked?: Asked;
	/** Reads no more for now; what was read already comes all the same. */
	pause(): void;
	resume(): void;
	/** Somebody else than the library decides how long to wait, and waits on. */
	renew(): void;
	/** Hot. The answer is complete. @param last the client was told that the connection ends with it */
	answered(last: boolean): void;
	/** Before, the connection of a client that expects it ends with the answer: nobody would know whether its body comes. */
	writeContinue(): void;
	/** As it is, in place of a response. @returns bytes that the client's socket took */
	write(bytes: Uint8Array): number;
	/** The end of the connection will say that a body is complete: whatever closes it before is a reset. */
	endsBody(): void;
	/** Has the kernel keep less than what one read of the library's takes, which would read on at once. */
	boundReads(): void;
	/** @returns bytes that the client has acknowledged since it connected; -1: not known */
	acknowledgedBytes(): number;
	/** @returns bytes left to read of a client that has closed its side; -1: it has not, or that is not known */
	bytesBeforeEnd(): number;
}
