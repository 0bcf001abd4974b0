/**
 * Where a planned expression finds its variables: one object for each compiled expression, with a lazy
 * getter for each variable of the table and a property for each of the expression's constants. The
 * library asks it by name, so what an expression does not name is never read. Made by `compile.ts`.
 */
import type { CelInput } from "@bufbuild/cel";
import type { Attributes } from "./attributes.ts";
import { constantName } from "./scope.ts";
import { flatName, VARIABLES, type Variable } from "./variables.ts";

export interface Activation {
	/** the exchange being evaluated; set for the length of one evaluation */
	attributes: Attributes | undefined;
	/** maps, lists and parsed headers that this evaluation has read already, by variable */
	kept: Map<string, CelInput> | undefined;
	/** as the library wants it: names to values */
	readonly bindings: Record<string, CelInput>;
}

const SLOT = Symbol("activation");
type Bindings = Record<string, CelInput> & { [SLOT]?: Activation };

/** No prototype of its own, so that no name of Object's is found here. */
const GETTERS: object = Object.create(null);
for (const { name, read, isParsed } of VARIABLES.values()) {
	Object.defineProperty(GETTERS, flatName(name), {
		get(this: Bindings): CelInput | undefined {
			const slot = this[SLOT];
			if (slot?.attributes === undefined) return undefined;
			return isParsed ? readOnce(slot, name, read) : read(slot.attributes);
		},
	});
}

/** A loop over `x in req.url.query_params` must not take the query apart at every turn. */
function readOnce(slot: Activation, name: string, read: Variable["read"]): CelInput | undefined {
	const kept = slot.kept?.get(name);
	if (kept !== undefined || slot.attributes === undefined) return kept;
	const value = read(slot.attributes);
	slot.kept ??= new Map();
	slot.kept.set(name, value);
	return value;
}

export function activationFor(constants: readonly object[]): Activation {
	const bindings: Bindings = Object.create(GETTERS);
	const activation: Activation = { attributes: undefined, kept: undefined, bindings };
	Object.defineProperty(bindings, SLOT, { value: activation });
	constants.forEach((value, index) => {
		Object.defineProperty(bindings, constantName(index), { value });
	});
	return activation;
}
