/**
 * Guards the memory that LMDB has mapped the store's files into, so that a file that is cut short while
 * it is read is an answer of zeros and a count, not a SIGBUS (native/src/mapping_guard.h). Where the
 * mappings are is known from `/proc/self/maps`; where there is none nothing is guarded. Called by
 * `held-files.ts` once lmdb has opened.
 */
import { fstatSync, readFileSync } from "node:fs";
import { addon } from "../../native-addon.ts";

/** The two meta pages of LMDB's file: bytes, of the page size that it has on all machines we know. */
const HEAD_BYTES = 8192;

interface Mapping {
	readonly begin: number;
	readonly end: number;
	readonly writable: boolean;
}

/** A line is `begin-end rwxp offset device inode   path`, numbers in hexadecimal; proc(5). */
const LINE = /^([0-9a-f]+)-([0-9a-f]+) r([w-])-s [0-9a-f]+ \S+ \d+ +(.*)$/;

/** Shared mappings of the file that is called `path`, by its real name, in the text of `/proc/PID/maps`. */
export function mappingsOf(path: string, maps: string): Mapping[] {
	const written = path.replaceAll("\n", "\\012");
	return maps.split("\n").flatMap((line) => {
		const [, begin = "", end = "", write, name] = LINE.exec(line) ?? [];
		if (name !== written && name !== `${written} (deleted)`) return [];
		return [
			{
				begin: Number.parseInt(begin, 16),
				end: Number.parseInt(end, 16),
				writable: write === "w",
			},
		];
	});
}

export class MappingGuard {
	readonly #guards: number[] = [];
	#faults = addon.mappingFaults();

	/** @param descriptor of the same file, to know how much of it there is */
	add(path: string, descriptor: number): void {
		const headBytes = fstatSync(descriptor).size < HEAD_BYTES ? 0 : HEAD_BYTES;
		for (const { begin, end, writable } of mappingsOf(path, ownMaps())) {
			const guard = addon.guardMapping(begin, end, writable, writable ? 0 : headBytes);
			if (guard >= 0) this.#guards.push(guard);
		}
	}

	/** Whether something was missing since this was asked last: what was read meanwhile is worthless. */
	hasMissed(): boolean {
		const faults = addon.mappingFaults();
		if (faults === this.#faults) return false;
		this.#faults = faults;
		return true;
	}

	/** To be called before lmdb lets go of the memory. */
	close(): void {
		for (const guard of this.#guards.splice(0)) addon.unguardMapping(guard);
	}
}

function ownMaps(): string {
	try {
		return readFileSync("/proc/self/maps", "utf8");
	} catch {
		return "";
	}
}
