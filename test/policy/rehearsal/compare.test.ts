/** Each expectation that did not come true is told at its own place, with what came instead. */
import { expect, it } from "vitest";
import type { Expectation } from "../../../src/policy/document/tests.ts";
import type { Place } from "../../../src/policy/exchange.ts";
import { differences, told } from "../../../src/policy/rehearsal/compare.ts";
import { HeaderList } from "../../../src/policy/rehearsal/header-list.ts";
import type { Rehearsed } from "../../../src/policy/rehearsal/rehearse.ts";

const place: Place = {
	phase: "inbound",
	...{ ruleIndex: 2, ruleName: "No bots" },
	...{ expressionIndex: -1, actionIndex: 0 },
};
const denied: Rehearsed = {
	outcome: "deny",
	...{ status: 403, headers: new HeaderList([["x-a", "1"]]) },
	...{ endedBy: place, upstream: undefined, failures: [] },
};
const passed: Rehearsed = {
	outcome: "pass",
	...{ status: 200, headers: new HeaderList(), endedBy: undefined, failures: [] },
	upstream: { url: "http://h/a?b", uri: "/a?b", headers: new HeaderList([["host", "h"]]) },
};

it("says nothing where all holds", () => {
	const all = {
		outcome: "deny",
		status: 403,
		rule: "No bots",
		headers: { "X-A": "1", b: null },
	} as const;
	expect(differences(all, denied)).toEqual([]);
	expect(differences({ rule: 2 }, denied)).toEqual([]);
	expect(differences({ upstream: { url: "/a?b", headers: { host: ["h"] } } }, passed)).toEqual([]);
	expect(differences({ upstream: { url: "http://h/a?b" } }, passed)).toEqual([]);
});

type Row = readonly [Expectation, Rehearsed, readonly string[], string];

const ROWS: readonly Row[] = [
	[
		{ outcome: "pass" },
		denied,
		["outcome"],
		'expected pass, got 403 (deny by inbound rule 2 "No bots")',
	],
	[{ status: 404 }, passed, ["status"], "expected 404, got 200 (pass: no rule ends the request)"],
	[{ rule: "x" }, passed, ["rule"], 'expected the rule "x" to end the request, but no rule did'],
	[
		{ rule: 1 },
		denied,
		["rule"],
		'expected rule 1 to end the request, but it was inbound rule 2 "No bots"',
	],
	[{ headers: { "x-a": null } }, denied, ["headers", "x-a"], 'expected no such field, got "1"'],
	[
		{ headers: { b: ["1", "2"] } },
		denied,
		["headers", "b"],
		'expected "1" and "2", got no such field',
	],
	[
		{ upstream: {} },
		denied,
		["upstream"],
		'the backend is not asked: 403 (deny by inbound rule 2 "No bots")',
	],
	[{ upstream: { url: "/b" } }, passed, ["upstream", "url"], 'expected "/b", got "/a?b"'],
	[
		{ upstream: { headers: { host: "i" } } },
		passed,
		["upstream", "headers", "host"],
		'expected "i", got "h"',
	],
];

it.each(ROWS)("%j", (expected, came, path, message) => {
	expect(differences(expected, came)).toEqual([{ path, message }]);
});

it("names the expression that failed, and the connection that was closed", () => {
	const failed: Rehearsed = {
		...denied,
		outcome: "failed",
		status: 500,
		failures: [{ place, message: "no such key" }],
	};
	expect(told(failed)).toBe(
		'500 (failed by inbound rule 2 "No bots"); inbound rule 2 "No bots": no such key',
	);
	expect(told({ ...denied, outcome: "close", status: undefined })).toContain("no answer (close by");
});
