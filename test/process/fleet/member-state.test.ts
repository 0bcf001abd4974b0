/** Which store may become a member's: an empty one, and one of the same fleet. */
import { expect, it, onTestFinished } from "vitest";
import { memberState } from "../../../src/process/fleet/member-state.ts";
import { CommitQueue } from "../../../src/store/commit-queue.ts";
import type { Database } from "../../../src/store/lmdb/database.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";

function opened() {
	let database: Database | undefined;
	const store = openStore(temporaryFolder(), (given) => {
		database = given;
		return new CommitQueue(given);
	});
	onTestFinished(() => store.close());
	if (database === undefined) throw new Error("no database");
	return { store, database };
}

it("an empty one, and its own", () => {
	const { database } = opened();
	const state = memberState(database, "prod", "/d");
	expect(state.position).toBeUndefined();
	state.begin({ fleet: "prod", incarnation: "i.1", revision: 0, level: 1 });
	expect(memberState(database, "prod", "/d").position?.fleet).toBe("prod");
	expect(() => memberState(database, "other", "/d")).toThrow(/belongs to the fleet "prod"/);
});

it("not one with documents of its own", async () => {
	const { store, database } = opened();
	await store.putEdge("e", { hostports: ["a.test"], description: "", metadata: "" }, {});
	expect(() => memberState(database, "prod", "/d")).toThrow(
		/configuration of its own.*weir fleet init.*weir fleet join --discard-local/,
	);
});
