/** The real clock runs what is due once, and nothing that was stopped. */
import { expect, it } from "vitest";
import { CLOCK } from "../../src/fleet/clock.ts";

it("runs what is due, and not what was stopped", async () => {
	const ran: string[] = [];
	CLOCK.after(0, () => ran.push("stopped"))();
	await new Promise<void>((resolve) => {
		CLOCK.after(1, () => {
			ran.push("due");
			resolve();
		});
	});
	expect(ran).toEqual(["due"]);
	expect(CLOCK.now()).toBeGreaterThan(0);
	expect(CLOCK.random()).toBeLessThan(1);
});
