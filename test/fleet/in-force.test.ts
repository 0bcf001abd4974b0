import { expect, it } from "vitest";
import { InForce, type Mark } from "../../src/fleet/in-force.ts";
import type { Change } from "../../src/store/store.ts";

const mark = (revision: number): Mark => ({
	revision,
	digest: `d${revision}`,
	records: 1,
	isAwaited: false,
});
const edge = (edgeId: string): Change => ({ kind: "edge", edgeId });

function given() {
	const published: (readonly Change[])[] = [];
	const ends: ((error?: Error) => void)[] = [];
	const told: number[] = [];
	const failures: unknown[] = [];
	const inForce = new InForce(
		{
			publish: (changes) =>
				new Promise((resolve, reject) => {
					published.push(changes);
					ends.push((error) => (error === undefined ? resolve() : reject(error)));
				}),
			told: ({ revision }) => void told.push(revision),
			failed: (error) => void failures.push(error),
			now: () => 0,
		},
		undefined,
	);
	return { inForce, published, ends, told, failures };
}

it("what comes while the workers are busy goes together, in order", async () => {
	const { inForce, published, ends, told } = given();
	inForce.add([edge("a")], mark(1));
	const first = inForce.settled();
	inForce.add([edge("b")], mark(2));
	inForce.add([edge("c")], mark(3));
	const all = inForce.settled();
	expect(inForce.mark).toBeUndefined();
	ends[0]?.();
	await first;
	expect(told).toEqual([1]);
	ends[1]?.();
	await all;
	expect(published).toEqual([[edge("a")], [edge("b"), edge("c")]]);
	expect(told).toEqual([1, 2, 3]);
	expect(inForce.mark).toMatchObject({ revision: 3, digest: "d3" });
});

it("what changes nothing bothers no worker, and workers that fail stop nothing", async () => {
	const { inForce, published, ends, told, failures } = given();
	inForce.add([], mark(1));
	await inForce.settled();
	expect([published, told]).toEqual([[], [1]]);
	inForce.add([edge("a")], mark(2));
	const settled = inForce.settled();
	ends[0]?.(new Error("no worker"));
	await settled;
	expect(failures).toEqual([new Error("no worker")]);
	expect(told).toEqual([1, 2]);
	await inForce.settled();
});
