/**
 * Tells whether lowered code asks for chance, or for what changes while a phase runs. `program.ts` asks about each
 * expression that it opens: the value of code that asks for no chance may be found twice, or beforehand.
 */
import { asksForChance, signatureAsksForChance } from "../library/table.ts";
import { CHANGING_PATHS } from "../variables/table.ts";
import type { Code } from "./code.ts";

/** Does the code yield the same however often it is asked about a request? */
export const isSteady = ({ shape, constants }: Code): boolean =>
	!shape.functions.some(signatureAsksForChance) &&
	!constants.some((constant) => constant.kind === "overloads" && asksForChance(constant.name));

/** Does it yield the same wherever in a phase of a request it is asked? @param reads paths into `Attributes` */
export const isSteadyInPhase = (code: Code, reads: readonly string[]): boolean =>
	isSteady(code) && !reads.some((path) => CHANGING_PATHS.has(path));
