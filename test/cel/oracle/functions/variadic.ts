/** Functions of the library's kind that take any number of values of any kind; the rewritten tree calls them. */
import { type CelFunc, CelScalar, type CelValue, celError, celFunc } from "@bufbuild/cel";

export function variadic(name: string, make: (values: readonly CelValue[]) => CelValue): CelFunc {
	const call: CelFunc["call"] = (id, target, args) => {
		try {
			return make(target === undefined ? args : [target, ...args]);
		} catch (error) {
			return celError(error, id);
		}
	};
	return Object.assign(Object.create(celFunc(name, [], CelScalar.DYN, () => null)), { call });
}

/** The value at `index`; the rewriting gives each function as many as it needs. */
export function at(values: readonly CelValue[], index: number): CelValue {
	const value = values[index];
	if (value === undefined) throw new Error("an operand is missing");
	return value;
}
