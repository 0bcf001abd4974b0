/**
 * Durability (contract 2): a process that writes as fast as it can is killed at an arbitrary moment,
 * several times over one folder. Afterwards everything that it acknowledged is there, or something newer
 * by the same writer; what is there is whole, and the indexes fit the documents.
 */
import { once } from "node:events";
import { expect, it } from "vitest";
import { canonicalHostport, parseHostport } from "../../src/store/hostport.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { startChild } from "./children.ts";
import { edgeOf, routeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

const ROUNDS = 6;

/** Which count of each writer is stored; `undefined` where there is nothing. */
const edgeCount = (store: Store, id: string): number | undefined => {
	const name = store.edge(`edge-${id}`)?.document.hostports[1];
	return name === undefined ? undefined : Number(name.slice(1, name.indexOf(".")));
};
const policyCount = (store: Store, id: string): number => {
	const name = store.policy(`edge-${id}`, "r")?.document.inbound[0]?.name ?? "-1 ";
	const [count = "", filling = ""] = name.split(" ");
	if (count !== "-1") expect(filling).toBe("x".repeat(Number(count) % 5000));
	return Number(count);
};
const routeCount = (store: Store, id: string): number | undefined => {
	const match = store.route(`edge-${id}`, "r")?.document.match;
	return match === undefined ? undefined : Number(match.slice(1));
};

function assertNothingLost(store: Store, acknowledged: ReadonlyMap<string, number>): void {
	for (const [what, count] of acknowledged) {
		const [kind, id = ""] = what.split(" ");
		// every seventh count deletes the edge afterwards, acknowledged or not
		const latest = Math.max(
			acknowledged.get(`edge ${id}`) ?? 0,
			acknowledged.get(`gone ${id}`) ?? 0,
		);
		const mayBeGone = latest % 7 === 0;
		if (kind === "policy") {
			const now = policyCount(store, id);
			// it goes with its edge, which goes after it
			if (count % 7 !== 0 || now !== -1) expect(now, what).toBeGreaterThanOrEqual(count);
		} else if (kind === "gone") {
			const now = edgeCount(store, id);
			if (now !== undefined) expect(now).toBeGreaterThan(count);
			const policy = policyCount(store, id);
			if (policy !== -1) expect(policy).toBeGreaterThan(count);
		} else if (!mayBeGone) {
			const now = kind === "edge" ? edgeCount(store, id) : routeCount(store, id);
			if (kind === "edge" || (acknowledged.get(`edge ${id}`) ?? 0) === count) {
				expect(now, what).toBeGreaterThanOrEqual(count);
			}
		}
	}
}

/** Each hostport and match still conflicts for others and is free where nobody has it. */
async function assertIndexesFit(store: Store): Promise<void> {
	const edges = [...store.edges()];
	for (const { edgeId, document } of edges) {
		for (const hostport of document.hostports) {
			const parsed = parseHostport(hostport);
			expect(parsed && canonicalHostport(parsed)).toBe(hostport);
			const result = await store.putEdge("probe", edgeOf(hostport), {});
			expect(result).toMatchObject({ refused: "hostport_conflict", edgeId });
		}
	}
	for (const { edgeId, document } of [...store.routes()]) {
		const result = await store.putRoute(edgeId, "probe", routeOf(document.match), {});
		expect(result).toMatchObject({ refused: "match_conflict", routeId: "r" });
	}
	for (const { edgeId, document } of edges) {
		await store.deleteEdge(edgeId, {});
		const result = await store.putEdge("probe", edgeOf(...document.hostports), {});
		expect(result).toMatchObject({ stored: { document } });
		await store.deleteEdge("probe", {});
		await store.putEdge(edgeId, document, {});
	}
}

it("a killed writer loses nothing that it acknowledged and leaves nothing half there", async () => {
	const folder = temporaryFolder();
	let start = 1;
	for (let round = 0; round < ROUNDS; round++) {
		const { child, lines } = startChild("storm", folder, String(start));
		const acknowledged = new Map<string, number>();
		const enough = 300 + round * 173;
		for (let seen = 0; ; seen++) {
			const { value, done } = await lines.next();
			if (done) break;
			const [kind, id, count] = value.split(" ");
			acknowledged.set(`${kind} ${id}`, Number(count));
			start = Math.max(start, Number(count) + 1);
			if (seen === enough) child.kill("SIGKILL");
		}
		if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
		expect(acknowledged.size).toBeGreaterThan(8);
		const store = openStore(folder);
		assertNothingLost(store, acknowledged);
		await assertIndexesFit(store);
		await store.close();
	}
}, 120_000);
