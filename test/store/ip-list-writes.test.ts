/** Writes of address lists: preconditions, bounds, what of them is in the store, and the layout that they bring. */

import { open } from "lmdb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { openReader, openStore } from "../../src/store/open.ts";
import { edgeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

function opened() {
	const folder = temporaryFolder();
	const store = openStore(folder);
	onTestFinished(() => store.close());
	return { folder, store };
}
const list = (...entries: string[]) => ({ entries, description: "" });
const layoutIn = async (folder: string) => {
	const raw = open<string, string>({
		path: folder,
		noSubdir: false,
		encoding: "string",
		readOnly: true,
	});
	const found = raw.get("!layout");
	await raw.close();
	return found;
};

describe("address lists", () => {
	it("are put, read by whoever reads the store, changed and deleted", async () => {
		const { folder, store } = opened();
		const first = await store.putIpList("a", list("10.0.0.0/8"), {});
		expect(first).toMatchObject({ created: true, changes: [{ kind: "ip_list", listId: "a" }] });
		const reader = openReader(folder);
		onTestFinished(() => reader.close());
		expect(reader.ipList("a")?.document).toEqual(list("10.0.0.0/8"));
		expect([...reader.ipListIds()]).toEqual(["a"]);
		const change = { add: ["::1"], remove: ["10.0.0.0/8", "192.0.2.7"] };
		expect(await store.changeIpList("a", change, {})).toMatchObject({
			stored: { document: { count: 1 } },
		});
		expect(await store.changeIpList("none", change, {})).toEqual({ refused: "not_found" });
		reader.refresh();
		expect(reader.ipListEntries("a")).toBe("::1");
		expect(await store.deleteIpList("a", {})).toMatchObject({ deleted: {} });
		expect(await store.deleteIpList("a", {})).toEqual({ refused: "not_found" });
		reader.refresh();
		expect([reader.ipList("a"), reader.ipListEntries("a")]).toEqual([undefined, undefined]);
	});

	it("have an etag that is that of their content", async () => {
		const { store } = opened();
		const etags: (string | undefined)[] = [];
		for (const entries of [["::1"], ["::1"], ["::2"], ["::1"]]) {
			const put = await store.putIpList("a", list(...entries), {});
			etags.push("stored" in put ? put.stored.etag : undefined);
		}
		expect([etags[1], etags[3]]).toEqual([etags[0], etags[0]]);
		expect(etags[2]).not.toBe(etags[0]);
		const stale = { ifMatch: [etags[2] ?? ""] };
		const refused = { refused: "precondition", before: etags[0] };
		expect(await store.putIpList("a", list(), stale)).toEqual(refused);
		expect(await store.changeIpList("a", { add: [], remove: [] }, stale)).toEqual(refused);
		expect(await store.deleteIpList("a", stale)).toEqual(refused);
	});

	it("are bounded in number, in entries, and all together", async () => {
		const { store } = opened();
		vi.spyOn(LIMITS, "ipLists", "get").mockReturnValue(2 as never);
		vi.spyOn(LIMITS, "ipListEntries", "get").mockReturnValue(3 as never);
		vi.spyOn(LIMITS, "ipListEntriesTotal", "get").mockReturnValue(4 as never);
		await store.putIpList("a", list("::1", "::2"), {});
		const full = (what: string, count: number) => ({ refused: "list_full", what, count });
		const add = (...entries: string[]) => store.changeIpList("a", { add: entries, remove: [] }, {});
		expect(await add("::3", "::4")).toMatchObject(full("entries", 4));
		await store.putIpList("b", list("::1", "::2"), {});
		expect(await add("::3")).toMatchObject(full("total", 5));
		expect(await store.putIpList("c", list(), {})).toMatchObject(full("lists", 3));
		expect(store.ipList("a")?.document.entries).toEqual(["::1", "::2"]);
	});

	it("raise the layout with the first of them, so that older builds still read stores without", async () => {
		const { folder, store } = opened();
		await store.putEdge("e", edgeOf("a.example"), {});
		expect(await layoutIn(folder)).toBe("1");
		await store.putIpList("a", list(), {});
		expect(await layoutIn(folder)).toBe("2");
		await store.deleteIpList("a", {});
		expect(await layoutIn(folder)).toBe("2");
	});
});
