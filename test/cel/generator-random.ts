/** Chance that a seed repeats, and what chooses by it. */

export type Random = () => number;

/** Evenly spread numbers in [0, 1). */
export function randomFrom(seed: number): Random {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export function pick<T>(random: Random, choices: readonly T[]): T {
	const chosen = choices[Math.floor(random() * choices.length)];
	if (chosen === undefined) throw new Error("nothing to choose from");
	return chosen;
}

export function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const item of items) {
		const group = groups.get(keyOf(item));
		if (group === undefined) groups.set(keyOf(item), [item]);
		else group.push(item);
	}
	return groups;
}
