/**
 * Lists of deadlines of one fixed duration. Because all deadlines of a list last equally long, appending keeps the
 * list sorted: arming and disarming cost a few pointer writes, one timer serves the whole list, and a request costs
 * no timer of its own. Used by the calls and connections of `pool.ts`.
 */

/** Something that may run out of time. It is in one list at a time, or in none. */
export abstract class Deadline {
	/** @internal links of the list that holds it */
	list: DeadlineList | undefined = undefined;
	/** @internal */
	previous: Deadline | undefined = undefined;
	/** @internal */
	next: Deadline | undefined = undefined;
	/** @internal milliseconds on the list's clock */
	dueMs = 0;

	/** Called once, after the deadline has left its list; it may arm itself again. */
	abstract expire(): void;

	disarm(): void {
		this.list?.remove(this);
	}
}

export type Clock = () => number;

/** Milliseconds since some fixed moment, never going back. */
export const monotonicMs: Clock = () => performance.now();

export class DeadlineList {
	readonly #durationMs: number;
	readonly #now: Clock;
	#first: Deadline | undefined;
	#last: Deadline | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(durationMs: number, now: Clock = monotonicMs) {
		this.#durationMs = durationMs;
		this.#now = now;
	}

	/** Hot. Starts the duration anew, whatever list the deadline was in. */
	arm(deadline: Deadline): void {
		deadline.list?.remove(deadline);
		deadline.list = this;
		deadline.dueMs = this.#now() + this.#durationMs;
		deadline.previous = this.#last;
		if (this.#last === undefined) this.#first = deadline;
		else this.#last.next = deadline;
		this.#last = deadline;
		if (this.#timer === undefined) this.#schedule(this.#durationMs);
	}

	/** Hot. The timer stays: firing for nothing now and then is cheaper than stopping it each time. */
	remove(deadline: Deadline): void {
		if (deadline.list !== this) return;
		const { previous, next } = deadline;
		if (previous === undefined) this.#first = next;
		else previous.next = next;
		if (next === undefined) this.#last = previous;
		else next.previous = previous;
		deadline.list = undefined;
		deadline.previous = undefined;
		deadline.next = undefined;
	}

	#schedule(delayMs: number): void {
		this.#timer = setTimeout(() => this.#fire(), Math.ceil(delayMs));
		this.#timer.unref();
	}

	#fire(): void {
		this.#timer = undefined;
		const now = this.#now();
		// A deadline that arms itself again is due later than `now`, so the loop ends.
		for (let first = this.#first; first !== undefined && first.dueMs <= now; first = this.#first) {
			this.remove(first);
			first.expire();
		}
		if (this.#first !== undefined && this.#timer === undefined) {
			this.#schedule(Math.max(1, this.#first.dueMs - now));
		}
	}
}
