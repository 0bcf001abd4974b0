/** Warnings as header lines: the count stays a number, whatever a document holds (contract 3, "Lint"). */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { warningHeaders } from "../../../src/management/resources/warnings.ts";

const warning = (message: string, pointer = "/inbound/0") => ({ pointer, code: "x", message });

it("makes nothing of no warnings", () => {
	expect(warningHeaders("policy", [])).toEqual({});
});

it("counts them, and says each on a line", () => {
	expect(warningHeaders("route", [warning("is odd", ""), warning("is odd, too")])).toEqual({
		"route-warnings": "2",
		"route-warning": ["/: is odd", "/inbound/0: is odd, too"],
	});
});

it("keeps within a header: printable ASCII, a number of lines, a length", () => {
	const many = Array.from({ length: 500 }, () => warning(`\r\nx: é \u{1f600}${"y".repeat(1000)}`));
	const headers = warningHeaders("policy", many);
	expect(headers["policy-warnings"]).toBe("500");
	const lines = headers["policy-warning"] ?? [];
	expect(lines).toHaveLength(LIMITS.warningLines);
	for (const line of lines) {
		expect(line).toMatch(/^\/inbound\/0: \?\?x: \? \?y+\.\.\.$/);
		expect(line).toHaveLength(LIMITS.problemMessageCharacters);
	}
});
