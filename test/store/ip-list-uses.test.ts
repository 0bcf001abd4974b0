/** Policies name lists that there are, and lists that policies name stay; whichever way the policies go. */
import { expect, it, onTestFinished } from "vitest";
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import { openStore } from "../../src/store/open.ts";
import { edgeOf, routeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

function opened() {
	const store = openStore(temporaryFolder());
	onTestFinished(() => store.close());
	return store;
}
const naming = (...lists: string[]): PolicyDocument => ({
	enabled: true,
	inbound: [{ name: "", expressions: [], actions: [{ type: "restrict-ips", config: { lists } }] }],
	outbound: [],
});

it("a policy that names lists which there are not is refused, with each place", async () => {
	const store = opened();
	await store.putIpList("here", { entries: [], description: "" }, {});
	expect(await store.putPolicy("e", "r", naming("here", "!gone", "lost"), {})).toMatchObject({
		refused: "lists_missing",
		lists: [
			{ name: "gone", path: ["inbound", 0, "actions", 0, "config", "lists", 1] },
			{ name: "lost", path: ["inbound", 0, "actions", 0, "config", "lists", 2] },
		],
	});
	expect(store.policy("e", "r")).toBeUndefined();
});

it("a list is kept as long as policies name it", async () => {
	const store = opened();
	await store.putEdge("e", edgeOf("a.example"), {});
	for (const id of ["one", "two"]) {
		await store.putIpList(id, { entries: [], description: "" }, {});
		await store.putRoute("e", id, routeOf(`/${id}/`), {});
	}
	const remove = async (id: string) => {
		const result = await store.deleteIpList(id, {});
		if (!("refused" in result)) await store.putIpList(id, { entries: [], description: "" }, {});
		return "refused" in result && result.refused === "list_in_use"
			? result.policies.map(({ edgeId, routeId }) => `${edgeId}/${routeId}`)
			: [];
	};
	await store.putPolicy("e", "one", naming("one", "!two"), {});
	await store.putPolicy("e", "two", naming("two"), {});
	await store.putPolicy("f", "unattached", naming("two"), {});
	expect(await remove("one")).toEqual(["e/one"]);
	expect(await remove("two")).toEqual(["e/one", "e/two", "f/unattached"]);
	await store.putPolicy("e", "one", naming("one"), {});
	expect(await remove("two")).toEqual(["e/two", "f/unattached"]);
	await store.deletePolicy("f", "unattached", {});
	await store.deleteRoute("e", "two", {});
	expect(await remove("two")).toEqual([]);
	await store.deleteEdge("e", {});
	expect(await remove("one")).toEqual([]);
});
