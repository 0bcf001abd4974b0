/** A plan in lines for people. */
import { expect, it } from "vitest";
import { counted, painter, planLines } from "../../../src/process/apply/show-plan.ts";
import type { Step } from "../../../src/process/apply/step.ts";

const steps: readonly Step[] = [
	{
		...{ action: "create", kind: "ip_list", name: "l", before: undefined, etag: undefined },
		...{ after: { entries: ["::1"], description: "" }, takesAlong: [] },
	},
	{
		...{ action: "change", kind: "edge", name: "e", etag: '"e"', takesAlong: [] },
		before: { hostports: ["a"], description: "", metadata: "" },
		after: { hostports: ["b"], description: "", metadata: "" },
	},
	{
		...{ action: "delete", kind: "route", name: "e/r", before: {}, after: undefined, etag: '"r"' },
		takesAlong: ["policy e/r"],
	},
];
const plan = { batches: [steps], unchanged: 4, obstacles: [] };

it("shows what comes, changes and goes", () => {
	expect(planLines(plan, painter(false))).toBe(
		[
			"+ address list l",
			"    + entries:",
			"    +   - ::1",
			"~ edge e",
			"      hostports:",
			"    -   - a",
			"    +   - b",
			"- route e/r (and with it policy e/r)",
			"",
		].join("\n"),
	);
	expect(counted(plan)).toBe("1 to create, 1 to change, 2 to delete, 4 as they are");
	expect(planLines(plan, painter(true))).toContain("\u001b[32m+ address list l\u001b[0m");
});
