import { describe, expect, test } from "vitest";
import { unreachableRules } from "../../../src/policy/lint/reachability.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { documentOf } from "../support.ts";

const DENY = { type: "deny" };
const LOG = { type: "log" };
const RESPOND = { type: "custom-response" };
const REWRITE = { type: "url-rewrite", config: { from: "a", to: "b" } };
const A = "req.method == 'A'";
const B = "req.method == 'B'";
const WORDS = "req.url.path == '/rand/bytes_in' || req.headers['bytes_out'] == ['rand.double()']";
const rule = (expressions: readonly string[], ...actions: unknown[]): unknown => ({
	expressions,
	actions,
});

const unreached = (inbound: unknown[], outbound: unknown[] = []): string => {
	const { inbound: requests, outbound: responses } = unreachableRules(
		documentOf({ inbound, outbound }),
		new Compiler(),
	);
	return `${[...requests.keys()]} ${[...responses.keys()]}`.trim();
};

describe("never reached", () => {
	test.each<[string, unknown[], unknown[], string]>([
		[
			"behind a rule that always denies",
			[rule([], DENY), rule([A], LOG), rule([], LOG)],
			[],
			"1,2",
		],
		["behind a condition that is always true", [rule(["true"], RESPOND), rule([], LOG)], [], "1"],
		[
			"behind the same condition, whatever words are in its texts",
			[rule([WORDS], DENY), rule([WORDS], LOG)],
			[],
			"1",
		],
		["behind the same condition", [rule([A], DENY), rule([A], LOG)], [], "1"],
		["behind fewer of its conditions", [rule([A], DENY), rule([B, A], LOG)], [], "1"],
		["outbound behind custom-response", [], [rule([], RESPOND), rule([], LOG)], "1"],
		[
			"outbound of a policy that always denies",
			[rule([], DENY)],
			[rule([], LOG), rule([A], LOG)],
			"0,1",
		],
	])("%s", (_, inbound, outbound, expected) => {
		expect(unreached(inbound, outbound)).toBe(expected);
	});
});

describe("reachable", () => {
	test.each<[string, unknown[], unknown[]]>([
		["behind a rule that only logs", [rule([], LOG), rule([], LOG)], []],
		["behind another condition", [rule([A], DENY), rule([B], LOG)], []],
		["behind more conditions", [rule([A, B], DENY), rule([A], LOG)], []],
		[
			"behind a rewrite that may change the answer",
			[rule([A], DENY), rule([], REWRITE), rule([A], LOG)],
			[],
		],
		[
			"behind what is different each time",
			[rule(["rand.double() < 0.5"], DENY), rule(["rand.double() < 0.5"], LOG)],
			[],
		],
		[
			"behind what may have grown since",
			[rule(["conn.bytes_in > 9"], DENY), rule(["conn.bytes_in > 9"], LOG)],
			[rule(["conn.bytes_out > 9"], RESPOND), rule(["conn.bytes_out > 9"], LOG)],
		],
		["outbound behind an inbound custom-response", [rule([], RESPOND)], [rule([], LOG)]],
		[
			"outbound where a response came before the denial",
			[rule([A], RESPOND), rule([], DENY)],
			[rule([], LOG)],
		],
	])("%s", (_, inbound, outbound) => {
		expect(unreached(inbound, outbound)).toBe("");
	});
});
