/** Search in texts, held against the platform's, and its work counted where the platform's explodes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstIndex, lastIndex, pieces, searchCost } from "../../../src/cel/library/text-search.ts";
import { charged } from "./calls.ts";

const few = (maxLength: number): fc.Arbitrary<string> =>
	fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength });
/** Parts long enough for the search of our own, with periods of every kind. */
const long = fc
	.tuple(few(4), few(3), fc.integer({ min: 250, max: 400 }))
	.map(([period, rest, length]) => `${(period || "a").repeat(length)}${rest}`);

const subject = fc.array(fc.oneof(few(20), long), { maxLength: 5 }).map((parts) => parts.join(""));

test("property: short and long parts are found where the platform finds them", () => {
	fc.assert(
		fc.property(subject, few(6), long, fc.nat(900), (text, short, part, from) => {
			for (const each of [short, part, text.slice(from), text.slice(5, from)]) {
				const start = Math.min(from, text.length);
				expect(firstIndex(text, each, start)).toBe(text.indexOf(each, start));
				expect(lastIndex(text, each, start)).toBe(text.lastIndexOf(each, start));
				if (each !== "") expect(pieces(text, each)).toEqual(text.split(each));
			}
		}),
	);
});

test("the work is paid for and grows with text and part together", () => {
	const work = (text: number, part: number): number => {
		const subject = "a".repeat(text);
		const searched = `${"a".repeat(part >> 1)}b${"a".repeat(part >> 1)}`;
		const each = [firstIndex, lastIndex].map((search) =>
			charged(() => search(subject, searched, search === firstIndex ? 0 : text)),
		);
		each.push(charged(() => pieces(subject, searched)));
		return Math.max(...each);
	};
	expect(work(100_000, 1000)).toBeGreaterThan(100_000);
	expect(work(200_000, 2000)).toBeLessThanOrEqual(2.1 * work(100_000, 1000));
	expect(work(100_000, 1000)).toBeLessThanOrEqual(searchCost(100_000, 1001));
});

test("a long part in a long text of its kind ends", () => {
	// the platform's search takes minutes for each of these
	const part = `${"a".repeat(200_000)}b${"a".repeat(200_000)}`;
	const text = "a".repeat(1_000_000);
	expect(firstIndex(text, part, 0)).toBe(-1);
	expect(lastIndex(text, part, text.length)).toBe(-1);
	expect(lastIndex(text, "a".repeat(400_000), text.length)).toBe(600_000);
	expect(pieces(text, part)).toEqual([text]);
});
