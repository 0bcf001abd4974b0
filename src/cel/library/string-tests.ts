/** What a text contains, starts with and ends with (CEL specification, "Standard Definitions"). Joined by `table.ts`. */
import { chargeCharacters } from "./characters.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";
import { contains } from "./string-parts.ts";
import { searchCost } from "./text-search.ts";

/** Nanoseconds for a character at an end of a text that is compared. */
const COMPARE_NS = 2;

const CONTAINS: Implementation = {
	call: contains,
	fails: false,
	cost: (text = 0, part = 0) => searchCost(text, part),
	resultSize: () => 1,
};

const atAnEnd = (call: (text: string, part: string) => boolean): Implementation => ({
	call,
	fails: false,
	cost: (_text = 0, part = 0) => 50 + COMPARE_NS * part,
	resultSize: () => 1,
});

export const STRING_TESTS: readonly FunctionDefinition[] = [
	{
		name: "contains",
		doc: "Is a text somewhere in another?",
		examples: [["req.user_agent.contains('Firefox')", "true"]],
		overloads: { "string.contains(string) -> bool": CONTAINS },
		prepared: "text_includes",
	},
	{
		name: "endsWith",
		doc: "Does a text end with another?",
		examples: [["req.url.path.endsWith('.php')", "false"]],
		overloads: {
			"string.endsWith(string) -> bool": atAnEnd((text, part) => {
				chargeCharacters(part.length, COMPARE_NS);
				return text.endsWith(part);
			}),
		},
		prepared: "text_ends",
	},
	{
		name: "startsWith",
		doc: "Does a text start with another? A rule that asks this of `req.url.path` is passed over quickly where it does not.",
		examples: [["req.url.path.startsWith('/v1/')", "true"]],
		overloads: {
			"string.startsWith(string) -> bool": atAnEnd((text, part) => {
				chargeCharacters(part.length, COMPARE_NS);
				return text.startsWith(part);
			}),
		},
		prepared: "text_starts",
	},
];
