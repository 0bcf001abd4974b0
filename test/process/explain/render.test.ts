/** What a person reads of an explanation. */
import { expect, it } from "vitest";
import type { Explanation } from "../../../src/explain/shapes.ts";
import type { RuleTrace } from "../../../src/policy/trace/shapes.ts";
import { paintFor, printable } from "../../../src/process/explain/paint.ts";
import { rendered } from "../../../src/process/explain/render.ts";

const PLAIN = paintFor({}, {});

const expression = (source: string, state: "true" | "false") => ({
	...{ source, state, asked: true, decided: state === "false", message: null },
	...{ cost_class: "negligible" as const, cost_nanoseconds: 1, more_parts: 0 },
	parts: [
		{
			text: "req.method",
			line: 1,
			column: 1,
			depth: 0,
			type: "string",
			state: "value" as const,
			value: '"GET"',
			times: 1,
			reads: "req.method",
		},
		{
			text: "a || b",
			line: 1,
			column: 1,
			depth: 0,
			type: "bool",
			state: "skipped" as const,
			value: null,
			times: 0,
			reads: null,
		},
		{
			text: "b",
			line: 1,
			column: 1,
			depth: 1,
			type: "bool",
			state: "skipped" as const,
			value: null,
			times: 0,
			reads: null,
		},
	],
});
const rule = (
	index: number,
	state: RuleTrace["state"],
	more: Partial<RuleTrace> = {},
): RuleTrace => ({
	...{
		index,
		name: `r${index}`,
		enforce: true,
		state,
		reason: "Why.",
		expressions: [],
		actions: [],
	},
	...more,
});

const told: Explanation = {
	now: "2026-01-01T00:00:00.000Z",
	request: { method: "GET", url: "http://a/\u001b[2J", client_ip: "::1", listener: "l:1" },
	route: {
		edge_id: "e",
		route_id: "r",
		hostport: "*",
		match_type: "path_prefix",
		match: "/",
		why: "Because.",
		reached: true,
	},
	near: [{ edge_id: "e", route_id: "s", match: "/s", why_not: "No." }],
	policy: { source: "stored", etag: '"x"', enabled: true },
	inbound: {
		...{ outcome: "limited", reason: "Rule 9 ended it." },
		rules: [
			...Array.from({ length: 8 }, (_, at) => rule(at, "skipped")),
			rule(8, "skipped", { expressions: [expression("req.method == 'PUT'", "false")] }),
			rule(9, "ended", {
				actions: [
					{
						...{ type: "rate-limit", state: "ended" as const },
						effects: [
							{
								...{
									kind: "rate_limit" as const,
									name: "l",
									key: ["::1", null],
									capacity: 3,
									window_seconds: 60,
								},
								...{
									cost: 1,
									used: 3,
									remaining: 0,
									admitted: false,
									retry_after_seconds: 5,
									counts: "now" as const,
								},
							},
						],
					},
				],
			}),
		],
	},
	upstream: null,
	outbound: { outcome: "not_run", reason: "It ended.", rules: [] },
	answer: { by: "limited", status: 429, headers: [["retry-after", "5"]], content: "{}" },
	notes: ["A note."],
};

it("reads from top to bottom", () => {
	expect(rendered(told, ["Another."], PLAIN)).toBe(`GET http://a/\\x1b[2J
  from ::1, at the listener l:1, 2026-01-01T00:00:00.000Z
  note: Another.
  note: A note.

Route  e/r
  Because.
  not e/s (/s): No.
  the stored policy "x"

Inbound  limited  Rule 9 ended it.
  – 0–7  8 rules skipped: an expression is false
  – 8 r8  Why.
      false req.method == 'PUT'
            req.method                                    "GET"
            a || b                                        not asked
  ■ 9 r9  Why.
      → rate-limit ends the phase
          "l" of 3 in 60 s for ::1 | (absent)
          3 used, 0 left: it would be over; there is room again after 5 s (nothing was counted)

Outbound  not run  It ended.

Answer  429  by limited
  retry-after: 5
  {}
`);
});

it("says that there is no route, and what the backend gets", () => {
	const upstream = {
		urls: ["http://b"],
		method: "GET",
		target: "/x",
		headers: [["host", "a"] as [string, string]],
	};
	const text = rendered({ ...told, route: null, upstream, answer: null }, [], PLAIN);
	expect(text).toContain("Route  none takes this host and path");
	expect(text).toContain("To the backend  http://b\n  GET /x\n  host: a\n");
	expect(text).toContain("Answer  whatever the backend answers");
});

it("has colours on a terminal only", () => {
	expect(rendered(told, [], paintFor({ isTTY: true }, {}))).toContain("\u001b[31m429\u001b[0m");
	for (const environment of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
		expect(paintFor({ isTTY: true }, environment).bad("x")).toBe("x");
	expect(printable("a\u009bb\nc")).toBe("a\\x9bb⏎c");
});
