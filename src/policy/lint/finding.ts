/** What a lint has to say (contract 3): where in the rule or config, a stable code, a sentence with its remedy. */

export interface Finding {
	readonly path: readonly PropertyKey[];
	readonly code: string;
	readonly message: string;
}

/** The same of an expression; where it sits is known to who asked. */
export type ExpressionFinding = Omit<Finding, "path">;
