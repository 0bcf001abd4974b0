import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { startChild } from "./children.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

describe("reader", () => {
	it("shows a reader in another process every commit after its refresh", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		await store.putEdge("e", edgeOf("a.example"), {});
		const { child, lines } = startChild("read", folder);
		expect((await lines.next()).value).toBe("open");
		for (let round = 1; round <= 50; round++) {
			await store.putRoute("e", "r", routeOf(`/${round}`), {});
			await store.putPolicy("e", "r", policyOf("x".repeat(round * 997)), {});
			child.stdin?.write("read\n");
			expect(JSON.parse((await lines.next()).value)).toEqual([`/${round}`, round * 997]);
		}
		await store.close();
	});

	it("tells a policy's etag as the policy itself has it", async () => {
		const store = openStore(temporaryFolder());
		expect(store.policyEtag("e", "r")).toBeUndefined();
		for (const name of ["one", "two"]) {
			await store.putPolicy("e", "r", policyOf(name), {});
			store.refresh();
			expect(store.policyEtag("e", "r")).toBe(store.policy("e", "r")?.etag);
			const text = store.policyText("e", "r");
			expect(text).toBe(JSON.stringify(store.policy("e", "r")?.document));
		}
		await store.close();
	});
});
