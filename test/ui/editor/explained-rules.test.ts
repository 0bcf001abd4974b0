import { expect, it } from "vitest";
import type { ExplainedRule } from "../../../src/management/live/shapes.ts";
import { askedParts, effectLines, listed } from "../../../ui/editor/explained-rules.ts";

const rule = (index: number, state: ExplainedRule["state"]): ExplainedRule => ({
	...{ index, name: "", enforce: true, state, reason: "", expressions: [], actions: [] },
});

it("tells rules that say nothing together, where there are many", () => {
	const rules = ["skipped", "skipped", "skipped", "skipped", "applied", "skipped", "ended"].map(
		(state, index) => rule(index, state as ExplainedRule["state"]),
	);
	expect(
		listed(rules).map((each) => ("rule" in each ? each.rule.index : [each.first, each.last])),
	).toEqual([[0, 3], 4, 5, 6]);
});

it("leaves out what parts are made of that nobody asked", () => {
	const part = (depth: number, state: "value" | "skipped") => ({
		...{ text: `${depth}`, line: 1, column: 1, depth, type: "bool", state, value: null },
		...{ times: 0, reads: null },
	});
	const parts = [part(0, "value"), part(1, "skipped"), part(2, "skipped"), part(1, "value")];
	expect(askedParts(parts).map(({ depth, state }) => [depth, state])).toEqual([
		[0, "value"],
		[1, "skipped"],
		[1, "value"],
	]);
});

it("says what actions did", () => {
	expect(effectLines({ kind: "add_headers", lines: [["a", "1"]] })).toEqual(["adds a: 1"]);
	expect(effectLines({ kind: "remove_headers", names: ["a"] })).toEqual(["removes a"]);
	expect(effectLines({ kind: "answer_headers", lines: [["a", "1"]], without: [] })).toEqual([
		"the answer gets a: 1",
	]);
	expect(effectLines({ kind: "rewrite_url", before: "a", after: "b" })).toEqual(["a becomes b"]);
	expect(effectLines({ kind: "set_var", name: "vars.a", value: "1" })).toEqual(["vars.a = 1"]);
	expect(effectLines({ kind: "log", metadata: { a: 1 } })).toEqual(['logs {"a":1}']);
	expect(effectLines({ kind: "failed", message: "no" })).toEqual(["no"]);
	const limit = {
		...{
			kind: "rate_limit" as const,
			name: "l",
			key: [],
			capacity: 3,
			window_seconds: 60,
			cost: 1,
		},
		...{ used: 3, remaining: 0, admitted: false, retry_after_seconds: 5, counts: "now" as const },
	};
	expect(effectLines(limit)).toEqual(["3 used of 3 in 60 s: it would be over, for 5 s"]);
	expect(effectLines({ ...limit, used: null, admitted: true })[0]).toContain("nobody knows");
});
