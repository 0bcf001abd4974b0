/** States of machines in words, and that what is wrong stands first. */
import { expect, it } from "vitest";
import type { FleetMember } from "../../../src/management/fleet/fleet-answers.ts";
import { counted, labelled, signOf, worstFirst } from "../../../ui/pages/fleet-words.ts";

const member = (name: string, fields: Partial<FleetMember> = {}): FleetMember => ({
	...{ id: `m_${name}`, name, version: "1", level: 1, role: "edge", state: "in_sync" },
	...{ revision: 1, digest: "", behind: 0, since: "", last_seen_ms: 0, labels: {} },
	...fields,
});

it("puts what is wrong first, then who is furthest behind", () => {
	const members = [
		member("well"),
		member("slow", { behind: 3 }),
		member("gone", { state: "cut_off" }),
		member("stuck", { state: "stuck" }),
	];
	expect(worstFirst(members).map(({ name }) => name)).toEqual(["stuck", "gone", "slow", "well"]);
});

it("counts the states that there are, and those in sync always", () => {
	const none = { diverged: 0, stuck: 0, cut_off: 0, starting: 0, catching_up: 0, in_sync: 0 };
	expect(counted(none)).toEqual([["in_sync", 0]]);
	expect(counted({ ...none, stuck: 2, in_sync: 5 })).toEqual([
		["stuck", 2],
		["in_sync", 5],
	]);
});

it("shows no machine as well that is behind", () => {
	expect(signOf(member("a"))).toBe("well");
	expect(signOf(member("a", { behind: 1 }))).toBe("unknown");
	expect(signOf(member("a", { behind: 1, state: "stuck" }))).toBe("critical");
});

it("tells labels in words", () => {
	expect(labelled({ region: "ams", rack: "7" })).toBe("region ams, rack 7");
	expect(labelled({})).toBe("");
});
