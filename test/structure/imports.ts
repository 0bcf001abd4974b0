/**
 * Reads what a source file imports, for the structure test. Statements are found at the start of a line
 * and with double quotes, which the formatter guarantees; comments are blanked first, so that words
 * about imports are none.
 */
import { posix } from "node:path";

/** One file of src/, path relative to it: `edge/routing/route-table.ts`. */
export interface Source {
	readonly path: string;
	readonly text: string;
}

/** Comments become blanks; lines stay where they are. Strings are left alone, quotes in patterns too. */
export function withoutComments(text: string): string {
	const blank = (comment: string) => comment.replace(/[^\n]/g, " ");
	return text
		.replace(/^[\t ]*\/\*[\s\S]*?\*\//gm, blank)
		.replace(/^[\t ]*\/\/.*$/gm, blank)
		.replace(/[;,{}()\]]\s+\/\/ .*$/gm, blank);
}

const STATEMENTS = [
	// import … from "x", export … from "x"; the clause holds no quote and no semicolon
	/^(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"/gm,
	/^import\s+"([^"]+)"/gm,
	// also the type form, typeof import("x")
	/\bimport\(\s*"([^"]+)"\s*\)/g,
	/\brequire\(\s*"([^"]+)"\s*\)/g,
	/\brequire\.resolve\(\s*"([^"]+)"\s*\)/g,
];

/** All specifiers that a file imports in any form, in no order, each once. */
export function specifiers(text: string): string[] {
	const code = withoutComments(text);
	const found = STATEMENTS.flatMap((statement) =>
		[...code.matchAll(statement)].map((match) => match[1] ?? ""),
	);
	return [...new Set(found)];
}

/** Dynamic imports whose target is not a literal: nothing could check them. */
export function computedImports(text: string): number {
	return [...withoutComments(text).matchAll(/\bimport\(\s*[^"\s)]/g)].length;
}

/** `src`-relative path that a relative specifier leads to, or undefined for a package. */
export function resolveRelative(from: string, specifier: string): string | undefined {
	if (!specifier.startsWith(".")) return undefined;
	return posix.normalize(posix.join(posix.dirname(from), specifier));
}

/** The package that a bare specifier belongs to: `a/b` is of `a`, `@a/b/c` of `@a/b`. */
export function packageOf(specifier: string): string {
	const parts = specifier.split("/");
	return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}
