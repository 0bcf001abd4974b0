/** Tests of policies in files run with their places in the text, and the reports say what became of each. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { boundsOf } from "../../../src/process/check/check-policy.ts";
import { allHold, holds, testFile } from "../../../src/process/check/policy-tests.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-policy-tests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tested = (text: string) => {
	const path = join(folder, "p.yaml");
	writeFileSync(path, text);
	return testFile(path, boundsOf(undefined));
};

const TESTS = `inbound: [{actions: [{type: deny}]}]
tests:
- {name: good, request: {}, expect: {status: 403}}
- name: bad
  request: {}
  expect:
    status: 404
`;

it("has the place of what did not come true", () => {
	const file = tested(TESTS);
	expect(file.tests.map(({ name, findings }) => [name, findings.length])).toEqual([
		["good", 0],
		["bad", 1],
	]);
	expect(file.tests.map(holds)).toEqual([true, false]);
	expect(allHold(file)).toBe(false);
	expect(file.tests[1]?.findings[0]).toMatchObject({
		pointer: "/tests/1/expect/status",
		position: { line: 7, column: 5 },
	});
	const wrapped = tested(TESTS.replace(/^/gm, "  ").replace(/^/, "module:\n"));
	expect(wrapped.tests[1]?.findings[0]).toMatchObject({
		pointer: "/module/tests/1/expect/status",
		position: { line: 8, column: 7 },
	});
});

it("runs nothing of what is no valid policy", () => {
	expect(tested("inbound: [").mistakes).toHaveLength(1);
	expect(tested("inbund: []").mistakes).toMatchObject([{ pointer: "/inbund" }]);
	const missing = testFile(join(folder, "none"), boundsOf(undefined));
	expect(missing.mistakes[0]?.message).toContain("there is no such file");
	expect(allHold(missing)).toBe(false);
	expect(allHold(tested("inbound: []"))).toBe(true);
});
