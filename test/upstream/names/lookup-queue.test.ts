/** Turns: bounded, in order, and names that fail never in the way of the others. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { LookupQueue } from "../../../src/upstream/names/lookup-queue.ts";

interface Begun {
	readonly index: number;
	readonly failing: boolean;
	readonly leave: () => void;
}

/** A queue with a list of who is in it. */
function observed() {
	const queue = new LookupQueue();
	const begun: Begun[] = [];
	const order = { failing: [] as number[], sound: [] as number[] };
	let count = 0;
	const add = (failing: boolean): void => {
		const index = count++;
		queue.add(failing, (leave) => {
			begun.push({ index, failing, leave });
			order[failing ? "failing" : "sound"].push(index);
		});
	};
	const end = (at: number): void => {
		const [turn] = begun.splice(at % Math.max(begun.length, 1), 1);
		turn?.leave();
	};
	return { add, end, begun, order, added: () => count };
}

it("keeps to its places, leaves none empty, and serves each kind in order", () => {
	const command = fc.oneof(fc.boolean(), fc.nat(5));
	fc.assert(
		fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
			const { add, end, begun, order, added } = observed();
			let sound = 0;
			for (const each of commands) {
				if (typeof each === "number") end(each);
				else {
					add(each);
					if (!each) sound += 1;
				}
				const failing = begun.filter((turn) => turn.failing).length;
				expect(begun.length).toBeLessThanOrEqual(LIMITS.nameLooks);
				expect(failing).toBeLessThanOrEqual(LIMITS.nameLooksFailing);
				if (sound > order.sound.length) expect(begun.length).toBe(LIMITS.nameLooks);
				const failingWaits = added() - sound > order.failing.length;
				if (failingWaits && failing < LIMITS.nameLooksFailing) {
					expect(begun.length).toBe(LIMITS.nameLooks);
				}
			}
			while (begun.length > 0) end(0);
			expect(order.sound.length + order.failing.length).toBe(added());
			for (const indexes of [order.sound, order.failing]) {
				expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
			}
		}),
	);
});

it("dead names leave a place to the others, who come first", () => {
	const { add, end, begun, order } = observed();
	for (let dead = 0; dead < 10; dead += 1) add(true);
	expect(begun.map(({ index }) => index)).toEqual([0]);
	for (let sound = 0; sound < 3; sound += 1) add(false);
	end(1);
	end(1);
	expect(order.sound).toEqual([10, 11, 12]);
	expect(order.failing).toEqual([0]);
});

it("goes through a long line of turns that leave at once", () => {
	const queue = new LookupQueue();
	const leaves: (() => void)[] = [];
	for (let place = 0; place < LIMITS.nameLooks; place += 1) {
		queue.add(false, (leave) => leaves.push(leave));
	}
	let left = 0;
	for (let turn = 0; turn < 15_000; turn += 1) {
		queue.add(false, (leave) => {
			left += 1;
			leave();
		});
	}
	expect(left).toBe(0);
	leaves[0]?.();
	expect(left).toBe(15_000);
});
