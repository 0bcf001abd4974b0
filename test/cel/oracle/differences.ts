/**
 * Where the oracle is known to be wrong, or where the specification leaves a choice: found after a
 * disagreement has been made as small as it can be. Used by `differential.test.ts`.
 */
export interface Difference {
	readonly why: string;
	/** on the smallest source that shows it */
	readonly source: RegExp;
}

export const DIFFERENCES: readonly Difference[] = [
	{ why: "pending: or and orValue", source: /\.or(?:Value)?\(/ },
];
