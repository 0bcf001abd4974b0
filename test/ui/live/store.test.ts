/** A value with listeners: told of changes, and of nothing else. */
import { expect, it } from "vitest";
import { Store } from "../../../ui/live/store.ts";

it("tells listeners of each change until they have had enough", () => {
	const store = new Store(1);
	const seen: number[] = [];
	const end = store.listen((value) => seen.push(value));
	store.set(2);
	store.set(2);
	store.update((value) => value + 1);
	end();
	store.set(9);
	expect([seen, store.value]).toEqual([[2, 3], 9]);
});
