import { expect, it } from "vitest";
import { Lane } from "../../../src/edge/policies/lane.ts";

it("does one thing after the other, whatever becomes of those before", async () => {
	const lane = new Lane();
	const events: string[] = [];
	const work = (name: string, fails = false) =>
		lane.run(async () => {
			events.push(`${name} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			events.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		});
	const all = await Promise.allSettled([work("a"), work("b", true), work("c")]);
	expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
	expect(events).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
	expect(await work("d")).toBe("d");
});

it("begins at once where nothing is being done", () => {
	let begun = false;
	void new Lane().run(async () => {
		begun = true;
	});
	expect(begun).toBe(true);
});
