/**
 * Optional values, which the library does not have. They wear its mark of a type, so that it passes them
 * on as they are; everything that looks into values asks `isOptional` first.
 */
import type { CelValue } from "@bufbuild/cel";

const TYPE_MARK = Symbol.for("@bufbuild/cel/type");

class OracleOptional {
	readonly [TYPE_MARK] = {};
	readonly kind = "optional";
	readonly name = "an optional";
	/** undefined: none */
	readonly value: CelValue | undefined;
	constructor(value: CelValue | undefined) {
		this.value = value;
	}
}

/** The library's interface is marked with a symbol that its types keep to themselves. */
const asCelValue = (optional: OracleOptional): CelValue => optional as unknown as CelValue;

export const NONE: CelValue = asCelValue(new OracleOptional(undefined));

export const some = (value: CelValue | undefined): CelValue =>
	value === undefined ? NONE : asCelValue(new OracleOptional(value));

export const isOptional = (value: unknown): value is { readonly value: CelValue | undefined } =>
	value instanceof OracleOptional;
