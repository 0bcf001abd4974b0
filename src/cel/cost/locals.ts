/** The variables of macros and of `cel.bind` that are in scope while `walk.ts` is inside of them. */

import type { LoopVariables } from "../tree/node.ts";
import { eitherSize, oneOf, SCALAR, type Size, type Turn } from "./size.ts";

export interface CostLocal {
	readonly name: string;
	readonly size: Size;
	readonly fails?: boolean;
	/** the map that the loop variable is a key of, and the values of that map */
	readonly keyOf?: { readonly map: Size; readonly value: Size } | undefined;
}

export class CostLocals {
	readonly #locals: CostLocal[] = [];

	get count(): number {
		return this.#locals.length;
	}

	/** The innermost of this name. */
	find(name: string): CostLocal | undefined {
		return this.#locals.findLast((local) => local.name === name);
	}

	/** @param fails may whatever names it fail? */
	bind(name: string, size: Size, fails = false): void {
		this.#locals.push({ name, size, fails });
	}

	/**
	 * Elements of a list or keys of a map; with two variables index and element, or key and value.
	 * @param isMap is the range certain to be one? @returns how many are to be left again
	 */
	enterLoop([first, second]: LoopVariables, range: Size, turn: Turn, isMap: boolean): number {
		const value = oneOf(turn.element);
		const key = turn.key === undefined ? undefined : oneOf(turn.key);
		if (second !== undefined) {
			this.bind(first, key ?? SCALAR);
			this.bind(second, value);
			return 2;
		}
		if (key === undefined) this.bind(first, value);
		else {
			const size = isMap ? key : eitherSize(key, value);
			this.#locals.push({ name: first, size, keyOf: { map: range, value } });
		}
		return 1;
	}

	leave(count: number): void {
		this.#locals.length -= count;
	}
}
