/**
 * Where a route's policy stands, from the store to the code that requests run. Every route has a slot. All routes
 * that no request has asked for share the slot `STORED`, so 100,000 of them need no memory here.
 *
 * | state        | meaning                               | a request                      | next state                      |
 * |--------------|---------------------------------------|--------------------------------|---------------------------------|
 * | `none`       | the route has no policy               | passes without rules           |                                 |
 * | `stored`     | in the store, not compiled            | opens it (`PolicyLoader.open`) | `none`, `unreadable`, `opening` |
 * | `unreadable` | the store can't be read               | gets a 500                     | the route stays `stored`        |
 * | `opening`    | being compiled, or compiled and the   | waits                          | `ready`, `failed`               |
 * |              | threads for its expressions not up    |                                |                                 |
 * | `ready`      | compiled                              | runs it                        |                                 |
 * | `failed`     | the document can't be compiled        | gets a 500                     |                                 |
 *
 * `PolicyLoader` moves a slot on. Most policies are compiled so fast that `open` returns a slot that is `ready`.
 * Publishing never changes a slot. `RouteTable` gives the route another slot (`ready` if the new policy is
 * compiled already, else `STORED`, or `NONE`) and closes the old one. A request keeps the slot that it started
 * with: requests that wait in a closed slot run its policy when it is compiled, and then the policy is closed.
 */
import type { CompiledPolicy } from "../../policy/exchange.ts";

type SlotState = "none" | "stored" | "unreadable" | "opening" | "ready" | "failed";

export class PolicySlot {
	#state: SlotState;
	#policy: CompiledPolicy | undefined;
	/** what requests do once it is `ready` or `failed` */
	#waiting: Set<() => void> | undefined;
	#isClosed = false;

	constructor(state: SlotState = "opening") {
		this.#state = state;
	}

	get state(): SlotState {
		return this.#state;
	}

	/** Hot. Undefined in every state but `ready`. */
	get policy(): CompiledPolicy | undefined {
		return this.#policy;
	}

	/**
	 * For requests that find it `opening`.
	 * @param done called once it is `ready` or `failed`, after this has returned @returns withdraws `done`
	 */
	wait(done: () => void): () => void {
		this.#waiting ??= new Set();
		// The set, not the field: who waits may be withdrawn by one who is just being told.
		const waiting = this.#waiting;
		waiting.add(done);
		return () => waiting.delete(done);
	}

	/** From `opening`. */
	ready(policy: CompiledPolicy): void {
		this.#policy = policy;
		this.#end("ready");
		if (this.#isClosed) policy.close();
	}

	/** From `opening`. */
	fail(): void {
		this.#end("failed");
	}

	/** No new request comes to it any more. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = this.#state === "opening" || this.#state === "ready";
		this.#policy?.close();
	}

	#end(state: SlotState): void {
		this.#state = state;
		const waiting = this.#waiting;
		this.#waiting = undefined;
		for (const done of waiting ?? []) done();
	}
}

/** Slots that routes share, because nothing in them belongs to a route. */
export const NONE = new PolicySlot("none");
export const STORED = new PolicySlot("stored");
export const UNREADABLE = new PolicySlot("unreadable");
