/** `GET /fleet/log`: who changed what, newest first, in pages. */
import { expect, it } from "vitest";
import { fleetLogSchema } from "../../../src/management/fleet/fleet-answers.ts";
import { expectError, startApi } from "../api.ts";
import { FakeFleet } from "./fake-fleet.ts";

const entry = (revision: number, operations = 1) => ({
	...{ revision, at: "2026-11-22T08:00:00Z", key: "key_abc", member: "m_a", isVoid: false },
	operations: Array.from({ length: operations }, () => ["put", "p/site/all"] as const),
});

it("tells revision, time, key, member and operations, and the page behind", async () => {
	const fleet = new FakeFleet();
	fleet.entries = [entry(9), { ...entry(8, 130), key: undefined, isVoid: true }, entry(7)];
	const api = await startApi({ fleet });
	const { json } = await api.send("GET", "/fleet/log?limit=2");
	expect(fleetLogSchema.safeParse(json).error).toBeUndefined();
	expect(json.entries[0]).toEqual({
		...{ revision: 9, at: "2026-11-22T08:00:00Z", member: "m_a", key_id: "key_abc", void: false },
		...{ operations: [{ kind: "put", key: "p/site/all" }], operations_left_out: 0 },
	});
	expect(json.entries[1]).toMatchObject({ key_id: null, void: true, operations_left_out: 30 });
	expect(json.entries[1].operations).toHaveLength(100);
	expect(json.next_page_uri).toBe("/fleet/log?limit=2&before=8");
	const behind = await api.send("GET", json.next_page_uri);
	expect(behind.json.entries).toHaveLength(1);
	expect(behind.json.next_page_uri).toBeNull();
});

it("is not there without a fleet, and takes no nonsense", async () => {
	const alone = await startApi();
	expectError(await alone.send("GET", "/fleet/log"), 404, "ERR_NO_FLEET");
	const api = await startApi({ fleet: new FakeFleet() });
	for (const query of ["limit=0", "limit=101", "before=x"])
		expectError(await api.send("GET", `/fleet/log?${query}`), 400, "ERR_INVALID_QUERY");
});
