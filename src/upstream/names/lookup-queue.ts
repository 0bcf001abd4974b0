/**
 * The order in which names are looked up. A lookup occupies one of libuv's few threads until the system's resolver
 * gives up, which takes ten seconds and more. Names whose last lookup failed share few places and come after the
 * others, so that dead names do not hold up the others for long. Used by `watched-name.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";

/** Begins a lookup; calls `leave` once, when the lookup is done, or at once if it is no longer wanted. */
export type Turn = (leave: () => void) => void;

/** The lookups of one kind, first come, first served. */
class Lane {
	running = 0;
	readonly #places: number;
	readonly #waiting: Turn[] = [];

	constructor(places: number) {
		this.#places = places;
	}

	add(turn: Turn): void {
		this.#waiting.push(turn);
	}

	get waits(): boolean {
		return this.#waiting.length > 0;
	}

	/** @returns false if no lookup waits or all places are taken */
	begin(onLeft: () => void): boolean {
		const turn = this.running < this.#places ? this.#waiting.shift() : undefined;
		if (turn === undefined) return false;
		this.running += 1;
		turn(() => {
			this.running -= 1;
			onLeft();
		});
		return true;
	}
}

export class LookupQueue {
	readonly #sound = new Lane(LIMITS.nameLooks);
	readonly #failing = new Lane(LIMITS.nameLooksFailing);
	#beginning = false;

	/** May call `turn` before it returns. @param failing the last lookup of the name failed */
	add(failing: boolean, turn: Turn): void {
		(failing ? this.#failing : this.#sound).add(turn);
		this.#begin();
	}

	/** A turn that leaves at once calls this from within; the loop then goes on, without recursion. */
	#begin(): void {
		if (this.#beginning) return;
		this.#beginning = true;
		while (this.#sound.running + this.#failing.running < LIMITS.nameLooks) {
			const lane = this.#sound.waits ? this.#sound : this.#failing;
			if (!lane.begin(() => this.#begin())) break;
		}
		this.#beginning = false;
	}
}
