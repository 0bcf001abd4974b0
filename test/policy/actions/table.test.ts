import { expect, test } from "vitest";
import { ACTIONS, isActionType } from "../../../src/policy/actions/table.ts";

test("names the five actions and those that end a rule", () => {
	const terminal = Object.entries(ACTIONS).filter(([, kind]) => kind.terminal);
	expect(Object.keys(ACTIONS).sort()).toEqual([
		"custom-response",
		"deny",
		"log",
		"rate-limit",
		"url-rewrite",
	]);
	expect(terminal.map(([name]) => name).sort()).toEqual(["custom-response", "deny"]);
});

test("nothing inherited is an action", () => {
	expect(["deny", "toString", "__proto__", 5].map(isActionType)).toEqual([
		true,
		false,
		false,
		false,
	]);
});
