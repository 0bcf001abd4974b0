/**
 * How a member stands to its fleet, since when and why, in words for people. Set by what happens to it; read for its
 * status and for the sentences that refuse writes.
 */
import type { MemberState } from "./log/log.ts";

export class Standing {
	#state: MemberState = "starting";
	#why: string | undefined;
	#since: string;
	readonly #wallClock: () => string;
	/** told after each change */
	onChange: () => void = () => undefined;

	constructor(wallClock: () => string = () => new Date().toISOString()) {
		this.#wallClock = wallClock;
		this.#since = wallClock();
	}

	get state(): MemberState {
		return this.#state;
	}
	/** a sentence; undefined: all is well */
	get why(): string | undefined {
		return this.#why;
	}
	/** RFC 3339 */
	get since(): string {
		return this.#since;
	}

	set(state: MemberState, why?: string): void {
		const isOther = state !== this.#state;
		this.#why = why;
		if (!isOther) return;
		this.#state = state;
		this.#since = this.#wallClock();
		this.onChange();
	}
}
