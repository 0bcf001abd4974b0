/** What is printed of tests, and JUnit's XML, which must be XML whatever names and values hold. */
import { expect, it } from "vitest";
import type { TestedFile } from "../../../src/process/check/policy-tests.ts";
import { junit, summary, testLines } from "../../../src/process/check/test-report.ts";

const finding = {
	severity: "error",
	...{ pointer: "/tests/1/expect", position: { line: 3, column: 5 } },
	message: 'expected "<a>" & \u0001, got nothing',
} as const;
const file: TestedFile = {
	path: "a&b.yaml",
	mistakes: [],
	tests: [
		{ name: "good", milliseconds: 1, findings: [] },
		{ name: 'b"<d>', milliseconds: 1500, findings: [finding] },
	],
};
const broken: TestedFile = { path: "c.yaml", mistakes: [finding], tests: [] };

it("prints one line for each test, and the places of what failed", () => {
	expect(testLines(file, false)).toBe(
		[
			"  ok    good",
			'  FAIL  b"<d>',
			'        a&b.yaml:3:5: /tests/1/expect: error: expected "<a>" & \\x01, got nothing',
			"a&b.yaml: 2 tests, 1 fail",
			"",
		].join("\n"),
	);
	expect(testLines(file, true)).not.toContain("ok");
	expect(testLines({ ...file, tests: [] }, false)).toContain("has no tests");
	expect(testLines(broken, true)).toContain("no valid policy");
	expect(summary([file, broken])).toBe("2 tests in 2 files; 2 of the files fail\n");
	expect(summary([{ ...file, tests: [] }])).toBe("0 tests in 1 files, all hold\n");
});

it("writes XML", () => {
	const text = junit([file, broken]);
	expect(text).toContain('<testsuite name="a&amp;b.yaml" tests="2" failures="1" errors="0"');
	expect(text).toContain(
		'<testcase name="b&quot;&lt;d&gt;" classname="a&amp;b.yaml" time="1.500">',
	);
	expect(text).toContain("expected &quot;&lt;a&gt;&quot; &amp; \ufffd, got nothing");
	expect(text).toContain('errors="1"');
	expect(text.match(/<testcase/g)).toHaveLength(3);
});
