/** The index of routes is what the store has, after any changes, also those made while it is built. */
import { expect, it, onTestFinished } from "vitest";
import { RouteIndex } from "../../../src/management/live/route-index.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Change, Store, WriteResult } from "../../../src/store/store.ts";
import { temporaryFolder } from "../../store/folder.ts";

const backend = { urls: ["http://10.0.0.1:9000"] };
const route = (match: string) => ({ match_type: "path_prefix", match, backend }) as const;
const edge = (...hostports: string[]) => ({ hostports, description: "", metadata: "" });

const changesOf = (result: WriteResult<unknown>): readonly Change[] =>
	"refused" in result ? [] : result.changes;

async function open(): Promise<{ store: Store; index: RouteIndex; names(): Promise<string[]> }> {
	const store = openStore(temporaryFolder());
	onTestFinished(() => store.close());
	const index = new RouteIndex(store);
	onTestFinished(() => index.drop());
	await store.putEdge("b", edge("B.example"), {});
	await store.putRoute("b", "2", route("/Two"), {});
	await store.putRoute("b", "1", route("/one"), {});
	const names = async () => (await index.routes()).map(({ name }) => name);
	return { store, index, names };
}

it("follows changes", async () => {
	const { store, index, names } = await open();
	expect(await names()).toEqual(["b/1", "b/2"]);
	const all = await index.routes();
	expect(all[1]).toMatchObject({
		text: "b/2 /two http://10.0.0.1:9000",
		edge: { text: "b.example" },
	});
	index.changed(changesOf(await store.putEdge("a", edge("a.example"), {})));
	index.changed(changesOf(await store.putRoute("a", "9", route("/"), {})));
	index.changed(changesOf(await store.putRoute("b", "2", route("/new"), {})));
	index.changed(changesOf(await store.putRoute("b", "15", route("/x"), {})));
	expect(await names()).toEqual(["a/9", "b/1", "b/15", "b/2"]);
	expect((await index.routes()).at(-1)?.text).toContain("/new");
	index.changed(changesOf(await store.putEdge("b", edge("other.example"), {})));
	expect((await index.routes())[1]?.edge.text).toBe("other.example");
	index.changed(changesOf(await store.deleteRoute("b", "1", {})));
	expect(await names()).toEqual(["a/9", "b/15", "b/2"]);
	index.changed(changesOf(await store.deleteEdge("b", {})));
	expect(await names()).toEqual(["a/9"]);
	index.drop();
	expect(await names()).toEqual(["a/9"]);
});

it("has what was changed while it was built", async () => {
	const { store, index, names } = await open();
	const all = Array.from({ length: 1200 }, (_, n) =>
		store.putRoute("b", `n${n}`, route(`/n${n}`), {}),
	);
	await Promise.all(all);
	const building = names();
	index.changed(changesOf(await store.deleteRoute("b", "1", {})));
	index.changed(changesOf(await store.putRoute("b", "0", route("/zero"), {})));
	await building;
	const found = await names();
	expect([found.length, found[0], found[1]]).toEqual([1202, "b/0", "b/2"]);
});
