/**
 * A request's body on its way from a client of the edge into the native upstream client, which copies what the
 * backend's socket does not take at once, and pushes back when it keeps much. The body is started once, however
 * often the request is tried. Made by `call.ts`.
 */
import type { UpstreamAddon } from "../../native-addon.ts";
import type { Expecting, RequestBody } from "../upstream.ts";

export type BodyPort = Pick<UpstreamAddon, "write" | "finish">;

export class BodyWriter {
	readonly #body: RequestBody;
	readonly #port: BodyPort;
	readonly #expects: Expecting | undefined;
	#call = -1;
	#started = false;
	#pushedBack = false;
	#stopped = false;

	constructor(body: RequestBody, port: BodyPort, expects?: Expecting) {
		this.#body = body;
		this.#port = port;
		this.#expects = expects;
	}

	/** The body of this call may begin. Said again for another attempt, if nothing of the body was written. */
	wanted(call: number): void {
		if (this.#stopped) return;
		this.#expects?.onAttempt();
		if (this.#started) return;
		this.#started = true;
		this.#call = call;
		this.#body.start(this);
	}

	/** The backend asks for it. */
	continues(): void {
		if (!this.#stopped) this.#expects?.onContinue();
	}

	/** There is room again. */
	drained(): void {
		if (!this.#pushedBack || this.#stopped) return;
		this.#pushedBack = false;
		this.#body.resume();
	}

	/** The call is over: the rest that the client still sends is the caller's to handle. */
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
