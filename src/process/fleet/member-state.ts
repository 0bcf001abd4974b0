/**
 * The state of a store that is to be a fleet's: that it is not another's, and not one with documents of its own, which
 * the fleet's would replace. Used by `fleet-member.ts`.
 */
import { StoreState } from "../../fleet/store-state.ts";
import { PRIMARY_PREFIXES, under } from "../../store/layout.ts";
import type { Database, Reads } from "../../store/lmdb/database.ts";
import { assertFleet } from "../../store/membership.ts";
import { StoreError } from "../../store/store-error.ts";

/** @throws StoreError in a sentence */
export function memberState(database: Database, fleet: string, directory: string): StoreState {
	assertFleet(database, directory, fleet);
	const state = new StoreState(database);
	if (state.position === undefined && hasDocuments(database))
		throw new StoreError(
			`the store in ${directory} has a configuration of its own and is not in the fleet "${fleet}" yet; on the fleet's first machine run: weir fleet init; on any other: weir fleet join --discard-local, which saves what is there beside it first`,
		);
	return state;
}

export const hasDocuments = (reads: Pick<Reads, "count">): boolean =>
	PRIMARY_PREFIXES.some((prefix) => reads.count({ ...under(prefix), limit: 1 }) > 0);
