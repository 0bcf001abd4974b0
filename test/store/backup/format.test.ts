/** The lines of a backup, and what is said of files that are none, or are of a later version. */
import { expect, it } from "vitest";
import {
	beginsLikeBackup,
	entryLine,
	headerLine,
	isKept,
	isKnownKey,
	kindOf,
	parseHeader,
	parseTrailer,
	trailerLine,
} from "../../../src/store/backup/format.ts";
import { ABOUT } from "./files.ts";

const chopped = (line: string): string => line.slice(0, -1);

it("reads the first and the last line that it writes", () => {
	for (const layout of [1, 2]) {
		const line = headerLine({ layout, ...ABOUT });
		expect(parseHeader(chopped(line))).toEqual({ layout, ...ABOUT });
		expect(beginsLikeBackup(line)).toBe(true);
	}
	const trailer = { entries: 4, sha256: "0f".repeat(32) };
	expect(parseTrailer(chopped(trailerLine(trailer)))).toEqual(trailer);
	expect(parseTrailer(chopped(entryLine("e/end", "end {}")))).toBeUndefined();
});

it.each([
	["", "is no backup of weir"],
	["weir-backup", "is no backup of weir"],
	["weir-backup 1", "is no backup of weir"],
	["weir-backup 0 {}", "its first line makes no sense"],
	["weir-backup 1 {}", "its first line makes no sense"],
	['weir-backup 1 {"layout":1', "is no backup of weir"],
	["weir-backup 2 {}", "has format 2 and was made by another version of weir"],
	['weir-backup 9 {"layout":3,"weir":"4.0.0","created":""}', "made by weir 4.0.0; this version"],
	['weir-backup 1 {"layout":9,"weir":"4.0.0","created":""}', "a store of layout 9 and was made by"],
])("%s", (line, words) => {
	expect(parseHeader(line)).toContain(words);
});

it("ignores what a later version may say besides", () => {
	const line = `weir-backup 1 ${JSON.stringify({ layout: 1, ...ABOUT, host: "a" })}`;
	expect(parseHeader(line)).toEqual({ layout: 1, ...ABOUT });
});

it("knows the keys of a store, and which stand for documents", () => {
	for (const key of [
		"e/a",
		"h/*.a:80",
		"k/key_1",
		"m/a/x",
		"p/a/b",
		"r/a/b",
		"u/key_1",
		"!version",
		"!keys",
	])
		expect([key, isKnownKey(key), isKept(key)]).toEqual([key, true, true]);
	for (const key of ["!owner", "!layout"])
		expect([key, isKnownKey(key), isKept(key)]).toEqual([key, false, false]);
	for (const key of ["", "y/a", "e/", "e/a b", "p/a\nb"]) expect(isKnownKey(key)).toBe(false);
	expect(["e/a", "r/a/b", "p/a/b", "k/a", "m/a/b"].map(kindOf)).toEqual([
		"edges",
		"routes",
		"policies",
		"keys",
		undefined,
	]);
});
