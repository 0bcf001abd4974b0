/** Words that CEL's grammar keeps for itself. Called by `member.ts`. */

const RESERVED: ReadonlySet<string> = new Set([
	"as",
	"break",
	"const",
	"continue",
	"else",
	"false",
	"for",
	"function",
	"if",
	"import",
	"in",
	"let",
	"loop",
	"namespace",
	"null",
	"package",
	"return",
	"true",
	"var",
	"void",
	"while",
]);

export const isReserved = (word: string): boolean => RESERVED.has(word);
