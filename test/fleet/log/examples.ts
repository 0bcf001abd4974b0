/** Records, statuses and snapshots for the tests of logs (`suite.ts` and others). */
import { randomBytes } from "node:crypto";
import type { MemberStatus, Snapshot } from "../../../src/fleet/log/log.ts";
import type { FleetRecord } from "../../../src/fleet/record.ts";
import { encode } from "../../../src/store/layout.ts";

/** An edge as the store keeps it. @param fields besides */
export const storedEdge = (fields: object = {}): string =>
	encode({ hostports: ["site.example:80"], ...fields }).value;

/** A record that is sound by itself; nobody here looks whether it fits a state. */
export function recordOn(base: number, fields: Partial<FleetRecord> = {}): FleetRecord {
	return {
		id: randomBytes(16).toString("base64url"),
		base,
		before: "0".repeat(32),
		after: randomBytes(16).toString("hex"),
		level: 1,
		by: "m_0123456789abcdef",
		isAwaited: false,
		at: "2026-11-22T08:00:00.000Z",
		key: "key_abc",
		operations: [["put", "e/site", storedEdge()]],
		...fields,
	};
}

export function statusOf(id: string, fields: Partial<MemberStatus> = {}): MemberStatus {
	return {
		id,
		name: `host-${id}`,
		version: "1.4.2",
		level: 1,
		role: "manager",
		state: "in_sync",
		revision: 12,
		digest: "0".repeat(32),
		since: "2026-11-22T08:00:00.000Z",
		labels: { region: "ams" },
		limits: "abc",
		...fields,
	};
}

export function snapshotOf(
	revision: number,
	entries: readonly (readonly [string, string])[],
): Snapshot {
	return {
		revision,
		head: revision,
		id: revision === 0 ? "" : randomBytes(16).toString("base64url"),
		digest: "a".repeat(32),
		level: 1,
		incarnation: "first",
		count: entries.length,
		entries: (async function* () {
			yield* entries;
		})(),
	};
}

export async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const value of values) all.push(value);
	return all;
}
