/**
 * Loads the native addon, and says which functions it has; the one file that does. JS validates what it
 * passes, C++ (native/src/binding/) only guards its memory: every function throws `TypeError` for a handle
 * that is not open. Their typed faces are limiter/binding.ts and upstream/native/client.ts.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The counters of rate-limits; handles are numbers. */
export interface CountersAddon {
	openCounters(path: string, owner: boolean, bytesMax: number, ...clock: number[]): number;
	closeCounters(counters: number): void;
	setClock(counters: number, bootMs: number): void;
	/** @returns -1 if there is no room for another limiter */
	openLimiter(
		counters: number,
		identity: string,
		capacity: number,
		windowMs: number,
		keysMax: number,
	): number;
	closeLimiter(limiter: number): void;
	/** @param parts at most 10 @returns 0, or the milliseconds to wait */
	admit(limiter: number, ...parts: readonly (string | readonly string[] | undefined)[]): number;
	touch(counters: number, part: number, parts: number): void;
	collect(counters: number, cells: number): boolean;
	statistics(counters: number, out: Float64Array): void;
	growthError(counters: number): number;
}

export type NativeAddon = CountersAddon;

/** Thrown at start-up where the addon is not built or not built for this machine. */
export class AddonError extends Error {
	readonly code = "ERR_ADDON_UNAVAILABLE";
	override readonly name = "AddonError";
}

/** Loads an addon file. Exported for tests; everybody else uses `addon`. */
export function loadAddon(file: string): NativeAddon {
	try {
		return createRequire(import.meta.url)(file);
	} catch (error) {
		const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
		throw new AddonError(
			`the native addon cannot be loaded; run \`npm install\` in weir's directory (${reason})`,
			{ cause: error },
		);
	}
}

/** Up from this file to package.json: the same from src and from dist. */
function projectRoot(): string {
	let directory = import.meta.dirname;
	while (!existsSync(join(directory, "package.json")) && dirname(directory) !== directory) {
		directory = dirname(directory);
	}
	return directory;
}

export const addon = loadAddon(join(projectRoot(), "build", "weir.node"));
