/**
 * The state of a store that is to be a fleet's: that it is not another's, not one with documents of its own, which the
 * fleet's would replace, and not of a level that this build does not understand. Used by `fleet-member.ts`.
 */
import { LEVEL } from "../../fleet/level.ts";
import { removeStaged } from "../../fleet/staging.ts";
import { StoreState } from "../../fleet/store-state.ts";
import { isAnyUnder, PRIMARY_PREFIXES } from "../../store/layout.ts";
import type { Database, Reads } from "../../store/lmdb/database.ts";
import { assertFleet } from "../../store/membership.ts";
import { StoreError } from "../../store/store-error.ts";

/** @throws StoreError in a sentence */
export function memberState(database: Database, fleet: string, directory: string): StoreState {
	assertFleet(database, directory, fleet);
	removeStaged(directory);
	const state = new StoreState(database);
	const { level = LEVEL } = state.position ?? {};
	if (level > LEVEL)
		throw new StoreError(
			`the fleet "${fleet}" is at level ${level}, and this version of weir understands level ${LEVEL}: it would judge requests otherwise than the other machines; start a later version, such as ran here before`,
		);
	if (state.position === undefined && hasDocuments(database))
		throw new StoreError(
			`the store in ${directory} has a configuration of its own and is not in the fleet "${fleet}" yet; on the fleet's first machine run: weir fleet init; on any other: weir fleet join --discard-local, which saves what is there beside it first`,
		);
	return state;
}

export const hasDocuments = (reads: Reads): boolean =>
	PRIMARY_PREFIXES.some((prefix) => isAnyUnder(reads, prefix));
