/**
 * The strings extension of CEL, over characters instead of UTF-16 units, in linear time, with bounded
 * results. `format` and `quote` come from the library. Called by `environment.ts`.
 */
import { type CelFunc, type CelList, CelScalar, celFunc, celMethod, listType } from "@bufbuild/cel";
import { strings as libraryStrings } from "@bufbuild/cel/ext";
import { bounded, characterAt, index, lengthOf, unitAt } from "./characters.ts";

const { STRING, INT, DYN } = CelScalar;
const LIST = listType(DYN);

function charAt(text: string, at: bigint): string {
	const unit = unitAt(text, index(text, at));
	const code = text.codePointAt(unit);
	return code === undefined ? "" : String.fromCodePoint(code);
}

function indexOf(text: string, part: string, from: bigint): bigint {
	const found = text.indexOf(part, unitAt(text, index(text, from)));
	return BigInt(found < 0 ? -1 : characterAt(text, found));
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
	const start = from === undefined ? text.length : unitAt(text, index(text, from));
	const found = text.lastIndexOf(part, start);
	return BigInt(found < 0 ? -1 : characterAt(text, found));
}

function substring(text: string, start: bigint, end?: bigint): string {
	const first = index(text, start);
	const last = end === undefined ? undefined : index(text, end);
	if (last !== undefined && first > last)
		throw new Error(`the end ${end} is before the start ${start}`);
	return text.slice(unitAt(text, first), last === undefined ? undefined : unitAt(text, last));
}

/** The first `count` occurrences; all of them if it is negative. An empty `part` is around every character. */
function replace(text: string, part: string, replacement: string, count = -1n): string {
	const pieces = pieceTexts(text, part, count);
	bounded(text.length + replacement.length * (pieces.length - 1));
	return pieces.join(replacement);
}

/** What stands between the occurrences that are to be replaced. */
function pieceTexts(text: string, part: string, count: bigint): string[] {
	if (count === 0n) return [text];
	const all = part === "" ? ["", ...text, ""] : text.split(part);
	if (count < 0n || BigInt(all.length - 1) <= count) return all;
	const kept = all.slice(0, Number(count));
	return [...kept, all.slice(Number(count)).join(part)];
}

/** @param count at most so many parts, the last with all the rest; all parts if it is negative */
function split(text: string, separator: string, count = -1n): readonly string[] {
	if (count === 0n) return [];
	const all = separator === "" ? [...text] : text.split(separator);
	if (count < 0n || BigInt(all.length) <= count) return all;
	const kept = all.slice(0, Number(count) - 1);
	return [...kept, all.slice(Number(count) - 1).join(separator)];
}

function join(list: CelList, separator: string): string {
	const parts: string[] = [];
	let length = 0;
	for (const part of list) {
		if (typeof part !== "string") throw new Error("join takes a list of strings only");
		parts.push(part);
		length += part.length + separator.length;
	}
	bounded(length);
	return parts.join(separator);
}

const WHITE_SPACE =
	"[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LEADING = new RegExp(`^${WHITE_SPACE}+`);
const WHITE = new RegExp(WHITE_SPACE);

/** Unicode's white space; from the end by hand, since a pattern would try at every space within. */
function trim(text: string): string {
	const start = LEADING.exec(text)?.[0].length ?? 0;
	let end = text.length;
	while (end > start && WHITE.test(text[end - 1] ?? "")) end--;
	return text.slice(start, end);
}

const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());
const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

const reverse = (text: string): string => [...text].reverse().join("");

const fromLibrary = libraryStrings.filter(
	({ name }) => name === "format" || name === "strings.quote",
);

export const STRING_FUNCTIONS: readonly CelFunc[] = [
	...fromLibrary,
	celFunc("size", [STRING], INT, (text) => BigInt(lengthOf(text))),
	celMethod("size", STRING, [], INT, function () {
		return BigInt(lengthOf(this));
	}),
	celMethod("charAt", STRING, [INT], STRING, function (at) {
		return charAt(this, at);
	}),
	celMethod("indexOf", STRING, [STRING], INT, function (part) {
		return indexOf(this, part, 0n);
	}),
	celMethod("indexOf", STRING, [STRING, INT], INT, function (part, from) {
		return indexOf(this, part, from);
	}),
	celMethod("lastIndexOf", STRING, [STRING], INT, function (part) {
		return lastIndexOf(this, part);
	}),
	celMethod("lastIndexOf", STRING, [STRING, INT], INT, function (part, from) {
		return lastIndexOf(this, part, from);
	}),
	celMethod("lowerAscii", STRING, [], STRING, function () {
		return lowerAscii(this);
	}),
	celMethod("upperAscii", STRING, [], STRING, function () {
		return upperAscii(this);
	}),
	celMethod("replace", STRING, [STRING, STRING], STRING, function (part, replacement) {
		return replace(this, part, replacement);
	}),
	celMethod("replace", STRING, [STRING, STRING, INT], STRING, function (part, replacement, count) {
		return replace(this, part, replacement, count);
	}),
	celMethod("reverse", STRING, [], STRING, function () {
		return reverse(this);
	}),
	celMethod("split", STRING, [STRING], LIST, function (separator) {
		return split(this, separator);
	}),
	celMethod("split", STRING, [STRING, INT], LIST, function (separator, count) {
		return split(this, separator, count);
	}),
	celMethod("substring", STRING, [INT], STRING, function (start) {
		return substring(this, start);
	}),
	celMethod("substring", STRING, [INT, INT], STRING, function (start, end) {
		return substring(this, start, end);
	}),
	celMethod("trim", STRING, [], STRING, function () {
		return trim(this);
	}),
	celMethod("join", LIST, [], STRING, function () {
		return join(this, "");
	}),
	celMethod("join", LIST, [STRING], STRING, function (separator) {
		return join(this, separator);
	}),
];
