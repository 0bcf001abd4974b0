/** Both forms of a request's lines say the same: to policies, and to those who send them on. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { FlatRequestLines, TextRequestLines } from "../../../src/edge/request/request-lines.ts";
import { heldBytes } from "../../held-bytes.ts";

type Line = readonly [name: string, value: string];

const textOf = (lines: readonly Line[]): string =>
	lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");

/** As the addon gives it: what isn't sent on comes last. */
const viewed = (lines: readonly Line[]): TextRequestLines => {
	const isOwn = ([name]: Line): boolean => name === "connection" || name === "content-length";
	const forwarded = lines.filter((line) => !isOwn(line));
	const text = textOf(forwarded);
	const before = textOf(
		forwarded.slice(
			0,
			forwarded.findIndex(([name]) => name === "host"),
		),
	);
	const host = lines.find(([name]) => name === "host")?.[1] ?? "";
	const all = text + textOf(lines.filter(isOwn));
	const at = before.length + "host: ".length;
	return new TextRequestLines(`${all}/x?a:bGET`, all.length, text.length, at, host.length);
};

const NAMES = ["x", "x-a", "a", "accept", "ost", "host: x", "cookie"];
const name = fc.constantFrom("x", "x-a", "a", "accept", "ost", "cookie");
/** Values that look like lines, but for the line end that none can hold. */
const value = fc.constantFrom("", "1", "x: 1", "host: b", " ", ": ", "a: x-a: 2");
const plain = fc
	.tuple(
		fc.array(fc.tuple(name, value), { maxLength: 5 }),
		fc.array(fc.tuple(name, value), { maxLength: 5 }),
		fc.subarray<Line>([
			["connection", "close"],
			["content-length", "12"],
		]),
	)
	.map(([before, after, own]): Line[] => [...before, ["host", "h.example"], ...own, ...after]);

it("of a plain request both forms say the same", () => {
	fc.assert(
		fc.property(
			plain,
			fc.array(fc.constantFrom("host", "connection", "content-length", ...NAMES)),
			(lines, asked) => {
				const text = viewed(lines);
				const flat = new FlatRequestLines(lines.flat(), false);
				expect(text.bytes).toBe(flat.bytes);
				for (const each of asked)
					expect([each, text.lines(each)]).toEqual([each, flat.lines(each)]);
				expect([...text.names()].sort()).toEqual([...flat.names()].sort());
				for (const host of [undefined, "other:81"]) {
					expect(text.forwarded(host)).toBe(flat.forwarded(host));
				}
			},
		),
	);
});

/** A policy may look for a name that comes from the request: a part of its text, and of any length. */
const namesOf = (request: number): string[] =>
	[
		`n${request}-${"x".repeat(20)}`,
		`n${request}-${"x".repeat(100)}`,
		`n${request % 300}-again`,
	].map((name) =>
		Buffer.from(`${"padding ".repeat(4000)}${name}`)
			.toString("latin1")
			.slice(32_000),
	);

it("of any number of names finds the lines, and keeps nothing of the texts that they are parts of", () => {
	const before = heldBytes();
	for (let request = 0; request < 700; request++) {
		const names = namesOf(request);
		const lines = viewed([
			["host", "h.example"],
			...names.flatMap((each): Line[] => [
				[each, "1"],
				[each, "2"],
			]),
		]);
		for (const each of names) {
			expect(lines.lines(each)).toEqual(["1", "2"]);
			expect(lines.lines(each.slice(1))).toEqual([]);
		}
	}
	// 700 texts of 32 kB, three times.
	expect(heldBytes() - before).toBeLessThan(10_000_000);
});
