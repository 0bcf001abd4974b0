/** A state that has begun, and records as the log would hold them, for tests of this room. */
import type { FleetRecord } from "../../src/fleet/record.ts";
import { decodeRecord, encodeRecord } from "../../src/fleet/record-codec.ts";
import type { Decision, Taken } from "../../src/fleet/state.ts";
import { StoreState } from "../../src/fleet/store-state.ts";
import { openDatabase, type Write } from "./databases.ts";

export const FLEET = { fleet: "prod", incarnation: "i1" };

export function begun(database = openDatabase()): StoreState {
	const state = new StoreState(database);
	state.begin({ ...FLEET, revision: 0, level: 1 });
	return state;
}

let ids = 0;

/** As it comes out of the log. */
export function recordOf(state: StoreState, decision: Decision): Taken {
	const { applied = 0, digest = "" } = state.position ?? {};
	const record: FleetRecord = {
		id: `r${(ids++).toString().padStart(21, "0")}`,
		base: applied,
		before: digest,
		after: decision.after,
		level: decision.level,
		by: state.member,
		isAwaited: false,
		at: "2026-01-01T00:00:00.000Z",
		operations: decision.operations,
	};
	return { revision: applied + 1, record: decodeRecord(encodeRecord(record)), isVoid: false };
}

export function write(state: StoreState, ...operations: Write[]) {
	const decision = state.decide(operations);
	const record = recordOf(state, decision);
	return { decision, record, taken: state.take([record]) };
}
