/** How far a replay has got: a line on stderr that is written over, on a terminal alone. Used by `run-replay.ts`. */
import { LIMITS } from "../../limits/limits.ts";

const MEGABYTE = 1e6;

export class ProgressBar {
	readonly #write: ((text: string) => void) | undefined;
	readonly #clock: () => number;
	readonly #total: number | undefined;
	readonly #beganMs: number;
	#nextMs: number;
	#isShown = false;

	/** @param total bytes; undefined: nobody knows @param write undefined: there is no terminal @param clock milliseconds */
	constructor(
		total: number | undefined,
		write: ((text: string) => void) | undefined,
		clock: () => number = () => performance.now(),
	) {
		this.#total = total;
		this.#write = write;
		this.#clock = clock;
		this.#beganMs = clock();
		this.#nextMs = this.#beganMs + LIMITS.replayBarMs;
	}

	/** @param bytes of all files that have been read */
	tell(bytes: number, requests: number): void {
		if (this.#write === undefined) return;
		const now = this.#clock();
		if (now < this.#nextMs) return;
		this.#nextMs = now + LIMITS.replayBarMs;
		this.#isShown = true;
		const seconds = (now - this.#beganMs) / 1000;
		const rate = `${Math.round(bytes / MEGABYTE / seconds)} MB/s`;
		const counted = `${requests} requests`;
		this.#write(`\r\u001b[K${this.#bar(bytes, seconds)}${counted}, ${rate}`);
	}

	/** Takes the line away. */
	clear(): void {
		if (this.#isShown) this.#write?.("\r\u001b[K");
		this.#isShown = false;
	}

	#bar(bytes: number, seconds: number): string {
		const total = this.#total;
		if (total === undefined || total === 0) return `${Math.round(bytes / MEGABYTE)} MB, `;
		const done = Math.min(bytes / total, 1);
		const full = Math.floor(done * LIMITS.replayBarCharacters);
		const bar = "#".repeat(full).padEnd(LIMITS.replayBarCharacters, ".");
		const left = done === 0 ? "" : `${Math.ceil((seconds * (1 - done)) / done)} s left, `;
		return `[${bar}] ${Math.floor(done * 100)} %, ${left}`;
	}
}
