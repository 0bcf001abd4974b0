/** Loop variables and bound names while `cost/walk.ts` is inside of their expressions. */

import type { ComprehensionNode } from "../tree/syntax.ts";
import { eitherSize, oneOf, SCALAR, type Size, type Turn } from "./size.ts";

export interface CostLocal {
	readonly name: string;
	readonly size: Size;
	readonly fails?: boolean;
	/** the map that the loop variable is a key of, and what it holds there */
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
	enterLoop(
		{ iterVar, iterVar2 }: Pick<ComprehensionNode, "iterVar" | "iterVar2">,
		range: Size,
		turn: Turn,
		isMap: boolean,
	): number {
		const value = oneOf(turn.element);
		const key = turn.key === undefined ? undefined : oneOf(turn.key);
		if (iterVar2 !== "") {
			this.bind(iterVar, key ?? SCALAR);
			this.bind(iterVar2, value);
			return 2;
		}
		if (key === undefined) this.bind(iterVar, value);
		else {
			const size = isMap ? key : eitherSize(key, value);
			this.#locals.push({ name: iterVar, size, keyOf: { map: range, value } });
		}
		return 1;
	}

	leave(count: number): void {
		this.#locals.length -= count;
	}
}
