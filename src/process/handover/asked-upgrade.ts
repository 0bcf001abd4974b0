/**
 * An upgrade that somebody has asked for and waits for (`weir upgrade`): the version that was started, and what became
 * of it. Used by `giver.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { type Program, type Successor, startSuccessor } from "./successor.ts";

export type { Program };

export interface Taken {
	readonly pid: number;
	readonly version: string;
}

interface Waiting {
	readonly successor: Successor;
	readonly timer: NodeJS.Timeout;
	resolve(taken: Taken): void;
	reject(error: Error): void;
}

export class AskedUpgrade {
	readonly #words: readonly string[];
	readonly #onEnd: (reason: string) => void;
	#waiting: Waiting | undefined;

	/** @param words of this process's command line, from the command on @param onEnd told why the version that was started has ended */
	constructor(words: readonly string[], onEnd: (reason: string) => void) {
		this.#words = words;
		this.#onEnd = onEnd;
	}

	/** Why this process starts no other version, in a sentence. */
	get obstacle(): string | undefined {
		if (process.pid === 1) return FIRST_PROCESS;
		return this.#words.includes("--demo") ? DEMO : undefined;
	}

	/** Whether this process may take over, as far as nobody waits for another one. */
	expects(pid: number | undefined): boolean {
		return (
			this.#waiting === undefined || (pid !== undefined && this.#waiting.successor.pid === pid)
		);
	}

	/** @throws Error why it has not taken over, in sentences */
	start(program: Program): Promise<Taken> {
		return new Promise((resolve, reject) => {
			const successor = startSuccessor(program, this.#words);
			const timer = setTimeout(() => successor.kill(TOO_SLOW), LIMITS.takeoverMs);
			this.#waiting = { successor, timer, resolve, reject };
			void successor.ended.then((reason) => {
				if (this.#waiting?.successor === successor) this.#onEnd(reason);
			});
		});
	}

	/** Why a process has ended, or `otherwise` if it was not started here, or is still there after `patienceMs`. */
	async endOf(pid: number, otherwise: string, patienceMs: number): Promise<string> {
		const successor = this.#waiting?.successor;
		if (successor?.pid !== pid) return otherwise;
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<string>((resolve) => {
			timer = setTimeout(resolve, patienceMs, otherwise);
		});
		const reason = await Promise.race([successor.ended, late]);
		clearTimeout(timer);
		return reason;
	}

	kill(): void {
		this.#waiting?.successor.kill();
	}

	succeeded(taken: Taken): void {
		this.#settle()?.resolve(taken);
	}

	failed(reason: string): void {
		this.#settle()?.reject(new Error(reason));
	}

	#settle(): Waiting | undefined {
		const waiting = this.#waiting;
		this.#waiting = undefined;
		clearTimeout(waiting?.timer);
		return waiting;
	}
}

/** Of one that was started here or by somebody else. */
export const TOO_SLOW = `it was not ready within ${LIMITS.takeoverMs / 1000} s, and was killed`;
const FIRST_PROCESS =
	"weir is process 1 here, whose end is the container's: replace the container instead, behind a load balancer if nothing may be missed";
const DEMO = "the demo can't be upgraded: stop it, then start the new version";
