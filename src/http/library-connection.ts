/**
 * A client's connection where there is no front: what the server library itself tells and does. Made by
 * `edge/server.ts` for each request.
 */
import type { ClientConnection } from "./client-connection.ts";
import { addressOf } from "./peer-address.ts";
import { UNKNOWN_TLS_CLIENT } from "./tls/tls-client.ts";
import type { HttpResponse } from "./uws.ts";

/** Whom a PROXY protocol header names. */
interface Named {
	readonly address: string;
	readonly port: number;
}

export class LibraryConnection implements ClientConnection {
	readonly isFront = false;
	readonly startMs = 0;
	readonly tls = UNKNOWN_TLS_CLIENT;
	readonly expectsContinue = false;
	readonly isHttp10 = false;
	readonly connectionField = "";
	readonly hasBadBody = false;
	readonly bytesIn = -1;
	readonly bytesOut = -1;
	readonly #response: HttpResponse;
	readonly #named: Named | undefined;
	/** The library knows it only until the response has ended. */
	#address: string | undefined;

	constructor(response: HttpResponse, named: Named | undefined) {
		this.#response = response;
		this.#named = named;
	}

	get address(): string {
		this.#address ??= this.#named?.address ?? addressOf(this.#response.getRemoteAddress());
		return this.#address;
	}
	get port(): number {
		return this.#named?.port ?? 0;
	}

	pause(): void {
		this.#response.pause();
	}
	resume(): void {
		this.#response.resume();
	}
	/** Starts the library's clock again. */
	renew(): void {
		this.#response.pause();
		this.#response.resume();
	}
	answered(): void {}
	writeContinue(): void {}
	write(): number {
		return 0;
	}
	endsBody(): void {}
	boundReads(): void {}
	acknowledgedBytes(): number {
		return -1;
	}
	bytesBeforeEnd(): number {
		return -1;
	}
}
