/**
 * All functions that expressions can call, by signature. Operators are not among them: lowered expressions
 * have them inline. Used by the lowerer for calls that the checker has resolved, and by `dispatch.ts`.
 */
import type { Implementation, Implementations } from "./implementation.ts";
import { STRINGS } from "./strings.ts";

const TABLES: readonly Implementations[] = [STRINGS];

/** By signature, exactly as written in `declarations.ts`. */
export const IMPLEMENTATIONS: ReadonlyMap<string, Implementation> = new Map(
	TABLES.flatMap((table) => Object.entries(table)),
);
