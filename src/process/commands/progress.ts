/** How far a command has got that takes long: a line on stderr each second. Used by `backup` and `restore`. */
import { LIMITS } from "../../limits/limits.ts";

export class Progress {
	readonly #what: string;
	readonly #say: (line: string) => void;
	readonly #clock: () => number;
	#nextMs: number;

	/** @param what is under way, as `backup` @param clock milliseconds */
	constructor(
		what: string,
		say: (line: string) => void = (line) => void process.stderr.write(line),
		clock: () => number = () => performance.now(),
	) {
		this.#what = what;
		this.#say = say;
		this.#clock = clock;
		this.#nextMs = clock() + LIMITS.commandProgressMs;
	}

	/** @param done from 0 to 1 */
	tell(done: number): void {
		const now = this.#clock();
		if (now < this.#nextMs) return;
		this.#nextMs = now + LIMITS.commandProgressMs;
		this.#say(`weir: ${this.#what}: ${Math.floor(done * 100)} %\n`);
	}
}
