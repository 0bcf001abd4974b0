/**
 * Lists that grow: `map` and `filter` add one element at a time to what they have. The library chains
 * such lists, so that reading one of n elements nests n calls deep; here they share an array. Gives
 * `functions/lists.ts` its `+`.
 */
import type { CelList, CelValue } from "@bufbuild/cel";
import { takeSteps } from "./steps.ts";

/** What the library recognises its lists by. */
const LIST_MARK = Symbol.for("@bufbuild/cel/list");

class SharedList {
	readonly [LIST_MARK] = {};
	readonly size: number;
	/** the first `size` elements are this list's; a longer list may have put its own behind them */
	readonly #elements: CelValue[];

	constructor(elements: CelValue[], size: number) {
		this.#elements = elements;
		this.size = size;
	}

	get(index: number): CelValue | undefined {
		return index >= 0 && index < this.size ? this.#elements[index] : undefined;
	}

	*values(): IterableIterator<CelValue> {
		for (let index = 0; index < this.size; index++) {
			const element = this.#elements[index];
			if (element !== undefined) yield element;
		}
	}

	[Symbol.iterator](): IterableIterator<CelValue> {
		return this.values();
	}

	/** This list and `added`; without copying if nothing has been put behind this list yet. */
	plus(added: CelList): SharedList {
		const isLast = this.#elements.length === this.size;
		if (!isLast) takeSteps(this.size);
		takeSteps(added.size);
		const elements = isLast ? this.#elements : this.#elements.slice(0, this.size);
		for (const element of added) elements.push(element);
		return new SharedList(elements, elements.length);
	}
}

export function concatenated(left: CelList, right: CelList): CelList {
	if (right.size === 0) return left;
	if (left instanceof SharedList) return asCelList((left as SharedList).plus(right));
	takeSteps(left.size);
	const elements = [...left];
	return asCelList(new SharedList(elements, elements.length).plus(right));
}

/** The library's interface is marked with a symbol that its types keep to themselves. */
const asCelList = (list: SharedList): CelList => list as unknown as CelList;
