/** Official cases that this project does not run, and why. Used by `conformance.test.ts`. */

export interface Skip {
	readonly why: string;
	/** on `suite path` + a space + the expression */
	readonly pattern: RegExp;
}

export const SKIPS: readonly Skip[] = [
	{
		why: "protobuf messages: expressions here have no message types",
		pattern:
			/TestAllTypes|google\.protobuf\.\w+\s*\{|cel\.expr|\/proto2_ext|\/wrappers|\/enums|\/proto[23]|GlobalEnum|NullValue/,
	},
	{
		why: "variables that are protobuf messages",
		pattern: /\/(?:flexible_type_parameter_assignment|legacy_nullable_types) .*\bmsg\b/,
	},
	{
		why: "functions that the case declares itself",
		pattern: /\/type_deductions\/(?:functions fn\(|type_parameters .*\btuple\()/,
	},
	{
		why: "cel.block is what an optimizer of the reference implementation writes, no part of the language",
		pattern: /\/block_ext\//,
	},
];
