/** The count alone; its users' ways are in wait.test.ts. */
import { expect, it } from "vitest";
import { SpreadCount } from "../../src/fleet/spread-count.ts";
import { status } from "./fake-seen.ts";

it("is not whole before it is known who there is", () => {
	const count = new SpreadCount(1, () => "d1");
	let told = 0;
	count.onWhole = () => {
		told += 1;
	};
	count.hear(status("a"));
	expect([told, count.isKnown]).toEqual([0, false]);
	count.see([{ status: status("a"), ageMs: 0 }]);
	expect([told, count.isKnown]).toEqual([1, true]);
	expect(count.result).toEqual({ applied: 1, of: 1, missing: [] });
});

it("takes any digest where its own is not known any more", () => {
	const count = new SpreadCount(1, () => undefined);
	count.see([{ status: status("a", { digest: "x" }), ageMs: 0 }]);
	expect(count.result.missing).toEqual([]);
});
