/** Places, slices and lists of strings, held against plain models over arrays of characters. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { call, charged } from "./calls.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", ",", "é", "😀") });
const position = fc.integer({ min: -1, max: 12 });

/** Where `part` starts, in characters. */
function places(subject: string, part: string): number[] {
	const [characters, searched] = [[...subject], [...part]];
	const starts = [...characters.keys(), characters.length];
	return starts.filter(
		(start) => characters.slice(start, start + searched.length).join("") === part,
	);
}

const outside = (index: number, length: number): string =>
	`failure: index ${index} is outside of the text's ${length} character${length === 1 ? "" : "s"}`;

test("property: indices count characters", () => {
	fc.assert(
		fc.property(text, text, position, (subject, part, index) => {
			const characters = [...subject];
			const found = places(subject, part);
			const at = BigInt(index);
			const isInside = index >= 0 && index <= characters.length;
			const refused = outside(index, characters.length);
			expect(call("size(string) -> int", subject)).toBe(BigInt(characters.length));
			expect(call("string.contains(string) -> bool", subject, part)).toBe(found.length > 0);
			expect(call("string.indexOf(string) -> int", subject, part)).toBe(BigInt(found[0] ?? -1));
			expect(call("string.lastIndexOf(string) -> int", subject, part)).toBe(
				BigInt(found.at(-1) ?? -1),
			);
			expect(call("string.charAt(int) -> string", subject, at)).toBe(
				isInside ? (characters[index] ?? "") : refused,
			);
			expect(call("string.indexOf(string, int) -> int", subject, part, at)).toBe(
				isInside ? BigInt(found.find((place) => place >= index) ?? -1) : refused,
			);
			expect(call("string.lastIndexOf(string, int) -> int", subject, part, at)).toBe(
				isInside ? BigInt(found.findLast((place) => place <= index) ?? -1) : refused,
			);
		}),
	);
});

test("property: substring is a slice of the characters", () => {
	fc.assert(
		fc.property(text, position, position, (subject, start, end) => {
			const characters = [...subject];
			const bad = [start, end].find((index) => index < 0 || index > characters.length);
			const expected =
				bad !== undefined
					? outside(bad, characters.length)
					: start > end
						? `failure: the end ${end} is before the start ${start}`
						: characters.slice(start, end).join("");
			expect(
				call("string.substring(int, int) -> string", subject, BigInt(start), BigInt(end)),
			).toBe(expected);
		}),
	);
});

test("property: split and join undo each other, replace is both", () => {
	fc.assert(
		fc.property(text, text, text, position, (subject, part, other, count) => {
			const limit = BigInt(count);
			const all = part === "" ? [...subject] : subject.split(part);
			const split = call("string.split(string, int) -> list<string>", subject, part, limit);
			if (count < 0) expect(split).toEqual(all);
			else if (count === 0) expect(split).toEqual([]);
			else {
				const kept = all.slice(0, count - 1);
				const rest = all.slice(count - 1);
				expect(split).toEqual(rest.length === 0 ? kept : [...kept, rest.join(part)]);
			}
			if (count !== 0)
				expect(call("list<string>.join(string) -> string", split, part)).toBe(subject);

			let replaced = subject;
			if (part === "") {
				const characters = [...subject];
				const times = count < 0 ? characters.length + 1 : Math.min(count, characters.length + 1);
				replaced = `${characters
					.slice(0, times)
					.map((character) => other + character)
					.join("")}${times > characters.length ? other : characters.slice(times).join("")}`;
			} else {
				const [first = "", ...rest] = subject.split(part);
				replaced = rest.reduce(
					(done, piece, at) => done + (count < 0 || at < count ? other : part) + piece,
					first,
				);
			}
			expect(
				call("string.replace(string, string, int) -> string", subject, part, other, limit),
			).toBe(replaced);
			expect(call("string.replace(string, string) -> string", subject, part, other)).toBe(
				call("string.replace(string, string, int) -> string", subject, part, other, -1n),
			);
		}),
	);
});

test.each([
	["abcabc", "b", "x", 1n, "axcabc"],
	["abc", "", "-", -1n, "-a-b-c-"],
	["abc", "", "-", 2n, "-a-bc"],
	["abc", "", "-", 0n, "abc"],
	["", "", "-", -1n, "-"],
])("%j.replace(%j, %j, %s)", (subject, part, other, count, expected) => {
	expect(call("string.replace(string, string, int) -> string", subject, part, other, count)).toBe(
		expected,
	);
});

test("join takes strings only, even out of a list of unknown elements", () => {
	expect(call("list<string>.join() -> string", ["a", "b"])).toBe("ab");
	expect(call("list<string>.join(string) -> string", [], "-")).toBe("");
	expect(call("list<string>.join() -> string", ["a", 1n])).toBe(
		"failure: join takes a list of strings only",
	);
});

test("texts that would be too long are refused before they are made", () => {
	const long = "a".repeat(10_000);
	expect(call("string.replace(string, string) -> string", long, "a", long)).toContain(
		"failure: a text of more than",
	);
	expect(call("list<string>.join(string) -> string", new Array(1000).fill(long), ",")).toContain(
		"failure: a text of more than",
	);
	expect(call("list<string>.join(string) -> string", ["a".repeat(2 ** 20)], ",")).toHaveLength(
		2 ** 20,
	);
});

test("what makes a list charges for its elements", () => {
	const text = "a,".repeat(10_000);
	for (const separator of ["", ",", "a,"]) {
		const work = charged(() => call("string.split(string) -> list<string>", text, separator));
		expect(work).toBeGreaterThan(10_000 * 10);
	}
});
