/**
 * What JSON allows and a document may not have: names that an object has twice, `__proto__`, numbers that overflow, half
 * characters. Called by `json.ts` with texts that `JSON.parse` has taken, so that a scan that knows strings from the rest is
 * enough: every document that is put comes through here.
 */
import { type FaultAt, hasUnpairedSurrogate } from "./text.ts";

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** of white space, none is above it */
const SPACE = 0x20;

/** A number without an exponent that has fewer characters is below the largest. */
const FINITE_CHARACTERS = 300;

const NUMBER = /[-+.0-9eE]+/y;

/** @param text valid JSON @returns the first fault in it */
export function strictFault(text: string): FaultAt | undefined {
	const names: Set<string>[] = [];
	let backslash = indexOrEnd(text, "\\", 0);
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === OPEN_BRACE) names.push(new Set());
		else if (code === CLOSE_BRACE) names.pop();
		else if (code === MINUS || (code >= ZERO && code <= NINE)) {
			const end = endOfNumber(text, at);
			if (isTooLarge(text, at, end)) return { message: "the number is too large", offset: at };
			at = end - 1;
		} else if (code === QUOTE) {
			if (backslash < at) backslash = indexOrEnd(text, "\\", at);
			const plainEnd = text.indexOf('"', at + 1);
			const isPlain = plainEnd < backslash;
			const end = isPlain ? plainEnd : endOfEscaped(text, backslash);
			const value = isPlain
				? text.slice(at + 1, end)
				: (JSON.parse(text.slice(at, end + 1)) as string);
			const isName = isBeforeColon(text, end + 1);
			const fault = isName ? nameFault(value, names.at(-1)) : undefined;
			if (fault !== undefined) return { message: fault, offset: at };
			if (!isPlain && hasUnpairedSurrogate(value))
				return { message: "unpaired surrogate in a string", offset: at };
			at = end;
		}
	}
	return undefined;
}

function nameFault(name: string, seen: Set<string> | undefined): string | undefined {
	if (seen?.has(name)) return `duplicate key ${JSON.stringify(name)}`;
	if (name === "__proto__") return 'the key "__proto__" is not allowed';
	seen?.add(name);
	return undefined;
}

const indexOrEnd = (text: string, part: string, from: number): number => {
	const at = text.indexOf(part, from);
	return at < 0 ? text.length : at;
};

/** Index of the quote that ends a string. @param backslash the first in it */
function endOfEscaped(text: string, backslash: number): number {
	let at = backslash;
	let quote = -1;
	for (;;) {
		at += 2;
		// Looked for anew only behind the last: a string may have half a million escapes.
		if (quote < at) quote = text.indexOf('"', at);
		const next = indexOrEnd(text, "\\", at);
		if (quote < next) return quote;
		at = next;
	}
}

function isBeforeColon(text: string, from: number): boolean {
	let at = from;
	while (text.charCodeAt(at) <= SPACE) at++;
	return text.charCodeAt(at) === COLON;
}

function endOfNumber(text: string, from: number): number {
	NUMBER.lastIndex = from;
	return NUMBER.test(text) ? NUMBER.lastIndex : from + 1;
}

function isTooLarge(text: string, from: number, end: number): boolean {
	const number = text.slice(from, end);
	const isSurelyFinite = number.length < FINITE_CHARACTERS && !/[eE]/.test(number);
	return !isSurelyFinite && !Number.isFinite(Number(number));
}
