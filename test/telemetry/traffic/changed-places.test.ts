/** Which places have changed: the same as a set that is gone through in turns. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ChangedPlaces } from "../../../src/telemetry/traffic/changed-places.ts";

const PLACES = 300;

it("property: tells each changed place once, the next one behind the last that was told", () => {
	const place = fc.nat(PLACES - 1);
	const act = fc.constantFrom("add", "add", "delete", "next", "next");
	fc.assert(
		fc.property(fc.array(fc.tuple(act, place), { maxLength: 200 }), (steps) => {
			const changed = new ChangedPlaces();
			const model = new Set<number>();
			let from = 0;
			for (const [act, place] of steps) {
				changed.reach(place);
				if (act === "add") {
					changed.add(place);
					model.add(place);
				} else if (act === "delete") {
					changed.delete(place);
					model.delete(place);
				} else {
					const sorted = [...model].sort((one, other) => one - other);
					const wanted = sorted.find((each) => each >= from) ?? sorted[0] ?? -1;
					expect(changed.next()).toBe(wanted);
					model.delete(wanted);
					if (wanted >= 0) from = wanted + 1;
				}
				expect(changed.has(place)).toBe(model.has(place));
			}
		}),
		{ numRuns: 500 },
	);
});

it("goes on behind the last that was told when the table has grown since", () => {
	const changed = new ChangedPlaces();
	changed.add(127);
	expect([changed.next(), changed.next()]).toEqual([127, -1]);
	changed.reach(128);
	for (const place of [0, 128]) changed.add(place);
	expect([changed.next(), changed.next(), changed.next()]).toEqual([128, 0, -1]);
});
