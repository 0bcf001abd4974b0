/** Two machines of one name: told with the remedy, unless the other is gone, or is this one. */
import { expect, it } from "vitest";
import type { SeenStatus } from "../../src/fleet/log/log.ts";
import { twinSentence } from "../../src/fleet/twins.ts";
import { LIMITS } from "../../src/limits/limits.ts";

const seen = (id: string, name: string, ageMs = 0): SeenStatus => ({
	status: {
		...{ id, name, version: "1", level: 1, role: "manager", state: "in_sync", revision: 1 },
		...{ digest: "", since: "", labels: {}, limits: "" },
	} as SeenStatus["status"],
	ageMs,
});

it("names the other one and the remedy", () => {
	const own = { id: "m_1", name: "ams-1" };
	expect(twinSentence(own, [seen("m_1", "ams-1"), seen("m_2", "ams-1")])).toMatch(
		/"ams-1" too \(m_2\): write a name of its own under fleet\.member\.name/,
	);
	expect(twinSentence(own, [seen("m_1", "ams-1"), seen("m_2", "ams-2")])).toBeUndefined();
	const gone = seen("m_2", "ams-1", LIMITS.fleetAliveMs + 1);
	expect(twinSentence(own, [gone])).toBeUndefined();
});
