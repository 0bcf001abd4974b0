/** A membership of tests: says what it is told to say, and writes nothing. */
import type { Fleet, OwnStatus } from "../../../src/fleet/fleet.ts";
import type { Position } from "../../../src/fleet/state.ts";
import type { WriteQueue } from "../../../src/store/write-queue.ts";

export const SINCE = "2026-11-22T08:00:00.000Z";

export const POSITION: Position = {
	...{ fleet: "prod", incarnation: "i.1", applied: 7, head: 7, digest: "d".repeat(32), level: 1 },
};

export const statusWith = (changes: Partial<OwnStatus> = {}): OwnStatus => ({
	member: { id: "m_a", name: "a", role: "manager", version: "9.9.9", level: 1, labels: {} },
	position: POSITION,
	state: "in_sync",
	since: SINCE,
	why: undefined,
	connection: { isUp: true, server: "e:4222", version: "2.15.1", since: SINCE },
	tail: 7,
	lost: { records: 0, unverified: 0, files: [] },
	...changes,
});

export const QUEUE: WriteQueue = {
	write: async () => {
		throw new Error("nothing is written");
	},
	idle: async () => {},
	hold: async () => {},
	release: () => {},
	isHeld: false,
};

export const fakeFleet = (changes: Partial<Fleet> = {}): Fleet => ({
	queue: QUEUE,
	status: () => statusWith(),
	members: async () => [],
	forget: async () => {},
	reached: async () => true,
	attend: () => () => {},
	spread: async () => ({ applied: 1, of: 1, missing: [] }),
	history: async () => [],
	refusal: undefined,
	metrics: () => ({}),
	close: async () => {},
	...changes,
});
