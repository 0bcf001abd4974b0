/** An export becomes one write that makes the difference; what is none is refused before anything is written. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FleetError } from "../../../src/fleet/fleet-error.ts";
import { encodeSnapshot } from "../../../src/fleet/snapshot-codec.ts";
import { StoreState } from "../../../src/fleet/store-state.ts";
import { restoreState } from "../../../src/process/fleet/restore-state.ts";
import { CommitQueue } from "../../../src/store/commit-queue.ts";
import type { Database } from "../../../src/store/lmdb/database.ts";
import { openStore } from "../../../src/store/open.ts";
import type { WriteOrigin } from "../../../src/store/write-queue.ts";
import { temporaryFolder } from "../../store/folder.ts";

const edge = (host: string) => ({ hostports: [host], description: "", metadata: "" });

async function begun() {
	let database: Database | undefined;
	const folder = temporaryFolder();
	const queueOf = (given: Database) => {
		database = given;
		return new CommitQueue(given);
	};
	const store = openStore(folder, { queueOf });
	onTestFinished(() => store.close());
	if (database === undefined) throw new Error("no database");
	const local = new CommitQueue(database);
	const state = new StoreState(database);
	await store.putEdge("a", edge("a.test"), {});
	await store.putEdge("b", edge("b.test"), {});
	state.begin({ fleet: "prod", incarnation: "i.1", revision: 3, level: 1 });
	const file = join(folder, "export");
	const parts: Uint8Array[] = [];
	for await (const part of encodeSnapshot(state.snapshot())) parts.push(part);
	writeFileSync(file, Buffer.concat(parts));
	const queue = {
		...{ idle: async () => {}, hold: async () => {}, release: () => {}, isHeld: false },
		write: <T>(operation: Parameters<CommitQueue["write"]>[0], origin: WriteOrigin) => {
			origin.onRevision?.(4, "");
			return local.write(operation) as Promise<T>;
		},
	};
	return { folder, store, file, fleet: { queue } as Parameters<typeof restoreState>[0] };
}

it("writes and deletes what differs, and nothing where nothing does", async () => {
	const { store, file, fleet } = await begun();
	expect(await restoreState(fleet, file)).toEqual({ written: 0, deleted: 0 });
	await store.deleteEdge("a", {});
	await store.putEdge("b", edge("other.test"), {});
	await store.putEdge("c", edge("c.test"), {});
	expect(await restoreState(fleet, file)).toEqual({ written: 2, deleted: 1, revision: 4 });
	expect(Array.from(store.edges(), ({ edgeId }) => edgeId)).toEqual(["a", "b"]);
	expect(store.edge("b")?.document.hostports).toEqual(["b.test"]);
});

it("says what to do where the difference is too much for a record", async () => {
	const { store, file, fleet } = await begun();
	await store.deleteEdge("a", {});
	const write = async () => {
		throw new FleetError("ERR_BODY_TOO_LARGE", "Nothing was changed.");
	};
	const full = { queue: { ...fleet.queue, write } };
	await expect(restoreState(full, file)).rejects.toThrow(
		/export differs .* Nothing was changed\. First bring back a part .* then restore again/,
	);
});

it("takes nothing else for an export", async () => {
	const { folder, file, fleet } = await begun();
	const other = join(folder, "other");
	for (const content of ["", "text", Buffer.from([0x1f, 0x8b, 8, 0])]) {
		writeFileSync(other, content);
		await expect(restoreState(fleet, other)).rejects.toThrow(/is no export of weir fleet export/);
	}
	const { readFileSync } = await import("node:fs");
	writeFileSync(other, readFileSync(file).subarray(0, -9));
	await expect(restoreState(fleet, other)).rejects.toThrow(/is no export/);
	await expect(restoreState(fleet, join(folder, "none"))).rejects.toThrow(/can't read .*ENOENT/);
	await expect(restoreState(fleet, folder)).rejects.toThrow(/can't read .*EISDIR/);
});
