/**
 * A connection that undici has let go of, because its backend has changed its protocol. Made by `attempt.ts`.
 */
import type { Duplex } from "node:stream";
import { RawResponseHead } from "../response-head.ts";
import type { ResponseSink, UpgradedBackend } from "../upstream.ts";
import { trimValues } from "./framing.ts";

/** Name, value, name, value…; bytes as they came, whatever the library's types say. */
export type UpgradeLines = readonly (Uint8Array | string)[] | null;

export class UpgradedStream implements UpgradedBackend {
	readonly call = undefined;
	readonly stream: Duplex;

	constructor(stream: Duplex) {
		this.stream = stream;
		// Nobody listens until there is a tunnel, and then for its end.
		stream.on("error", () => {});
	}

	/** Whoever has begun to read it has a tunnel. */
	abort(): void {
		if (this.stream.listenerCount("data") === 0) this.stream.destroy();
	}
}

/** @param sink undefined: the call is over */
export function tellUpgrade(
	sink: ResponseSink | undefined,
	headers: UpgradeLines,
	backend: UpgradedBackend,
): void {
	const lines = (headers ?? []) as Uint8Array[];
	trimValues(lines);
	const head = RawResponseHead.from(lines);
	if (head !== undefined && sink?.onUpgrade !== undefined) {
		sink.onUpgrade(head, backend);
		return;
	}
	backend.abort();
	sink?.onError("broken", "the header of the 101 is none that HTTP allows");
}
