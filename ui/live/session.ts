/** Who has logged in: the client with the key, and what the server tells live. Made by app.tsx from the login. */
import type { ApiFailure, Client } from "../api/client.ts";
import { LiveConnection } from "../api/live-connection.ts";
import type { Drafts } from "../editor/drafts.ts";
import { type LiveState, NOTHING_YET, withEvent } from "./state.ts";
import { Store } from "./store.ts";

export interface Session {
	readonly client: Client;
	readonly live: Store<LiveState>;
	readonly drafts: Drafts;
	/** Tries to reach the server at once. */
	reconnect(): void;
	end(): void;
}

/**
 * @param drafts outlive a session whose key has ended
 * @param refused told once, when the key is not taken; the session is over then
 */
export function startSession(
	client: Client,
	drafts: Drafts,
	refused: (failure: ApiFailure) => void,
): Session {
	const live = new Store(NOTHING_YET);
	const connection = new LiveConnection(client, {
		event: (event) => live.update((state) => withEvent(state, event)),
		connection: (connection) => live.update((state) => ({ ...state, connection })),
		refused,
	});
	connection.connect();
	return {
		client,
		live,
		drafts,
		reconnect: () => connection.connect(),
		end: () => connection.close(),
	};
}
