/** When the data path must not answer: before there is a state, and when the time without an engine is over. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { RefusalWatch } from "../../../src/process/fleet/refusal-watch.ts";
import { SINCE, statusWith } from "./fake-fleet.ts";

const DOWN = { connection: { isUp: false as const, why: "gone", since: SINCE } };
const NOW = Date.parse("2026-11-22T12:00:00.000Z");

function watched() {
	const folder = mkdtempSync(join(tmpdir(), "weir-refusal-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const mark = join(folder, "mark");
	const told: (string | undefined)[] = [];
	const made = (): RefusalWatch => {
		const watch = new RefusalWatch(mark);
		watch.tell = (refusal) => told.push(refusal);
		return watch;
	};
	return { made, told };
}

it("refuses until there is a state, and says why", () => {
	const { made, told } = watched();
	const watch = made();
	const rule = { name: "prod", refuseAfterMs: null };
	watch.look(statusWith({ position: undefined, why: "it is far away" }), rule, NOW);
	watch.look(statusWith({ position: undefined, why: "it is far away" }), rule, NOW + 1);
	watch.look(statusWith(DOWN), rule, NOW + 2);
	watch.look(statusWith(DOWN), rule, NOW + 1e9);
	expect(told).toEqual([
		"This machine has no configuration of the fleet prod yet: it is far away.",
		undefined,
	]);
});

it("refuses when it was cut off for long, over a restart, and no longer once it is back", () => {
	const { made, told } = watched();
	const rule = { name: "prod", refuseAfterMs: 60_000 };
	const before = made();
	before.look(statusWith(), rule, NOW);
	before.look(statusWith(DOWN), rule, NOW + 60_000);
	before.close();
	before.look(statusWith(DOWN), rule, NOW + 60_001);
	expect(told).toEqual([]);
	const after = made();
	after.look(statusWith(DOWN), rule, NOW + 60_001);
	expect(after.refusal).toMatch(/cut off from the fleet prod since 2026-11-22T12:00:00\.000Z/);
	after.look(statusWith(), rule, NOW + 70_000);
	expect(told).toEqual([expect.stringContaining("when_cut_off"), undefined]);
});
