/** Going through all routes in batches meets each once, in order, whatever the size of a batch. */
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "./folder.ts";

it("meets every route once", async () => {
	const store = openStore(temporaryFolder());
	onTestFinished(() => store.close());
	const names = ["a/1", "a/2", "a-b/1", "a.b/x", "b/0", "b/_"];
	const backend = { urls: ["http://127.0.0.1:1"] };
	for (const name of names) {
		const [edgeId = "", routeId = ""] = name.split("/");
		await store.putEdge(
			edgeId,
			{ hostports: [`${edgeId}.test`], description: "", metadata: "" },
			{},
		);
		await store.putRoute(
			edgeId,
			routeId,
			{ match_type: "path_prefix", match: `/${routeId}`, backend },
			{},
		);
	}
	for (const size of [1, 2, 6, 10]) {
		const met: string[] = [];
		for (let after: string | undefined; ; after = met.at(-1)) {
			const batch = store.routeBatch(size, after);
			met.push(...batch.map(({ edgeId, routeId }) => `${edgeId}/${routeId}`));
			if (batch.length < size) break;
		}
		expect(met).toEqual([...names].sort());
	}
	expect(store.routeBatch(1, undefined)[0]?.document.match).toBe("/1");
});
