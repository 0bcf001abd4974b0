/** The table of versions that people read. */
import { expect, it } from "vitest";
import { versionTable } from "../../../src/process/commands/version-table.ts";

const version = {
	...{ version: 12, uri: "/x", etag: '"e"', size: 70, in_force: true },
	created_at: "2026-01-31T12:00:00.000Z",
	...{ key_id: "key_1", key_name: "ci\u001b[2J", request_id: "req_1", rolled_back_to: 3 },
};

it("has a line for each, and nothing that a terminal would obey", () => {
	const old = {
		...{ ...version, version: 1, in_force: false, created_at: null },
		...{ key_id: null, key_name: null, request_id: null, rolled_back_to: null },
	};
	const lines = versionTable([version, old]).split("\n");
	expect(lines[0]).toMatch(/^VERSION {2}TIME +KEY +REQUEST +SIZE$/);
	expect(lines[1]).toMatch(
		/^12 .*2026-01-31T12:00:00.000Z +ci.* +req_1 +70 B +in force, rolled back to 3$/,
	);
	expect(lines[1]).not.toContain("\u001b");
	expect(lines[2]).toMatch(/^1 .*before versions were kept +- +- +70 B$/);
});

it("says so where there are none", () => {
	expect(versionTable([])).toBe("no versions are kept of this policy\n");
});
