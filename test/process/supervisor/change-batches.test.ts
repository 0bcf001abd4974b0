/** Changes of one turn are one batch; changes of later turns are others, whether or not the first has been applied. */
import { expect, it } from "vitest";
import { ChangeBatches } from "../../../src/process/supervisor/change-batches.ts";
import type { Change } from "../../../src/store/store.ts";

const change = (routeId: string): Change => ({ kind: "policy", edgeId: "e", routeId });
const turn = () => new Promise(setImmediate);

it("sends the changes of a turn together and resolves all of them when they are applied", async () => {
	const sent: string[][] = [];
	const applied: (() => void)[] = [];
	const batches = new ChangeBatches((changes) => {
		sent.push(changes.map((each) => ("routeId" in each ? each.routeId : "")));
		return new Promise((resolve) => applied.push(resolve));
	});
	const done: string[] = [];
	const add = (...ids: string[]) =>
		void batches.add(ids.map(change)).then(() => done.push(ids.join("")));
	add("a");
	add("b", "c");
	expect(sent).toEqual([]);
	await turn();
	add("d");
	await turn();
	expect(sent).toEqual([["a", "b", "c"], ["d"]]);
	expect(done).toEqual([]);
	applied[1]?.();
	await turn();
	expect(done).toEqual(["d"]);
	applied[0]?.();
	await turn();
	expect(done).toEqual(["d", "a", "bc"]);
});
