/**
 * Whose turn it is to be looked up. A lookup holds one of the threads that libuv lends to such work until
 * the system's resolver gives up, which takes it ten seconds and more. Names whose last lookup failed share
 * few places and come after the others, so that dead names hold up nobody for long. Used by `watched-name.ts`.
 */
import { LIMITS } from "../../limits.ts";

/** Begins; `leave` is called once, when the lookup is done, or at once if there is none any more. */
export type Turn = (leave: () => void) => void;

/** Some of one kind, first come first served. */
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

	/** @returns false if nobody waits or all places are taken */
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

	/** May begin before it returns. @param failing the last lookup of the name failed */
	add(failing: boolean, turn: Turn): void {
		(failing ? this.#failing : this.#sound).add(turn);
		this.#begin();
	}

	/** Turns that leave at once are followed by others here, not within each other. */
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
