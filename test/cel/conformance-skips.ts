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
			/TestAllTypes|google\.protobuf\.\w+\s*\{|cel\.expr|\/proto2_ext|\/wrappers|\/enums|\/proto[23]|GlobalEnum/,
	},
	{
		why: "extensions that are not offered yet and refused as unknown functions",
		pattern:
			/\/(math|network|block|bindings|lists|optional)s?_ext|\/optionals|optional\.|\/macros2|cel\.bind/,
	},
	{
		why: "the library does not see that 0 and 0u are one key",
		pattern: /\{0: 1, 0u: 2\}\[0\.0\]/,
	},
	{
		why: "not decided by the specification: an empty list is indexed",
		pattern: /\(\[\]\.map\(x,x\)\)\[0\]\.foo/,
	},
];
