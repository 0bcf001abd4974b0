/**
 * Lowered code as plain data, which threads can pass on. The code is ours to the last character: texts,
 * patterns and lists that users wrote come in through the constants only. `assemble.ts` makes it, `open.ts`
 * makes a function of it.
 */
import type { PatternProgram } from "../pattern/program.ts";

export interface Code {
	readonly shape: Shape;
	/** named `k0`, `k1` … in its texts */
	readonly constants: readonly Constant[];
}

/** What expressions have in common that differ in their constants only; `shapes.ts` makes equal ones one object. */
export interface Shape {
	/** statements that come before `result`; in both `a` are the attributes */
	readonly body: string;
	/** an expression of JavaScript */
	readonly result: string;
	/** signatures of library functions, named `f0`, `f1` … */
	readonly functions: readonly string[];
	/** names of `RUNTIME` */
	readonly names: readonly string[];
	/** JavaScript variables that keep values read from the attributes, by a key for the value */
	readonly shared: readonly (readonly [key: string, variable: string])[];
	/** paths into `Attributes` */
	readonly reads: readonly string[];
}

/** A value in a form that survives structured cloning. */
export type PackedValue =
	| null
	| boolean
	| string
	| bigint
	| number
	| Uint8Array
	| readonly PackedValue[]
	| { readonly uint: bigint }
	| { readonly timestamp: readonly [seconds: number, nanos: number] }
	| { readonly duration: readonly [seconds: number, nanos: number] }
	| { readonly type: string }
	| { readonly optional: readonly PackedValue[] }
	| { readonly map: readonly (readonly [PackedValue, PackedValue])[] };

export type Constant =
	| { readonly kind: "value"; readonly value: PackedValue }
	/** members of a literal list, for `in` */
	| { readonly kind: "set"; readonly members: readonly (string | bigint | number)[] }
	| { readonly kind: "pattern"; readonly program: PatternProgram }
	/** the same, for the function that charges for a search */
	| { readonly kind: "pattern_program"; readonly program: PatternProgram }
	| { readonly kind: "ranges"; readonly texts: readonly string[] }
	/** of a call whose operands' types are known at run time only */
	| { readonly kind: "overloads"; readonly name: string; readonly signatures: readonly string[] };
