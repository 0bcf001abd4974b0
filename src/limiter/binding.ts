/**
 * The typed face of the native addon (native/src/binding.cc) and the one file that loads it. JS
 * validates here, C++ only guards its buffers. Called by `limiters.ts`.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

interface Addon {
	bootClockMs(): number;
	/** exchange: bytes 0–15 the seed, 16–31 receive the hash */
	keyHash(exchange: Uint8Array, key: string): void;
}

/** Thrown at start-up where the addon is not built or not built for this machine. */
export class AddonError extends Error {
	readonly code = "ERR_ADDON_UNAVAILABLE";
	override readonly name = "AddonError";
}

/** bytes */
export const SEED_BYTES = 16;
const HASH_BYTES = 16;

/** Loads an addon file. Exported for its test; everybody else uses the functions below. */
export function loadAddon(file: string): Addon {
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

/** Up from this file to package.json: the same from src/limiter and from dist/limiter. */
function projectRoot(): string {
	let directory = import.meta.dirname;
	while (!existsSync(join(directory, "package.json")) && dirname(directory) !== directory) {
		directory = dirname(directory);
	}
	return directory;
}

const addon = loadAddon(join(projectRoot(), "build", "weir.node"));

/** Whole milliseconds since boot, suspend included: the same number in every process, never set back. */
export const bootClockMs: () => number = addon.bootClockMs;

/**
 * A keyed hash of strings: SipHash-1-3 over the UTF-16 units, 128 bits, as a string of 16 characters
 * U+0000–U+00FF, so that it can key a `Map`. Hot: one native call a hash.
 * @param seed 16 random bytes, kept secret from whoever chooses the keys
 */
export function createKeyHash(seed: Uint8Array): (key: string) => string {
	if (seed.length !== SEED_BYTES) throw new RangeError(`seed must have ${SEED_BYTES} bytes`);
	const exchange = Buffer.alloc(SEED_BYTES + HASH_BYTES);
	exchange.set(seed);
	return (key) => {
		addon.keyHash(exchange, key);
		return exchange.toString("latin1", SEED_BYTES, SEED_BYTES + HASH_BYTES);
	};
}
