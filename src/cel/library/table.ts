/**
 * All functions that expressions can call, by signature. Operators are not among them: lowered expressions
 * have them inline. Used by the lowerer for calls that the checker has resolved, and by `dispatch.ts`.
 */
import { CONVERSIONS } from "./conversions.ts";
import { ENCODERS } from "./encoders.ts";
import type { Implementation, Implementations } from "./implementation.ts";
import { LISTS } from "./lists.ts";
import { MATH } from "./math.ts";
import { OPTIONALS } from "./optionals.ts";
import { REQUEST } from "./request.ts";
import { SETS } from "./sets.ts";
import { STRINGS } from "./strings.ts";
import { TIMES } from "./times.ts";

const TABLES: readonly Implementations[] = [
	CONVERSIONS,
	ENCODERS,
	LISTS,
	MATH,
	OPTIONALS,
	REQUEST,
	SETS,
	STRINGS,
	TIMES,
];

/** By signature, exactly as written in `declarations.ts`. */
export const IMPLEMENTATIONS: ReadonlyMap<string, Implementation> = new Map(
	TABLES.flatMap((table) => Object.entries(table)),
);
