/** The effects of a rule are those of its actions, as the table of actions says them. */
import { expect, test } from "vitest";
import {
	endsPhase,
	mayChange,
	mayRespond,
	refuses,
} from "../../../src/policy/lint/rule-effects.ts";
import { documentOf } from "../support.ts";

const CONFIGS: Readonly<Record<string, object>> = {
	"rate-limit": { capacity: 1, rate: "60s" },
	"url-rewrite": { from: "a", to: "b" },
};

function effects(...types: readonly string[]): string {
	const actions = types.map((type) => ({ type, config: CONFIGS[type] ?? {} }));
	const [rule] = documentOf({ inbound: [{ actions }] }).inbound;
	if (rule === undefined) throw new Error("no rule");
	const named = {
		endsPhase,
		refuses,
		mayRespond,
		mayChangeUrl: (each: typeof rule) => mayChange(each, "url"),
	};
	return Object.entries(named)
		.filter(([, effect]) => effect(rule))
		.map(([name]) => name)
		.join(" ");
}

test.each([
	["log", ""],
	["rate-limit", ""],
	["url-rewrite", "mayChangeUrl"],
	["deny", "endsPhase refuses"],
	["custom-response", "endsPhase mayRespond"],
])("%s: %s", (type, expected) => {
	expect(effects(type)).toBe(expected);
	expect(effects("log", type)).toBe(expected);
});

test("of several actions together", () => {
	expect(effects("url-rewrite", "rate-limit", "deny")).toBe("endsPhase refuses mayChangeUrl");
});
