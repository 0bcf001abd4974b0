/**
 * Functions that only the comprehensions of macros call: the checker resolves them, and lowered code runs the loops
 * itself. Joined by `table.ts`.
 */
import { type FunctionDefinition, REPLACED } from "./definition.ts";

export const MACRO_STEPS: readonly FunctionDefinition[] = [
	{
		name: "@not_strictly_false",
		doc: "Whether `all` and `exists` go on.",
		examples: [],
		overloads: { "@not_strictly_false(bool) -> bool": REPLACED },
	},
	{
		name: "cel.@mapInsert",
		doc: "What `transformMap` and `transformMapEntry` add their entries with.",
		examples: [],
		overloads: {
			"cel.@mapInsert(map<A, B>, A, B) -> map<A, B>": REPLACED,
			"cel.@mapInsert(map<A, B>, map<A, B>) -> map<A, B>": REPLACED,
		},
	},
];
