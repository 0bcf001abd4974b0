/** Sets of instructions, letter by letter: what is kept and taken up again goes on as if it never had been. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Nfa } from "../../../src/cel/pattern/nfa.ts";
import { NfaSteps } from "../../../src/cel/pattern/nfa-steps.ts";
import { matchAutomaton } from "../../../src/cel/pattern/prepare.ts";
import { patterns, texts } from "./generated.ts";

/** Where the first match ends, in letters; undefined for none. @param isParted keeps and takes up between letters */
function firstMatch(nfa: Nfa, text: string, isParted: boolean): number | undefined {
	let steps = new NfaSteps(nfa);
	steps.begin();
	const letters = [...text].map((each) => nfa.alphabet.letterOf(each.codePointAt(0) ?? 0));
	for (const [at, letter] of [...letters, nfa.alphabet.size].entries()) {
		if (steps.matched) return at;
		if (isParted) {
			const kept = steps.kept();
			steps = new NfaSteps(nfa);
			steps.resume(kept);
		}
		steps.step(letter);
	}
	return steps.matched ? letters.length + 1 : undefined;
}

test("property: a set that was kept goes on as the one that was not", () => {
	let matches = 0;
	fc.assert(
		fc.property(patterns, texts, (source, text) => {
			const nfa = matchAutomaton(source);
			if (nfa === undefined) return;
			const whole = firstMatch(nfa, text, false);
			if (whole !== undefined) matches++;
			expect(firstMatch(nfa, text, true)).toBe(whole);
		}),
		{ numRuns: 500, seed: 1 },
	);
	expect(matches).toBeGreaterThan(50);
});

test("equal sets have one key, however they were come to", () => {
	const nfa = matchAutomaton("c(?:ab|ba)*!");
	if (nfa === undefined) throw new Error("not read");
	const after = (text: string): string => {
		const steps = new NfaSteps(nfa);
		steps.begin();
		for (const each of text) steps.step(nfa.alphabet.letterOf(each.charCodeAt(0)));
		return steps.kept().key;
	};
	expect(after("cab")).toBe(after("cabab"));
	expect(after("cab")).toBe(after("xxcba"));
	expect(after("cab")).not.toBe(after("ca"));
});
