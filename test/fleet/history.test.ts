import { expect, it } from "vitest";
import { historyOf } from "../../src/fleet/history.ts";
import { putting, Rig } from "./rig.ts";

it("tells who changed what, newest first, a page at a time", async () => {
	const rig = new Rig();
	const one = rig.member("one");
	await rig.look(one);
	for (const edge of ["a", "b", "c"])
		await rig.until(rig.write(one, putting(edge), { key: `key_${edge}` }));
	const record = rig.engine.at(3)?.record;
	if (record !== undefined) {
		rig.engine.alter(3, () => undefined);
		rig.engine.append({ ...record, id: "stale", base: 3, before: "f".repeat(32) });
	}
	await rig.until(rig.simulation.pause(10));
	const page = await historyOf(one.log, one.state, 2, undefined);
	expect(page.map(({ revision, isVoid }) => [revision, isVoid])).toEqual([
		[4, true],
		[3, false],
	]);
	expect(await historyOf(one.log, one.state, 10, 3)).toEqual(
		["b", "a"].map((edge, index) => ({
			revision: 2 - index,
			at: "2026-01-01T00:00:00.000Z",
			key: `key_${edge}`,
			member: "one",
			operations: [["put", `e/${edge}`]],
			isVoid: false,
		})),
	);
	expect(await historyOf(one.log, one.state, 10, 1)).toEqual([]);
});
