/** Rules of a saved document, as the list beside the editor shows them. */
import { expect, it } from "vitest";
import { rulesOf } from "../../../ui/editor/rules.ts";

it("lists the rules of both phases in their order", () => {
	const text = JSON.stringify({
		inbound: [{ name: "a", actions: [{ type: "deny" }, { type: "log" }] }, { actions: [] }],
		outbound: [{ expressions: ["true"] }],
	});
	expect(rulesOf(text)).toEqual([
		{ phase: "inbound", index: 0, name: "a", actions: ["deny", "log"] },
		{ phase: "inbound", index: 1, name: "", actions: [] },
		{ phase: "outbound", index: 0, name: "", actions: [] },
	]);
});

it("has none of what is no policy", () => {
	expect([rulesOf(undefined), rulesOf("{"), rulesOf('{"inbound":{}}')]).toEqual([[], [], []]);
});
