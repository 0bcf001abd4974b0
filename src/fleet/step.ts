/**
 * One record more (docs/fleet.md, "Applying"): from where a state stands to where it stands then. Used by `store-state.ts`
 * for the real state and by `staging.ts` for one that is put together beside it.
 */
import type { Writes } from "../store/lmdb/database.ts";
import { StateDigest } from "./digest.ts";
import { replay } from "./replay.ts";
import type { Kept } from "./ring.ts";
import type { Position, Taken } from "./state.ts";

/** The record's operations don't lead to the digest that it names; nothing may be kept of them. */
export class Misfit extends Error {
	override readonly name = "Misfit";
	readonly revision: number;
	constructor(revision: number) {
		super(`revision ${revision} of the fleet's log does not lead to the digest that it names`);
		this.revision = revision;
	}
}

/** @param changed is told each key, or what keys begin with, under which something else is now @throws Misfit */
export function step(
	writes: Writes,
	at: Position,
	{ revision, record, isVoid }: Taken,
	changed: (key: string) => void,
): Position {
	if (revision !== at.applied + 1) throw new Error(`revision ${revision} after ${at.applied}`);
	if (isVoid || record === undefined) return { ...at, applied: revision };
	const digest = new StateDigest(at.digest);
	try {
		replay(writes, record.operations, digest, changed);
	} catch (error) {
		// what is stored where the record puts something else can't be read: the store is damaged
		if (error instanceof SyntaxError || error instanceof TypeError) throw new Misfit(revision);
		throw error;
	}
	if (digest.hex !== record.after) throw new Misfit(revision);
	const level = Math.max(at.level, record.level);
	return { ...at, applied: revision, head: revision, digest: digest.hex, level };
}

/** As the ring keeps it. */
export const kept = ({ revision, record, isVoid }: Taken): Kept => ({
	revision,
	id: record?.id ?? "",
	isVoid: isVoid || record === undefined,
	record,
});
