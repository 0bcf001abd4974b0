/**
 * How large each variable can be and what it takes to make it, by what the edge admits of a request and a
 * response. The rows of `variables/` say it of each; `cost/walk.ts` asks here.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { VariableDefinition } from "../variables/definition.ts";
import type { InputBounds } from "../variables/sizes.ts";
import { VARIABLE_TABLE } from "../variables/table.ts";
import { SCALAR, type Size } from "./size.ts";

export const INPUT_BOUNDS: InputBounds = {
	requestHeaderBytes: Math.max(LIMITS.requestHeaderBytes, LIMITS.rewrittenUrlCharacters),
	requestHeaderLines: LIMITS.requestHeaderLines,
	responseHeaderBytes:
		LIMITS.responseHeaderBytes + LIMITS.headersPerAction * LIMITS.headerValueBytes,
};

interface Input {
	readonly size: Size;
	/** nanoseconds to make it once */
	readonly reading: number;
}

/** Variables by their names in expressions. */
export class Inputs {
	readonly #inputs: ReadonlyMap<string, Input>;

	constructor(bounds: InputBounds) {
		this.#inputs = new Map(
			VARIABLE_TABLE.map((definition) => [definition.name, inputOf(definition, bounds)]),
		);
	}

	sizeOf(variable: string): Size {
		return this.#inputs.get(variable)?.size ?? SCALAR;
	}

	/** Nanoseconds to make it once. */
	readingCost(variable: string): number {
		return this.#inputs.get(variable)?.reading ?? 0;
	}
}

function inputOf(
	{ size, parsingNanoseconds = 0, outboundOnly }: VariableDefinition,
	bounds: InputBounds,
): Input {
	const characters = outboundOnly ? bounds.responseHeaderBytes : bounds.requestHeaderBytes;
	return { size: size?.(bounds) ?? SCALAR, reading: characters * parsingNanoseconds };
}

export const INPUTS = new Inputs(INPUT_BOUNDS);
