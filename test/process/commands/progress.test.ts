/** A line a second, and none for what is done within one. */
import { expect, it } from "vitest";
import { Progress } from "../../../src/process/commands/progress.ts";

it("says how far it has got once a second, and nothing before", () => {
	const lines: string[] = [];
	let now = 0;
	const progress = new Progress(
		"backup",
		(line) => lines.push(line),
		() => now,
	);
	for (const [at, done] of [
		[0, 0],
		[999, 0.1],
		[1000, 0.25],
		[1500, 0.3],
		[2600, 0.999],
		[2700, 1],
	] as const) {
		now = at;
		progress.tell(done);
	}
	expect(lines).toEqual(["weir: backup: 25 %\n", "weir: backup: 99 %\n"]);
});
