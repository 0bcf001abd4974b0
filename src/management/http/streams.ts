/**
 * From a reply that goes on to its `EventStream`: writes the header, hands the stream to who made the reply, and waits for
 * its end. Called by `server.ts`.
 */
import { ApiError } from "../../errors.ts";
import type { IncomingBody } from "./body.ts";
import { EventStream, type StreamEnd } from "./event-stream.ts";
import type { Incoming } from "./incoming.ts";
import type { Reply } from "./reply.ts";
import { writeStreamHead } from "./write.ts";

/** A comment; it takes the header along. */
const OPENING = new TextEncoder().encode(": weir\n\n");

interface Surroundings {
	/** another one has taken over from the listener */
	readonly isLeaving: () => boolean;
	/** the key is still good for the operation */
	readonly isAllowed: () => boolean;
}

/** @throws ApiError 505 the client can't read chunks */
export function assertStreams({ client }: Pick<Incoming, "client">): void {
	if (!client.isHttp10) return;
	throw new ApiError("ERR_VERSION_NOT_SUPPORTED", "A stream of events needs HTTP/1.1.");
}

/** Resolves when the stream is over. */
export function runStream(
	incoming: Pick<Incoming, "response" | "request" | "client">,
	reply: Reply & Required<Pick<Reply, "stream">>,
	body: Pick<IncomingBody, "whenGone">,
	{ isLeaving, isAllowed }: Surroundings,
): Promise<void> {
	const { response, client } = incoming;
	return new Promise((resolve) => {
		const reasonToEnd = (): StreamEnd | undefined => {
			if (isLeaving()) return "moved";
			return isAllowed() ? undefined : "key";
		};
		const answered = (last: boolean) => client.answered(last);
		const isTaken = writeStreamHead(incoming, reply, OPENING);
		const stream = new EventStream({ response, answered, reasonToEnd }, isTaken, resolve);
		body.whenGone(() => stream.gone());
		reply.stream(stream);
	});
}
