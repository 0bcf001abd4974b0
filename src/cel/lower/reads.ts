/**
 * How lowered code reads each variable of `variables/` from the attributes of an exchange: a property where there
 * is one, so that a rule on `req.method` costs one property, else the variable's function. Also which attributes
 * that takes, for copies to other threads.
 */
import type { LinesPath, ReadPath } from "../variables/definition.ts";
import { type DeriveName, deriveName, pathsOf, VARIABLE_TABLE } from "../variables/table.ts";
import type { IntRange } from "./lowered.ts";

export interface VariableRead {
	/** code of the value; `derive` is a function of `runtime.ts` that the code then calls */
	readonly code: string;
	readonly derive: DeriveName | undefined;
	/** paths for `copyAttributes` */
	readonly reads: readonly ReadPath[];
	/** of an int: it travels as a number */
	readonly range: IntRange | undefined;
	/** is it a map of lists with something for every text? A missing name is the empty list. */
	readonly isListMap: boolean;
	/** of a header map: the member of `Attributes` that holds its lines */
	readonly lines: LinesPath | undefined;
	/** is it an IP address whatever the request? */
	readonly isAddress: boolean;
}

const READS: ReadonlyMap<string, VariableRead> = new Map(
	VARIABLE_TABLE.map((definition) => {
		const { name, type, read, isAddress = false } = definition;
		const isAttribute = "attribute" in read;
		const derive = isAttribute ? undefined : deriveName(name);
		return [
			name,
			{
				code: isAttribute ? `a.${read.attribute}` : `${derive}(a)`,
				derive,
				reads: pathsOf(definition),
				range: isAttribute ? read.range : undefined,
				isListMap: type.startsWith("map<string, list<"),
				lines: isAttribute ? undefined : read.lines,
				isAddress,
			},
		];
	}),
);

/** @param name as written in expressions */
export function readOf(name: string): VariableRead {
	const read = READS.get(name);
	if (read === undefined) throw new Error(`there is no variable ${name}`);
	return read;
}
