/**
 * The deadline of what a thread evaluates, seen from both sides over a few shared numbers. The thread notes when it
 * begins, compiling and its own start not counted, and looks at its clock whenever an evaluation has charged so much
 * (`WorkClock`). Most end that way, at no cost for others. What looks at no clock, RE2 or the platform's own search,
 * is noticed from outside (`WorkWatch`), and its thread is replaced.
 *
 * What counts is work: processor time. Only beyond `LIMITS.heavyStarvedTimes` of it by the clock a thread has stood
 * still for too long; where the system doesn't tell processor time, a fifth of the time by the clock stands for it.
 */
import { LIMITS } from "../limits/limits.ts";
import { ownThread, ownWorkMs, sharedClockMs, workMsOf } from "./thread-time.ts";

/** Goes with a task; cloned, both sides have one memory. */
export interface Watched {
	readonly memory: SharedArrayBuffer;
	/** milliseconds of work */
	readonly deadlineMs: number;
}

/** Numbers of the memory: when the evaluation began, 0 without one; the thread's work by then; the thread. */
const BEGUN = 0;
const WORK = 1;
const THREAD = 2;
const NUMBERS = 3;

/** deadlines after which an evaluation that looks at no clock is ended: one that looks at it has ended before */
const LEEWAY = 1.5;

/** part of the time by the clock that counts as work where the system doesn't tell it */
const WORK_OF_TIME = 0.2;

const workOr = (workMs: number, passedMs: number): number =>
	Number.isNaN(workMs) ? WORK_OF_TIME * passedMs : workMs;

/** In the thread. */
export class WorkClock {
	readonly #numbers: Float64Array;
	readonly #deadlineMs: number;
	/** by the shared clock: when it pays to ask for the work again */
	#nextMs = 0;

	constructor({ memory, deadlineMs }: Watched) {
		this.#numbers = new Float64Array(memory);
		this.#deadlineMs = deadlineMs;
	}

	/** @returns whether the evaluation may go on, to be asked now and then */
	begin(): () => boolean {
		const numbers = this.#numbers;
		const begunMs = sharedClockMs();
		const workMs = ownWorkMs();
		numbers[THREAD] = ownThread();
		numbers[WORK] = workMs;
		numbers[BEGUN] = begunMs;
		this.#nextMs = begunMs + this.#deadlineMs;
		return () => this.#goesOn(begunMs, workMs);
	}

	end(): void {
		this.#numbers[BEGUN] = 0;
	}

	#goesOn(begunMs: number, workMs: number): boolean {
		const nowMs = sharedClockMs();
		if (nowMs < this.#nextMs) return true;
		const passedMs = nowMs - begunMs;
		if (passedMs > this.#deadlineMs * LIMITS.heavyStarvedTimes) return false;
		const leftMs = this.#deadlineMs - workOr(ownWorkMs() - workMs, passedMs);
		// so much work takes no less time
		this.#nextMs = nowMs + leftMs;
		return leftMs > 0;
	}
}

/** On the other side. */
export class WorkWatch {
	readonly watched: Watched;
	readonly #numbers: Float64Array;

	constructor(deadlineMs: number) {
		const memory = new SharedArrayBuffer(NUMBERS * Float64Array.BYTES_PER_ELEMENT);
		this.watched = { memory, deadlineMs };
		this.#numbers = new Float64Array(memory);
	}

	/** Milliseconds until the evaluation in progress is worth another look; 0 or less: it has overrun. */
	leftMs(): number {
		const deadlineMs = LEEWAY * this.watched.deadlineMs;
		const begunMs = this.#numbers[BEGUN] ?? 0;
		if (begunMs === 0) return deadlineMs;
		const passedMs = sharedClockMs() - begunMs;
		const standsMs = deadlineMs * LIMITS.heavyStarvedTimes - passedMs;
		if (standsMs <= 0) return 0;
		if (passedMs < deadlineMs) return deadlineMs - passedMs;
		const workMs = workMsOf(this.#numbers[THREAD] ?? 0) - (this.#numbers[WORK] ?? 0);
		return Math.min(deadlineMs - workOr(workMs, passedMs), standsMs);
	}
}
