/** Patterns in RE2 syntax and texts that they may match, for the comparisons of engines. */
import fc from "fast-check";

/** what texts are made of: letters with case, line ends, strangers of case folding, astral characters */
export const TEXT_CHARACTERS = [
	..."aabbbccABkKsS01_-/. ",
	"\n",
	"\r",
	"\u2028",
	"\u212a",
	"\u017f",
	"\u0131",
	"ß",
	"é",
	"中",
	"😀",
	"😁",
	"\u{10ffff}",
];

export const texts = fc.string({ unit: fc.constantFrom(...TEXT_CHARACTERS), maxLength: 24 });
/** without characters beyond U+FFFF */
export const plainTexts = fc.string({
	unit: fc.constantFrom(...TEXT_CHARACTERS.filter((character) => character.length === 1)),
	maxLength: 12,
});

const ATOMS = [
	..."aaabbbcABkKs1/-",
	".",
	".",
	"^",
	"$",
	"\\A",
	"\\z",
	"\\b",
	"\\B",
	"\\d",
	"\\D",
	"\\w",
	"\\W",
	"\\s",
	"\\S",
	"\\.",
	"\\n",
	"\\x61",
	"\\x{1F600}",
	"\\141",
	"\\Qa.b\\E",
	"[ab]",
	"[^a]",
	"[^/]",
	"[a-c]",
	"[^\\n]",
	"[\\d-]",
	"[]a]",
	"[^]a]",
	"[[:alpha:]]",
	"[[:^digit:]]",
	"[^[:space:]]",
	"[😀-😂]",
	"[^😀]",
	"[a😀\\W]",
	"[\\x{ff00}-\\x{10010}]",
	"é",
	"ß",
	"中",
	"😀",
	"{",
	"}",
	"]",
	"\\pL",
	"\\PN",
	"\\p{Greek}",
	"(?i)",
	"(?s)",
	"(?m)",
	"(?U)",
	"(?-i)",
	"",
];
const QUANTIFIERS = [
	..."*+?*+?",
	"*?",
	"+?",
	"??",
	"{0}",
	"{1}",
	"{2}",
	"{0,1}",
	"{1,3}",
	"{2,}",
	"{0,2}?",
	"{3}?",
];
const GROUPS = ["(", "(", "(?:", "(?:", "(?i:", "(?s:", "(?m:", "(?U:", "(?is-m:"];

const loops = fc.letrec<{ pattern: string; item: string; atom: string }>((tie) => ({
	pattern: fc
		.array(
			fc.array(tie("item"), { minLength: 1, maxLength: 3 }).map((items) => items.join("")),
			{ minLength: 1, maxLength: 2, size: "small" },
		)
		.map((parts) => parts.join("|")),
	item: fc
		.tuple(
			tie("atom"),
			fc.constantFrom("*", "*", "+", "?", "*?", "{2}", "{0,9}", "{12}", "{3,20}?", "", "", ""),
		)
		.map(([atom, sign]) => atom + sign),
	atom: fc.oneof(
		{ maxDepth: 2, depthIdentifier: "loop", depthSize: "medium" },
		fc.constantFrom(..."aabc.", "[ab]", "[bc]", "[^a]", "[^b]", "\\b", "$", "(?m:$)"),
		fc.tuple(fc.constantFrom("(", "(?:"), tie("pattern")).map(([open, body]) => `${open}${body})`),
	),
})).pattern;

/**
 * Loops over and beside each other: what makes searches long. Over `a`, `b`, `c` and the newline; most go on
 * with what no text has, so that everything is tried.
 */
export const loopyPatterns: fc.Arbitrary<string> = fc.oneof(
	loops,
	loops.map((source) => `(?:${source})!`),
	loops.map((source) => `^(?:${source})!`),
	loops.map((source) => `(?:${source})$!`),
);

/** A few characters over and over, and others behind them: such texts keep loops busy. */
export const loopyTexts = fc
	.tuple(
		fc.string({ unit: fc.constantFrom(..."aaabbc\n"), minLength: 1, maxLength: 3 }),
		fc.nat(100),
		fc.string({ unit: fc.constantFrom(..."abc"), maxLength: 3 }),
	)
	.map(([part, count, end]) => part.repeat(count).slice(0, 100) + end);

/** Valid, but for a named group that comes twice and the like, which RE2 refuses. */
export const patterns: fc.Arbitrary<string> = fc.letrec<{
	pattern: string;
	sequence: string;
	item: string;
	atom: string;
	group: string;
}>((tie) => ({
	pattern: fc
		.array(tie("sequence"), { minLength: 1, maxLength: 3 })
		.map((parts) => parts.join("|")),
	sequence: fc.array(tie("item"), { maxLength: 4 }).map((parts) => parts.join("")),
	item: fc.oneof(
		tie("atom"),
		fc.tuple(tie("atom"), fc.constantFrom(...QUANTIFIERS)).map(([atom, sign]) => atom + sign),
		fc.tuple(tie("group"), fc.constantFrom(...QUANTIFIERS, "")).map(([atom, sign]) => atom + sign),
	),
	atom: fc.constantFrom(...ATOMS),
	group: fc.oneof(
		{ maxDepth: 3, depthIdentifier: "group" },
		tie("atom"),
		fc.tuple(fc.constantFrom(...GROUPS), tie("pattern")).map(([open, body]) => `${open}${body})`),
		fc
			.tuple(fc.constantFrom("x", "y"), tie("pattern"))
			.map(([name, body]) => `(?P<${name}>${body})`),
	),
})).pattern;
