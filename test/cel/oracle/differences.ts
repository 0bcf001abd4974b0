/**
 * Where the oracle is known to be wrong, or where the specification leaves a choice: looked up after a
 * disagreement has been made as small as it can be. Used by `differential.test.ts`.
 */
export interface Difference {
	readonly why: string;
	/** on the smallest source that shows it */
	readonly source: RegExp;
	/** on what the oracle says of it */
	readonly oracle?: RegExp;
}

export const DIFFERENCES: readonly Difference[] = [
	{
		why: "an action that has not run can be indexed as a whole, so that has() of its fields is false; only reads of the fields fail",
		source: /\bactions\b\)?(?:\.ngrok)?(?:\[|\.\w)/,
		oracle: /^ {2}oracle: failure: /m,
	},
	{
		why: "the library has 0 for the rest of the smallest int by -1; cel-go fails, as for the quotient",
		source: /-9223372036854775808\)* % /,
		oracle: /: int 0$/,
	},
	{
		why: "the library knows no time zone without a name; cel-go takes it for UTC",
		source: /\.get\w+\(/,
		oracle: /: Invalid time zone specified: $/,
	},
	{
		why: "the library's %d takes no double and its %f no int; newer versions of the extension take both",
		source: /\.format\(/,
		oracle: /invalid integer value|can only be used on doubles/,
	},
];
