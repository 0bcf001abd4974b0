/** The table of lints of expressions has all of them, and a walk comes to every node. */
import { expect, test } from "vitest";
import { inspect } from "../../../src/policy/lint/expression.ts";
import { checked, said } from "./support.ts";

const BAD = "req.method == 'get'";

test.each([
	BAD,
	`!(${BAD})`,
	`[1].exists(x, ${BAD})`,
	`[${BAD}].all(x, x)`,
	`{'a': ${BAD}}['a']`,
	`{${BAD}: 1}[true] == 1`,
	`(true ? ${BAD} : false)`,
	`[1].map(x, ${BAD})[0]`,
	`cel.bind(x, ${BAD}, x)`,
	`string(${BAD}).contains('true')`,
	`has({'a': {'b': ${BAD}}}.a.b)`,
])("%s", (source) => {
	expect(said(source)).toEqual([
		expect.stringMatching(/^impossible_constant: req\.method is never/),
	]);
});

test("all kinds at once", () => {
	const source = `${BAD} && conn.tls.version == '' && 'a' in req.headers['x'] && req.headers['y'][0] == 'a' && 'z' in req.headers`;
	const { findings, indexes, presence } = inspect(checked(source), undefined);
	expect(findings.map(({ code }) => code).sort()).toEqual([
		"empty_variable",
		"exact_header_match",
		"impossible_constant",
	]);
	expect(indexes.map(({ key }) => key)).toEqual(["req.headers y"]);
	expect([...presence.ifTrue].sort()).toEqual(["req.headers x", "req.headers z"]);
});
