/** Which changes make the page look at a policy again. */
import { expect, it } from "vitest";
import type { LiveChange } from "../../../src/management/live/shapes.ts";
import { concerns } from "../../../ui/live/concerns.ts";

const of = (changes: LiveChange[], left_out = 0) =>
	concerns({ ts: 0, revision: 1, changes, left_out }, "e", "r");

it("its own, its edge's, and any that were not listed", () => {
	expect(of([{ kind: "policy", edge_id: "e", route_id: "r" }])).toBe(true);
	expect(of([{ kind: "policies", edge_id: "e" }])).toBe(true);
	expect(of([{ kind: "edge", edge_id: "e" }])).toBe(true);
	expect(of([], 1)).toBe(true);
});

it("no other's", () => {
	expect(concerns(undefined, "e", "r")).toBe(false);
	expect(of([{ kind: "policy", edge_id: "e", route_id: "other" }])).toBe(false);
	expect(of([{ kind: "policy", edge_id: "other", route_id: "r" }])).toBe(false);
	expect(of([{ kind: "ip_list", list_id: "office" }])).toBe(false);
});
