/**
 * Why a successor can't start, for whoever has asked for the upgrade: it writes its complaints not to stderr alone, but
 * also to a descriptor that it was started with (`successor.ts`). Imports nothing of weir, as `commands/complain.ts`, which
 * calls it, is loaded before signals are handled.
 */
import { closeSync, writeSync } from "node:fs";

/** The number of the descriptor. */
export const REASON_VARIABLE = "TAKEOVER_REASON_DESCRIPTOR";
export const REASON_DESCRIPTOR = 3;

/** Whether the weir that runs has started this one, to be taken over from. */
export const isSuccessor = (): boolean =>
	process.env[REASON_VARIABLE] === String(REASON_DESCRIPTOR);

export function tellReason(sentence: string): void {
	if (!isSuccessor()) return;
	try {
		writeSync(REASON_DESCRIPTOR, `${sentence}\n`);
	} catch {
		// nobody waits for it any more
	}
}

/** It serves: there is nothing more to tell. */
export function reasonsAreOver(): void {
	if (!isSuccessor()) return;
	delete process.env[REASON_VARIABLE];
	closeSync(REASON_DESCRIPTOR);
}
