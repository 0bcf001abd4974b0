/**
 * Programs that another thread compiles, and the requests for them. `wanted.ts` lists the texts, a thread calls
 * `makeProgram` for each (`threads/expression-task.ts`), and `compiler.ts` takes the programs over.
 */
import { predicateProgram } from "../../cel/compile.ts";
import type { Phase } from "../../cel/expression.ts";
import { isPatternFault, type PatternProgram, preparePattern } from "../../cel/pattern/pattern.ts";
import type { PredicateProgram } from "../../cel/program.ts";
import { type TemplateProgram, templateProgram } from "../../cel/template.ts";

/** A text to be compiled in another thread. */
export interface WantedProgram {
	readonly kind: "predicate" | "template" | "value" | "pattern";
	readonly source: string;
	readonly phase: Phase;
}

/** A text compiled in another thread. Plain data, so that it can be sent. */
export type MadeProgram = { readonly source: string; readonly phase: Phase } & (
	| { readonly kind: "predicate"; readonly program: PredicateProgram }
	| { readonly kind: "template"; readonly program: TemplateProgram }
	| { readonly kind: "value"; readonly program: TemplateProgram }
	| { readonly kind: "pattern"; readonly program: PatternProgram }
);

/** @returns undefined for a text that is refused */
export function makeProgram({ kind, source, phase }: WantedProgram): MadeProgram | undefined {
	if (kind === "predicate") {
		const made = predicateProgram(source, phase);
		return made.ok ? { kind, source, phase, program: made.value } : undefined;
	}
	if (kind === "pattern") {
		const program = preparePattern(source);
		return isPatternFault(program) ? undefined : { kind, source, phase, program };
	}
	const made = templateProgram(source, phase, undefined, kind === "value" ? "value" : "text");
	return made.ok ? { kind, source, phase, program: made.value } : undefined;
}
