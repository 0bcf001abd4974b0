/**
 * Where the parts of an expression leave their values while it is evaluated for somebody who wants to see them. Only code
 * that `trace.ts` has lowered writes here, through `lower/runtime.ts`; evaluations are synchronous and never overlap.
 */

export interface PartRecord {
	/** times that it was come to, and the value of the last time that it had one */
	asked: number;
	value: unknown;
	/** did it have a value the last time? */
	hasValue: boolean;
}

let parts: PartRecord[] = [];

/** Runs something while parts may leave their values. @param count of parts, numbered from 0 */
export function recording(count: number, run: () => void): readonly PartRecord[] {
	const made = Array.from({ length: count }, () => ({
		asked: 0,
		value: undefined,
		hasValue: false,
	}));
	parts = made;
	try {
		run();
	} finally {
		parts = [];
	}
	return made;
}

/** A part begins. @returns its number, for `noted` */
export function asking(part: number): number {
	const record = parts[part];
	if (record !== undefined) {
		record.asked++;
		record.hasValue = false;
	}
	return part;
}

/** A part has a value, which goes on as it is. */
export function noted<T>(part: number, value: T): T {
	const record = parts[part];
	if (record !== undefined) {
		record.value = value;
		record.hasValue = true;
	}
	return value;
}
