/**
 * Processor time of threads of this process: what an evaluation is judged by, so that it does not fail because
 * others have the processors. As Linux tells it; elsewhere it is not known. Used by `work-watch.ts`.
 */
import { openSync, readFileSync, readlinkSync, readSync } from "node:fs";

const NANOSECONDS = 1e6;

/** first number of a `schedstat`: nanoseconds on a processor */
const millisecondsIn = (schedstat: string): number => Number.parseInt(schedstat, 10) / NANOSECONDS;

interface OwnThread {
	/** as the system numbers it; 0 where it is not known */
	readonly number: number;
	/** of its file, kept open: a read takes 1.5 µs */
	readonly file: number;
}

let own: OwnThread | undefined;
const text = Buffer.alloc(64);

function openOwn(): OwnThread {
	try {
		const number = Number(/\d+$/.exec(readlinkSync("/proc/thread-self"))?.[0] ?? 0);
		return { number, file: openSync("/proc/thread-self/schedstat", "r") };
	} catch {
		return { number: 0, file: -1 };
	}
}

/** Of the calling thread. */
export function ownThread(): number {
	own ??= openOwn();
	return own.number;
}

/** Milliseconds that the calling thread has worked so far; NaN where that is not known. */
export function ownWorkMs(): number {
	own ??= openOwn();
	if (own.file < 0) return Number.NaN;
	return millisecondsIn(text.toString("latin1", 0, readSync(own.file, text, 0, text.length, 0)));
}

/** Of another thread of this process. @param thread as `ownThread` says there */
export function workMsOf(thread: number): number {
	try {
		return millisecondsIn(readFileSync(`/proc/self/task/${thread}/schedstat`, "latin1"));
	} catch {
		return Number.NaN;
	}
}

/** Milliseconds on a clock that all threads of the process share. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint()) / NANOSECONDS;
