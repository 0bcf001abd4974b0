/**
 * Whether machines have the same bounds, without saying them: the one that is asked validates for all (docs/fleet.md,
 * "Writes"), so `limits` that differ are a fault of the configuration. Members say the hash of theirs.
 */
import { createHash } from "node:crypto";

/** 16 hex characters; the order of the settings is no matter. @param limits of the configuration */
export function limitsHash(limits: Readonly<Record<string, unknown>>): string {
	const sorted = Object.entries(limits).sort(([left], [right]) => (left < right ? -1 : 1));
	return createHash("sha256").update(JSON.stringify(sorted)).digest("hex").slice(0, 16);
}
