/**
 * What files export and who imports it, for the rule that an export of `src` has a user in `src`: what only tests or
 * nobody wants is dead weight in the product.
 */
import { resolveRelative, type Source, withoutComments } from "./imports.ts";

const DECLARED =
	/^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;

/** `a`, `type a`, `a as b`: the name before or behind `as`. */
const names = (list: string, behind: boolean): string[] =>
	list
		.split(",")
		.map((one) => one.trim().replace(/^type /, ""))
		.filter((one) => one !== "")
		.map((one) => (behind ? one.replace(/^.* as /, "") : one.replace(/ as .*$/, "")));

/** Names that a file exports. */
export function exportsOf(text: string): string[] {
	const code = withoutComments(text);
	const declared = [...code.matchAll(DECLARED)].map(([, name = ""]) => name);
	const listed = [...code.matchAll(LISTED)].flatMap(([, list = ""]) => names(list, true));
	return [...declared, ...listed];
}

const CLAUSES = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/gm;
const WHOLE = /^(?:import|export)\s+(?:type\s+)?\*[^"';]*?from\s+"([^"]+)"/gm;
const LATER = /\{([^{}]*)\}\s*=\s*await import\(\s*"([^"]+)"\s*\)/g;
const LATER_MEMBER = /await import\(\s*"([^"]+)"\s*\)\s*\)\s*\.(\w+)/g;
const OF_TYPE = /\bimport\(\s*"([^"]+)"\s*\)\.(\w+)/g;

/** `path#name` of everything that a file imports by its name; `path#*` of a whole file. */
export function importedNames({ path, text }: Source): string[] {
	const code = withoutComments(text);
	const at = (specifier: string, name: string): string[] => {
		const target = resolveRelative(path, specifier);
		return target === undefined ? [] : [`${target}#${name}`];
	};
	return [
		...[...code.matchAll(CLAUSES), ...code.matchAll(LATER)].flatMap(([, list = "", from = ""]) =>
			names(list.replaceAll(":", " as "), false).flatMap((name) => at(from, name.trim())),
		),
		...[...code.matchAll(LATER_MEMBER), ...code.matchAll(OF_TYPE)].flatMap(
			([, from = "", name = ""]) => at(from, name),
		),
		...[...code.matchAll(WHOLE)].flatMap(([, from = ""]) => at(from, "*")),
	];
}

interface Export {
	readonly path: string;
	readonly name: string;
	/** in its own file, besides where it is declared */
	readonly ownUses: number;
	readonly isType: boolean;
}

function unimported({ path, text }: Source, imported: ReadonlySet<string>): Export[] {
	if (imported.has(`${path}#*`)) return [];
	const code = withoutComments(text);
	return exportsOf(text)
		.filter((name) => !imported.has(`${path}#${name}`))
		.map((name) => ({
			path,
			name,
			ownUses: code.split(new RegExp(`\\b${name}\\b`)).length - 2,
			isType: new RegExp(`^export (?:interface|type) ${name}\\b`, "m").test(code),
		}));
}

/**
 * Exports without a user in `src`: nobody in any file of it needs what is exported, or only its own file does and no
 * test wants to see it either. A type may stay without importer: it names what a function takes or gives.
 * @param others tests, benches, scripts, with paths as in `importedNames`, resolved to those of `sources`
 * @param excused `path#name` → the reason
 */
export function exportComplaints(
	sources: readonly Source[],
	others: readonly string[],
	excused: Readonly<Record<string, string>>,
): string[] {
	const imported = new Set(sources.flatMap(importedNames));
	const seen = new Set(others);
	const found = sources.flatMap((source) => unimported(source, imported));
	const useless = found.filter(({ ownUses }) => ownUses === 0);
	const needless = found.filter(
		({ path, name, ownUses, isType }) => ownUses > 0 && !isType && !seen.has(`${path}#${name}`),
	);
	const key = ({ path, name }: Export): string => `${path}#${name}`;
	const excuses = Object.keys(excused);
	const open = (one: Export): boolean => !excuses.includes(key(one));
	return [
		...useless.filter(open).map((one) => `${key(one)} has no user in src`),
		...needless.filter(open).map((one) => `${key(one)} is exported, and only its file uses it`),
		...excuses
			.filter((excuse) => ![...useless, ...needless].some((one) => key(one) === excuse))
			.map((excuse) => `${excuse} needs no excuse any more`),
	];
}
