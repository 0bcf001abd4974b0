/**
 * Functions of the comprehensions that the specification defines macros by. The checker takes the types of macros from
 * their signatures (`check/macros.ts`); nothing calls them, since lowered code runs loops. Joined by `table.ts`.
 */
import { type FunctionDefinition, REPLACED } from "./definition.ts";

export const MACRO_STEPS: readonly FunctionDefinition[] = [
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
