/**
 * Texts by characters: CEL counts code points where JavaScript counts UTF-16 units. Shared by the
 * functions of the strings extension.
 */
import { LIMITS } from "../../../../src/limits/limits.ts";

const SURROGATE = /[\ud800-\udfff]/;

/** Has every character one unit, so that indices need no translation? */
export const isPlain = (text: string): boolean => !SURROGATE.test(text);

export const lengthOf = (text: string): number => {
	if (isPlain(text)) return text.length;
	let length = 0;
	for (const _ of text) length++;
	return length;
};

/** The unit where the character `index` starts. */
export function unitAt(text: string, index: number): number {
	if (isPlain(text)) return index;
	let unit = 0;
	for (let character = 0; character < index; character++) {
		unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
	}
	return unit;
}

/** The character that starts at `unit`. */
export const characterAt = (text: string, unit: number): number =>
	isPlain(text) ? unit : lengthOf(text.slice(0, unit));

/** A checked index: from 0 to the text's length. */
export function index(text: string, value: bigint): number {
	const length = lengthOf(text);
	if (value < 0n || value > BigInt(length)) {
		throw new Error(`index ${value} is outside of the text's ${length} characters`);
	}
	return Number(value);
}

/** Texts that functions make are bounded; ropes of a gigabyte would be made of a few repetitions. */
export function bounded(length: number): void {
	if (length > LIMITS.evaluationTextCharacters) {
		throw new Error(`a text of more than ${LIMITS.evaluationTextCharacters} characters`);
	}
}
