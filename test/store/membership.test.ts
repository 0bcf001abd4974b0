/**
 * A store that is a fleet's is not written past its log: whoever opens it for another use is told how to go on. Its backup
 * holds the documents alone, and is restored anywhere.
 */
import { describe, expect, it } from "vitest";
import { backUpStore } from "../../src/store/backup/write-backup.ts";
import { Database } from "../../src/store/lmdb/database.ts";
import { assertFleet, isMembership, joinFleet, leaveFleet } from "../../src/store/membership.ts";
import {
	fleetIn,
	inspectStore,
	openKeyStore,
	openReader,
	openStore,
} from "../../src/store/open.ts";
import { edgeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

async function change(folder: string, work: Parameters<Database["commit"]>[0]): Promise<void> {
	const database = Database.open(folder, { readOnly: false });
	database.commit(work);
	await database.close();
}

async function folderInFleet(): Promise<string> {
	const folder = temporaryFolder();
	const store = openStore(folder);
	await store.putEdge("e", edgeOf("a.example"), {});
	await store.close();
	await change(folder, (writes) => {
		joinFleet(writes, "m_1", { fleet: "prod" });
		writes.put("f/0000000000000001", "x");
	});
	return folder;
}

const REFUSAL =
	/^the store in .* belongs to the fleet "prod", and the configuration names none; put "prod" under fleet: name, or make this a machine of its own with: weir fleet leave$/;

describe("a store of a fleet", () => {
	it("is opened by none but the fleet", async () => {
		const folder = await folderInFleet();
		expect(() => openStore(folder)).toThrow(REFUSAL);
		expect(() => openKeyStore(folder)).toThrow(REFUSAL);
		await inspectStore(folder);
		expect(await fleetIn(folder)).toBe("prod");
		const reader = openReader(folder);
		expect(reader.edge("e")?.document).toEqual(edgeOf("a.example"));
		expect(() => assertFleet(readsOf(reader), folder, "prod")).not.toThrow();
		expect(() => assertFleet(readsOf(reader), folder, "other")).toThrow(/names "other"/);
		await reader.close();
	});
	it("is saved as any other", async () => {
		const folder = await folderInFleet();
		let text = "";
		const write = (bytes: Buffer) => {
			text += bytes.toString();
		};
		const about = { weir: "1", created: "" };
		await backUpStore(folder, { about, write, progress: () => {} });
		const keys = text.split("\n").map((line) => line.split("\t")[0]);
		expect(keys[0]).toContain('"layout":1');
		expect(keys.slice(1, -2)).toEqual(["!version", "e/e", "h/a.example"]);
	});
	it("is left as it would be without", async () => {
		const folder = await folderInFleet();
		await change(folder, (writes) => writes.put("!k/key_1", "x"));
		await change(folder, leaveFleet);
		expect(await fleetIn(folder)).toBeUndefined();
		const database = Database.open(folder, { readOnly: true });
		expect([database.get("!layout"), database.get("k/key_1")]).toEqual(["1", "x"]);
		expect(Array.from(database.keys({ start: "!", end: "~" })).filter(isMembership)).toEqual([
			"!member",
		]);
		expect(database.get("!k/key_1")).toBeUndefined();
		await database.close();
	});
	it("has the layout that its documents need when it is left", async () => {
		const folder = await folderInFleet();
		await change(folder, (writes) => {
			writes.put("l/x", "x");
			leaveFleet(writes);
			expect(writes.get("!layout")).toBe("2");
		});
	});
});

it("no store belongs to no fleet", async () => {
	expect(await fleetIn(temporaryFolder())).toBeUndefined();
});

/** Every reader is a `DatabaseReader`, which keeps its database to itself. */
const readsOf = (reader: unknown): Database => (reader as { readonly database: Database }).database;
