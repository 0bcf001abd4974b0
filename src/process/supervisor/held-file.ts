/**
 * Keeps a file open, so that processes which start later open the same file, whatever has become of its name. Used by
 * `counters-keeper.ts`: a worker that started after the counters file was removed or replaced would otherwise count
 * apart from the older workers.
 */
import { closeSync, fstatSync, openSync, statSync } from "node:fs";

export class HeldFile {
	/** opens this very file in any process of this user, while it is held */
	readonly path: string;
	readonly #name: string;
	readonly #file: number | undefined;
	/** bytes; the largest that was seen, as such a file only grows */
	#size = 0;

	/** Never throws: a file that can't be held is known by its name alone. */
	constructor(name: string) {
		this.#name = name;
		this.#file = openIfThere(name);
		this.#size = this.#file === undefined ? 0 : fstatSync(this.#file).size;
		const descriptor = `/proc/${process.pid}/fd/${this.#file}`;
		this.path = this.#file !== undefined && areDescriptorsOurs() ? descriptor : name;
	}

	/** Whether its name is still its own, as far as one can tell. */
	get isInPlace(): boolean {
		if (this.#file === undefined) return true;
		const held = fstatSync(this.#file);
		try {
			const named = statSync(this.#name, { throwIfNoEntry: false });
			return named !== undefined && named.ino === held.ino && named.dev === held.dev;
		} catch {
			return true;
		}
	}

	/** Whether all of it is there that ever was: a touch of mapped memory beyond its end ends the process. */
	get isWhole(): boolean {
		if (this.#file === undefined) return true;
		const { size } = fstatSync(this.#file);
		this.#size = Math.max(this.#size, size);
		return size === this.#size;
	}

	close(): void {
		if (this.#file !== undefined) closeSync(this.#file);
	}
}

function openIfThere(name: string): number | undefined {
	try {
		return openSync(name, "r+");
	} catch {
		return undefined;
	}
}

/** Linux has them as files; they are root's if Node was given capabilities of its own. */
function areDescriptorsOurs(): boolean {
	try {
		return statSync(`/proc/${process.pid}/fd`).uid === process.geteuid?.();
	} catch {
		return false;
	}
}
