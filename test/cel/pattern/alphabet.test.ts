/** Letters are what no set tells apart. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Alphabet } from "../../../src/cel/pattern/alphabet.ts";
import { codePoints } from "../../../src/cel/pattern/code-points.ts";

const CODE_POINTS = [
	0, 0x20, 0x61, 0x62, 0x7f, 0xe9, 0xff, 0x100, 0xd800, 0xffff, 0x1f600, 0x10ffff,
];
const sets = fc.array(
	fc
		.array(fc.tuple(fc.constantFrom(...CODE_POINTS), fc.nat(300)), { maxLength: 4 })
		.map((ranges) =>
			codePoints(ranges.flatMap(([first, more]) => [first, Math.min(first + more, 0x10ffff)])),
		),
	{ maxLength: 5 },
);

const isIn = (set: readonly number[], codePoint: number): boolean =>
	set.some(
		(first, index) =>
			index % 2 === 0 && first <= codePoint && codePoint <= (set[index + 1] ?? first),
	);

test("property: two characters are one letter if and only if they are in the same sets", () => {
	fc.assert(
		fc.property(sets, (some) => {
			const alphabet = new Alphabet(some);
			const memberships = new Map<number, string>();
			for (const base of CODE_POINTS) {
				for (const codePoint of [base - 1, base, base + 1, base + 299]) {
					if (codePoint < 0 || codePoint > 0x10ffff) continue;
					const letter = alphabet.letterOf(codePoint);
					const members = some.map((set) => isIn(set, codePoint));
					expect(letter).toBeLessThan(alphabet.size);
					expect(memberships.get(letter) ?? members.join()).toBe(members.join());
					memberships.set(letter, members.join());
					expect(some.map((set) => alphabet.lettersOf(set)[letter] === 1)).toEqual(members);
				}
			}
			expect(new Set(memberships.values()).size).toBe(memberships.size);
		}),
	);
});

test("without sets there is one letter", () => {
	expect(new Alphabet([]).size).toBe(1);
});
