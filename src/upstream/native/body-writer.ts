/**
 * A client's request body on its way into the native client, which copies what a socket doesn't take at once
 * and says when that is much. The body is started once, however often the request is tried. Made by
 * `call.ts`.
 */
import type { UpstreamAddon } from "../../native-addon.ts";
import type { RequestBody } from "../upstream.ts";

export type BodyPort = Pick<UpstreamAddon, "write" | "finish">;

export class BodyWriter {
	readonly #body: RequestBody;
	readonly #port: BodyPort;
	#call = -1;
	#started = false;
	#pushedBack = false;
	#stopped = false;

	constructor(body: RequestBody, port: BodyPort) {
		this.#body = body;
		this.#port = port;
	}

	/** The body of this call may begin, or begin again: nothing of it was written then. */
	wanted(call: number): void {
		if (this.#started || this.#stopped) return;
		this.#started = true;
		this.#call = call;
		this.#body.start(this);
	}

	/** There is room again. */
	drained(): void {
		if (!this.#pushedBack || this.#stopped) return;
		this.#pushedBack = false;
		this.#body.resume();
	}

	/** The call is over: what the client still sends is the caller's affair. */
	stop(): void {
		this.#stopped = true;
	}

	/** Called by the body. */
	onChunk(chunk: Uint8Array): void {
		if (this.#stopped || this.#port.write(this.#call, chunk) || this.#pushedBack) return;
		this.#pushedBack = true;
		this.#body.pause();
	}

	/** Called by the body. */
	onEnd(): void {
		if (!this.#stopped) this.#port.finish(this.#call);
	}
}
