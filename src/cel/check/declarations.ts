/**
 * Every function and operator that an expression may call, with all its signatures, as the definitions in `library/`
 * have them (contract 4, "Functions"). The checker resolves calls against this table.
 */
import { OPERATORS } from "../library/operators.ts";
import { FUNCTIONS } from "../library/table.ts";
import { type Overload, readSignature } from "./signatures.ts";
import { RECORDS } from "./variables.ts";

const read = (name: string, signature: string): Overload => readSignature(name, signature, RECORDS);

export const DECLARATIONS: ReadonlyMap<string, readonly Overload[]> = new Map([
	...OPERATORS.filter(({ signatures }) => signatures.length > 0).map(
		({ name, signatures }) =>
			[name, signatures.map((signature) => read(name, name + signature))] as const,
	),
	...[...FUNCTIONS.values()].map(
		({ name, overloads }) =>
			[name, Object.keys(overloads).map((signature) => read(name, signature))] as const,
	),
]);

type ByShape = readonly (readonly Overload[] | undefined)[];

/** Of each function, its overloads by `shapeOf`. */
const SHAPES: ReadonlyMap<string, ByShape> = new Map(
	[...DECLARATIONS].map(([name, overloads]) => {
		const shapes: Overload[][] = [];
		for (const overload of overloads) {
			const shape = shapeOf(overload.isMethod, overload.parameters.length);
			shapes[shape] = [...(shapes[shape] ?? []), overload];
		}
		return [name, shapes];
	}),
);

function shapeOf(isMethod: boolean, operands: number): number {
	return 2 * operands + (isMethod ? 1 : 0);
}

const NO_OVERLOADS: readonly Overload[] = [];

/** @param operands how many, the receiver of a method included */
export const overloadsFor = (
	name: string,
	isMethod: boolean,
	operands: number,
): readonly Overload[] => SHAPES.get(name)?.[shapeOf(isMethod, operands)] ?? NO_OVERLOADS;

/** Names that people may call as `name(…)` or `value.name(…)`; others have an `@` in them. */
export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.keys()].filter(
	(name) => !name.includes("@"),
);
