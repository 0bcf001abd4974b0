/** What the tests of the limiter room share: text as a key, files to count in, a clock that stands still. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { ManualClock } from "../../src/native-addon.ts";
import type { RateLimiter, RateLimitIdentity } from "../../src/policy/admission.ts";

export const addonFile = join(import.meta.dirname, "..", "..", "build", "weir.node");

/** One segment, the smallest size of a counters file. */
export const SEGMENT_BYTES = 2 * 1024 * 1024;

/**
 * What a collector waits beyond a limiter's window after its last touch, milliseconds. A record keeps a window
 * of 60 s and times that are multiples of 4 s as they are, and rounds others.
 */
export const GRACE_MS = 120_000;

/** A clock whose time is `bootMs`, on the first boot; later boots have other numbers. */
export const clockAt = (bootMs: number, boot = 1, wallMs = bootMs): ManualClock => ({
	bootMs,
	wallMs,
	boot,
});

/** Counts one request of this key. @returns 0, or the milliseconds to wait */
export const admitText = (limiter: RateLimiter, text: string): number => limiter.admit([text]);

/** A folder that is removed when the test file is done. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "weir-limiter-test-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

const HEADER_BYTES_BEFORE = 4096;

/** Words of a counters file's header (native/src/counters/layout.h). */
export const HEADER = { magic: 0, layout: 1, seed: 2, checksum: 4, segments: 9 } as const;

/** Changes one word of a counters file's header. */
export function changeHeader(
	path: string,
	word: keyof typeof HEADER,
	change: (value: bigint) => bigint,
): void {
	const content = readFileSync(path);
	const at = HEADER_BYTES_BEFORE + 8 * HEADER[word];
	content.writeBigUInt64LE(change(content.readBigUInt64LE(at)), at);
	writeFileSync(path, content);
}

export const identity = (changes: Partial<RateLimitIdentity> = {}): RateLimitIdentity => ({
	edgeId: "edge",
	routeId: "route",
	configuration: '{"capacity":2,"rate":"60s"}',
	ordinal: 0,
	capacity: 2,
	windowMs: 60_000,
	...changes,
});
