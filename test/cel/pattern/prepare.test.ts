/** What a pattern is prepared to: the engines it gets, its bounds, and why it is refused. */
import { expect, test } from "vitest";
import { checkPattern, isPatternFault, preparePattern } from "../../../src/cel/pattern/prepare.ts";
import type { PatternProgram } from "../../../src/cel/pattern/program.ts";
import { Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

function prepared(source: string): PatternProgram {
	const program = preparePattern(source);
	if (isPatternFault(program)) throw new Error(program.message);
	return program;
}

test("to find a match less is needed than to replace", () => {
	const { test, replace, original } = prepared(".*/([a-z]+)");
	expect(original).toBe(".*/([a-z]+)");
	expect(test?.source).toBe("/[a-z]");
	expect(test?.longestText).toBe(LIMITS.patternV8Text);
	expect(replace?.source).toContain("([a-z]+)");
	expect(replace?.longestText).toBeLessThan(1000);
	expect(replace?.wellFormedOnly).toBe(true);
});

test.each([
	"v0/user/([0-9]+).*",
	"/api/v([0-9])/(.*)",
	"[?&]utm_[^&]*",
	"//+",
	"/(foo|bar)/(?P<rest>.*)",
	"^(https?://[^/]+)/(.*)/index\\.html$",
	"(?i)/Images/(.*)\\.(png|jpe?g)",
])("%s is replaced by V8 in URLs of some KiB", (source) => {
	expect(prepared(source).replace?.longestText).toBeGreaterThan(3000);
});

test("how far matches are apart is known where the pattern is read", () => {
	expect(prepared("/v[0-9]/(.*)").matchesApart).toBe(4);
	expect(prepared("a*").matchesApart).toBe(1);
	expect(prepared("(^a)b").matchesApart).toBe(Infinity);
	expect(prepared("\\p{Greek}ab").matchesApart).toBe(1);
});

test("a pattern may be too much for V8 in one way or both", () => {
	expect(prepared("(|a)*b").replace).toBe(undefined);
	expect(prepared("(|a)*b").test).toBeDefined();
	expect(prepared("^(a+)+$").test).toBe(undefined);
	expect(prepared("\\p{Greek}").test).toBe(undefined);
});

test("an automaton takes what V8 is not given, all that a small one is sure to take quickly among it", () => {
	expect(prepared("^(a+)+$").automaton?.isSmall).toBe(true);
	expect(prepared("[A-Za-z0-9+/]{200,}={0,2}").automaton?.isSmall).toBe(true);
	expect(prepared("(?i)bot|crawl|spider|slurp|curl|wget").automaton?.isSmall).toBe(true);
	expect(prepared("[ab]*a[ab]{10}[c-f]").automaton?.isSmall).toBe(false);
	expect(prepared("[ab]*a[ab]{10}[c-f]").test?.longestText).toBe(LIMITS.evaluationTextCharacters);
	expect(prepared("\\p{Greek}").automaton).toBe(undefined);
});

test.each(["abc", "a.*b", "[a-z]{1,63}\\.", "(?i)bot|crawl|spider"])(
	"the steps of %s grow with the text, and stay within bounds",
	(source) => {
		const { test } = prepared(source);
		if (test === undefined) throw new Error("V8 doesn't run it");
		const { steps, longestText } = test;
		expect(steps.length).toBe(Math.ceil(Math.log2(longestText)) + 1);
		expect(steps.toSorted((one, other) => one - other)).toEqual(steps);
		const most = LIMITS.patternSteps + LIMITS.patternStepsPerCharacter * longestText;
		expect(steps.at(-1)).toBeLessThanOrEqual(most);
	},
);

test("size is bounded as written and as written out", () => {
	const message = (source: string, bytes: number = LIMITS.patternBytes) => {
		const checked = checkPattern(source, bytes);
		return checked instanceof Re2Pattern ? undefined : checked.message;
	};
	expect(message("é".repeat(LIMITS.patternBytes / 2 + 1))).toContain("bytes");
	expect(message("abcd", 3)).toBe("the pattern has more than 3 bytes");
	expect(message("(?:a{100}b){9}".repeat(3))).toContain("too large");
	expect(message("(?:a{100}b){9}".repeat(2))).toBe(undefined);
	// RE2's largest count alone is not too much
	expect(message("[a-z]{0,1000}$")).toBe(undefined);
});

test("what V8 finds too large is left to RE2", () => {
	const wide = prepared(
		Array.from({ length: 300 }, (_, n) => `[^\\x{${(256 + n).toString(16)}}]`).join(""),
	);
	expect(wide.test).toBe(undefined);
});

test("deep nesting takes no long time to look into", () => {
	const program = prepared(
		`${"(?:".repeat(LIMITS.patternDepth)}a${"*b)".repeat(LIMITS.patternDepth)}*c`,
	);
	expect(program.test).toBeDefined();
});

test("a pattern that was prepared lately isn't prepared again", () => {
	expect(preparePattern("again+")).toBe(preparePattern("again+"));
	expect(preparePattern("again(")).toBe(preparePattern("again("));
});
