/**
 * Where a planned expression finds its variables: one object for each compiled expression, with a lazy
 * getter for each variable of the table and a property for each of the expression's constants. The
 * library asks it by name, so what an expression does not name is never read. Made by `compile.ts`.
 */
import type { CelInput } from "@bufbuild/cel";
import type { Attributes } from "./attributes.ts";
import { constantName } from "./scope.ts";
import { flatName, VARIABLES } from "./variables.ts";

export interface Activation {
	/** the exchange being evaluated; set for the length of one evaluation */
	attributes: Attributes | undefined;
	/** as the library wants it: names to values */
	readonly bindings: Record<string, CelInput>;
}

const SLOT = Symbol("activation");
type Bindings = Record<string, CelInput> & { [SLOT]?: Activation };

/** No prototype of its own, so that no name of Object's is found here. */
const GETTERS: object = Object.create(null);
for (const { name, read } of VARIABLES.values()) {
	Object.defineProperty(GETTERS, flatName(name), {
		get(this: Bindings): CelInput | undefined {
			const attributes = this[SLOT]?.attributes;
			return attributes === undefined ? undefined : read(attributes);
		},
	});
}

export function activationFor(constants: readonly object[]): Activation {
	const bindings: Bindings = Object.create(GETTERS);
	const activation: Activation = { attributes: undefined, bindings };
	Object.defineProperty(bindings, SLOT, { value: activation });
	constants.forEach((value, index) => {
		Object.defineProperty(bindings, constantName(index), { value });
	});
	return activation;
}
