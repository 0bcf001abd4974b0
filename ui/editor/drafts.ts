/** What was written and not saved, for as long as somebody is logged in: who looks at another page finds it again. */
import type { Stored } from "./stored-policy.ts";

export interface Draft {
	readonly text: string;
	/** what it was written on top of */
	readonly base: Stored;
}

export class Drafts {
	readonly #drafts = new Map<string, Draft>();

	/** @param route edge and id */
	of(route: string): Draft | undefined {
		return this.#drafts.get(route);
	}

	keep(route: string, draft: Draft): void {
		if (draft.text === draft.base.text) this.#drafts.delete(route);
		else this.#drafts.set(route, draft);
	}

	get isEmpty(): boolean {
		return this.#drafts.size === 0;
	}
}
