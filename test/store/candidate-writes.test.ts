/** Candidates in the store: put beside the policy, promoted in one transaction, gone with route and edge. */
import { expect, it, onTestFinished } from "vitest";
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import { openStore } from "../../src/store/open.ts";
import { edgeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

const policy = (name: string): PolicyDocument => ({
	enabled: true,
	inbound: [{ name, expressions: [], actions: [{ type: "deny", config: {} }] }],
	outbound: [],
});

function opened() {
	const store = openStore(temporaryFolder());
	onTestFinished(() => store.close());
	return store;
}

it("stands beside the policy until it is promoted on its etag", async () => {
	const store = opened();
	await store.putPolicy("e", "r", policy("old"), {});
	const put = await store.putCandidate("e", "r", policy("new"), {});
	expect(put).toMatchObject({ created: true, changes: [{ kind: "candidate" }] });
	expect([...store.candidates()]).toEqual([{ edgeId: "e", routeId: "r" }]);
	expect(store.policy("e", "r")?.document.inbound[0]?.name).toBe("old");
	expect(await store.promoteCandidate("e", "r", { ifMatch: ['"no"'] })).toMatchObject({
		refused: "precondition",
	});
	const etag = store.candidate("e", "r")?.etag ?? "";
	const promoted = await store.promoteCandidate("e", "r", { ifMatch: [etag] });
	expect(promoted).toMatchObject({ changes: [{ kind: "policy" }, { kind: "candidate" }] });
	expect(store.policy("e", "r")?.etag).toBe(etag);
	expect(store.candidate("e", "r")).toBeUndefined();
	expect(await store.promoteCandidate("e", "r", {})).toEqual({ refused: "not_found" });
	expect(await store.deleteCandidate("e", "r", {})).toEqual({ refused: "not_found" });
});

it("is refused where it names no address list, and is gone with its edge", async () => {
	const store = opened();
	await store.putEdge("e", edgeOf("e.example"), {});
	const listed: PolicyDocument = {
		...policy("l"),
		inbound: [
			{
				...{ name: "l", expressions: [] },
				actions: [{ type: "restrict-ips", config: { lists: ["no"] } }],
			},
		],
	};
	expect(await store.putCandidate("e", "r", listed, {})).toMatchObject({
		refused: "lists_missing",
	});
	await store.putCandidate("e", "r", policy("new"), {});
	await store.deleteEdge("e", {});
	expect(store.candidate("e", "r")).toBeUndefined();
});
