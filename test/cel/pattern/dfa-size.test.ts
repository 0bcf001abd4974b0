/** What counts as small has few states, however it is written; what is large is told before it costs much. */
import { expect, test } from "vitest";
import { automatonSize } from "../../../src/cel/pattern/dfa-size.ts";
import { matchAutomaton } from "../../../src/cel/pattern/prepare.ts";

const isSmall = (source: string): boolean => {
	const nfa = matchAutomaton(source);
	if (nfa === undefined) throw new Error("not read");
	return automatonSize(nfa).isSmall;
};

test.each(["", "a", "(a+)+b", "(?i)select.*from.*where", "\\bfoo\\b.*\\bbar\\b", "^(?:a|aa)*b"])(
	"%s is small",
	(source) => {
		expect(isSmall(source)).toBe(true);
	},
);

test.each(["a[ab]{12}c", "(?:a|b)*a(?:a|b){20}c", "[ab]*a[ab]{900}[c-f]"])(
	"%s is not",
	(source) => {
		expect(isSmall(source)).toBe(false);
	},
);
