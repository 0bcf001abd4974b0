/**
 * Tells whether lowered code asks for chance. `program.ts` asks about each expression that it opens: the value of code
 * that does not may be found twice, or beforehand.
 */
import { asksForChance, signatureAsksForChance } from "../library/table.ts";
import type { Code } from "./code.ts";

/** Does the code yield the same however often it is asked about a request? */
export const isSteady = ({ functions, constants }: Code): boolean =>
	!functions.some(signatureAsksForChance) &&
	!constants.some((constant) => constant.kind === "overloads" && asksForChance(constant.name));
