/** Room for states: each holder has a bound, and all together; who came first gives way. */
import { expect, test } from "vitest";
import { StateMemory } from "../../../src/cel/pattern/state-memory.ts";

class Holder {
	flushed = 0;
	flush(): void {
		this.flushed++;
	}
}

test("who asks for more than one may have is told to flush, and begins anew", () => {
	const memory = new StateMemory(1000, 100);
	const holder = new Holder();
	expect(memory.take(holder, 60)).toBe(true);
	expect(memory.take(holder, 60)).toBe(false);
	expect(memory.total).toBe(0);
	expect(memory.take(holder, 60)).toBe(true);
	expect([memory.total, holder.flushed]).toEqual([60, 0]);
});

test("a state that is larger than all that one may have is held alone", () => {
	const memory = new StateMemory(1000, 100);
	const holder = new Holder();
	expect(memory.take(holder, 300)).toBe(true);
	expect(memory.take(holder, 300)).toBe(false);
	expect(memory.take(holder, 300)).toBe(true);
	expect(memory.total).toBe(300);
});

test("where all have no room left, who came first gives its own, and never the one who asks", () => {
	const memory = new StateMemory(250, 100);
	const [first, second, third] = [new Holder(), new Holder(), new Holder()];
	for (const holder of [first, second]) memory.take(holder, 100);
	memory.take(third, 90);
	expect([first.flushed, second.flushed, third.flushed]).toEqual([1, 0, 0]);
	expect(memory.total).toBe(190);
	memory.take(first, 90);
	expect([first.flushed, second.flushed, third.flushed]).toEqual([1, 1, 0]);
	expect(memory.total).toBe(180);
});
