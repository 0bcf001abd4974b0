/**
 * The warnings about expressions and rules, for docs/actions.md. The lints of this folder say them by their codes, each
 * with a sentence of its own; the warnings about one action's config stand in the action's file.
 */

interface WarningText {
	readonly finds: string;
	readonly remedy: string;
}

export const WARNINGS = {
	constant_expression: {
		finds: "An expression is always true, or never.",
		remedy: "Leave out one that is always true. Where one is never true, its rule never applies.",
	},
	impossible_constant: {
		finds:
			"A variable is compared with a constant that it never has: a method in lower case, a country code that ISO 3166 " +
			"does not have, a range of addresses where there is one address.",
		remedy: "Write the constant that the message names.",
	},
	empty_variable: {
		finds: "A variable is empty for every request, on this server or on any.",
		remedy:
			"Leave it out, or configure the source that the message names: TLS, `proxy_protocol`, `geo.database`.",
	},
	exact_header_match: {
		finds:
			"`'x' in req.headers['h']` is true for a header line that is exactly `x`, not for a part of one.",
		remedy: "For a part of a line write `req.headers['h'].exists(v, v.contains('x'))`.",
	},
	index_of_absent: {
		finds:
			"`req.headers['x'][0]` fails for requests without the header, and so with cookies and query parameters, unless an " +
			"expression before it makes sure that it is there.",
		remedy: "Put `'x' in req.headers` before it, or write `req.headers['x'][?0].orValue('')`.",
	},
	unreachable_rule: {
		finds: "An earlier rule always ends the phase first.",
		remedy: "Move the rule up, or give the earlier one an expression that leaves something to it.",
	},
	more_warnings: {
		finds: "There are more warnings than one answer lists; the message counts the others.",
		remedy: "Mend those that are listed, then look again.",
	},
} as const satisfies Readonly<Record<string, WarningText>>;

export type WarningCode = keyof typeof WARNINGS;
