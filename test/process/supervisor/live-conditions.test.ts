/** What the supervisor knows to be wrong, each with what to do about it. */
import { expect, it } from "vitest";
import { conditionsOf } from "../../../src/process/supervisor/live-conditions.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 23);
const WELL = { loss: undefined, front: "on", countsTogether: true, certificates: [] } as const;
const certificate = (days: number) => ({
	...{ file: "/etc/c.pem", names: ["a.example"], to: new Date(NOW + days * DAY) },
});

it("is nothing where all is well", () => {
	expect(conditionsOf({ ...WELL, certificates: [certificate(30)] }, NOW)).toEqual([]);
	expect(conditionsOf({ ...WELL, front: "off" }, NOW)).toEqual([]);
});

it.each([
	[{ loss: "data.mdb was removed" }, "store-lost", "critical", "data.mdb was removed"],
	[{ countsTogether: false }, "counts-alone", "warning", "for itself"],
	[{ front: "unavailable" as const }, "front-unavailable", "warning", "known-limits"],
	[{ certificates: [certificate(-1)] }, "certificate-/etc/c.pem", "critical", "has expired"],
	[{ certificates: [certificate(0.5)] }, "certificate-/etc/c.pem", "warning", "within a day"],
	[
		{ certificates: [certificate(3.5), certificate(3.5)] },
		...(["certificate-/etc/c.pem", "warning", "in 3 days. Renew it"] as const),
	],
])("%j is %s", (known, id, severity, words) => {
	const found = conditionsOf({ ...WELL, ...known }, NOW);
	expect(found).toMatchObject([{ id, severity }]);
	expect(found[0]?.sentence).toContain(words);
});
