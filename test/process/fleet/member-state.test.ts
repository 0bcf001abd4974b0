/** Which stores a machine of a fleet may start with, and what it says of others. */
import { expect, it } from "vitest";
import { LEVEL } from "../../../src/fleet/level.ts";
import { StoreState } from "../../../src/fleet/store-state.ts";
import { memberState } from "../../../src/process/fleet/member-state.ts";
import * as writes from "../../../src/store/writes.ts";
import { openDatabase } from "../../fleet/databases.ts";
import { edgeOf } from "../../store/documents.ts";
import { temporaryFolder } from "../../store/folder.ts";

function opened({ level = 0, hasEdge = false }: { level?: number; hasEdge?: boolean }) {
	const folder = temporaryFolder();
	const database = openDatabase(folder);
	if (hasEdge) database.commit((each) => writes.putEdge(each, "e", edgeOf("a.example"), {}));
	if (level > 0)
		new StoreState(database).begin({ fleet: "prod", incarnation: "i", revision: 0, level });
	return () => memberState(database, "prod", folder);
}

it("takes an empty one, and the fleet's own", () => {
	expect(opened({})().position).toBeUndefined();
	expect(opened({ level: LEVEL, hasEdge: true })().position).toMatchObject({ level: LEVEL });
});

it("refuses one with documents of its own", () => {
	expect(opened({ hasEdge: true })).toThrow(/has a configuration of its own/);
});

it("refuses one of a level that it does not understand", () => {
	expect(opened({ level: LEVEL + 1 })).toThrow(
		`the fleet "prod" is at level ${LEVEL + 1}, and this version of weir understands level ${LEVEL}`,
	);
});

it("refuses another fleet's", () => {
	const folder = temporaryFolder();
	const database = openDatabase(folder);
	new StoreState(database).begin({ fleet: "other", incarnation: "i", revision: 0, level: 1 });
	expect(() => memberState(database, "prod", folder)).toThrow(/belongs to the fleet "other"/);
});
