/**
 * `+` of texts, bytes and lists, bounded and charged for. Called by lowered expressions where the types
 * are known, and by `arithmetic.ts`. Macros build their lists themselves.
 */
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { Overrun } from "../expression.ts";
import type { Value } from "./value.ts";

/** Nanoseconds for an element copied, and for a byte; a text's characters are copied when first read. */
const ELEMENT_NS = 12;
const BYTE_NS = 1;
const CHARACTER_NS = 0.5;
/** characters or bytes beyond which copying costs more than the call */
const UNCOUNTED_UNITS = 64;

/** @throws Overrun for a text longer than an evaluation may make, OutOfBudget */
export function boundedText(length: number): void {
	if (length > LIMITS.evaluationTextCharacters) {
		throw new Overrun(`a text of more than ${LIMITS.evaluationTextCharacters} characters`);
	}
	if (length > UNCOUNTED_UNITS) charge(length * CHARACTER_NS);
}

export function addText(a: string, b: string): string {
	boundedText(a.length + b.length);
	return a + b;
}

export function addBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
	const length = a.length + b.length;
	if (length > LIMITS.evaluationTextCharacters) {
		throw new Overrun(`bytes of more than ${LIMITS.evaluationTextCharacters}`);
	}
	charge(length * BYTE_NS);
	const sum = new Uint8Array(length);
	sum.set(a);
	sum.set(b, a.length);
	return sum;
}

export function addLists(a: readonly Value[], b: readonly Value[]): readonly Value[] {
	if (a.length === 0) return b;
	if (b.length === 0) return a;
	charge((a.length + b.length) * ELEMENT_NS);
	return a.concat(b);
}
