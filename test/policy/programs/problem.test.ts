/** Problems of expressions as their authors read them. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { explained } from "../../../src/policy/programs/problem.ts";

describe("explained", () => {
	const problem = { code: "c", message: "unknown name", line: 1, column: 3, excerpt: "a b\n  ^" };
	test("says what, where, and shows it", () => {
		expect(explained(problem)).toBe("unknown name (line 1, column 3)\na b\n  ^");
	});

	test("repeats no more of a long text than it takes to find it", () => {
		const text = explained({ ...problem, message: "x".repeat(20_000) });
		expect(text.length).toBeLessThan(LIMITS.problemMessageCharacters + 100);
	});

	test("shows a window of a long line, with the caret under the same character", () => {
		const column = 5001;
		const excerpt = `${"a".repeat(5000)}!${"b".repeat(5000)}\n${" ".repeat(5000)}^`;
		const [, line, caret] = explained({ ...problem, column, excerpt }).split("\n");
		expect(line?.length).toBeLessThanOrEqual(LIMITS.excerptCharacters);
		expect(line?.indexOf("!")).toBe(caret?.indexOf("^"));
		expect(line).toContain("!");
	});
});
