/**
 * `matches` (contract 4, "Functions"), here with patterns that are not known before the request. A pattern that is
 * written in an expression is prepared when it is compiled (`lower/calls.ts`). Joined by `table.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { dynamicCompileCost, dynamicCost, matchesDynamic } from "../pattern/pattern.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

/** of one character of a pattern, in the shortest repetitions: `(.){800}` */
const INSTRUCTIONS_MAX = 350;

/** The pattern is compiled if it hasn't been lately. */
const MATCHES: Implementation = {
	call: matchesDynamic,
	fails: true,
	base: 500,
	cost: (text = 0, pattern = 0) => {
		const instructions = Math.min(LIMITS.patternInstructions, INSTRUCTIONS_MAX * pattern);
		return 500 + dynamicCompileCost(pattern) + dynamicCost(instructions, text);
	},
	resultSize: () => 1,
};

export const PATTERNS: readonly FunctionDefinition[] = [
	{
		name: "matches",
		doc: "Does some part of a text match a pattern in RE2 syntax? `^` and `$` tie it to the ends. Write patterns as literals: they are judged when written and searched in linear time; others are compiled while the request waits, and fail if they are none.",
		examples: [
			["req.url.path.matches('^/v[0-9]+/')", "true"],
			["matches(req.user_agent, '(?i)gptbot|ccbot')", "false"],
		],
		overloads: {
			"string.matches(string) -> bool": MATCHES,
			"matches(string, string) -> bool": MATCHES,
		},
		literals: [undefined, "pattern"],
		prepared: "pattern",
	},
];
