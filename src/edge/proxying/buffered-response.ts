/**
 * What an upstream sends while outbound rules wait for an expensive expression. The first chunk is kept here, and
 * the upstream holds back the next ones. If the rules let the response pass, everything is handed on in order.
 * Used by `proxied-request.ts`.
 */

import type { ResponseSink, UpstreamFailure } from "../../upstream/upstream.ts";
import type { PhaseWait } from "../phases/phase-wait.ts";

export class BufferedResponse {
	readonly #chunks: Uint8Array[] = [];
	#ended = false;
	#failure: { readonly kind: UpstreamFailure; readonly message: string } | undefined;

	/** @returns false: wait */
	data(chunk: Uint8Array): boolean {
		// Its memory may be used again when this returns.
		this.#chunks.push(new Uint8Array(chunk));
		return false;
	}

	end(): void {
		this.#ended = true;
	}

	fail(kind: UpstreamFailure, message: string): void {
		this.#failure = { kind, message };
	}

	/** @returns true if the upstream waits to be told that it may go on */
	handOver(sink: ResponseSink): boolean {
		let taken = this.#chunks.length > 0;
		for (const chunk of this.#chunks) taken = sink.onData(chunk);
		if (this.#failure !== undefined) sink.onError(this.#failure.kind, this.#failure.message);
		else if (this.#ended) sink.onEnd();
		else return taken;
		return false;
	}
}

/** Of a proxied request, once its outbound rules wait. */
export class LateResponse {
	wait: PhaseWait | undefined;
	/** the rest of the response whose head these rules have seen */
	buffered: BufferedResponse | undefined;

	/** Nobody waits for it any more. */
	cancel(): void {
		this.buffered = undefined;
		this.wait?.cancel();
	}
}
