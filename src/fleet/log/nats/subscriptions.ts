/** What a member listens to on one connection, and what the server says against it. Used by `link.ts`. */
import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";
import { deniedSubscription, isDenied } from "./failures.ts";

export interface Wanted {
	readonly subject: string;
	readonly take: (message: Msg) => void;
	subscription?: Subscription;
}

export function subscribeOn(connection: NatsConnection, wanted: Wanted): void {
	if (connection.isClosed()) return;
	wanted.subscription = connection.subscribe(wanted.subject, {
		callback: (error, message) => {
			if (error === null) wanted.take(message);
		},
	});
}

/** Ends a connection that must not subscribe to what a member needs. @returns tells the last thing that went wrong */
export function watchErrors(connection: NatsConnection): () => Error | undefined {
	let last: Error | undefined;
	const watch = async () => {
		for await (const status of connection.status()) {
			if (status.type === "staleConnection") last = new Error("stale connection");
			if (status.type !== "error") continue;
			const denied = deniedSubscription(status.error);
			if (denied !== undefined) {
				last = new Error(denied);
				await connection.close();
			} else if (!isDenied(status.error)) last = status.error;
		}
	};
	watch().catch(() => {});
	return () => last;
}
