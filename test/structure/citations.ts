/**
 * What comments cite must be there: sections of the project's papers, files, and the files that are said to use
 * another one. Functions from files to complaints, as in `rules.ts`; all paths are relative to the project's root.
 */
import { posix } from "node:path";
import { type Comment, commentsOf } from "./comments.ts";
import { resolveRelative, type Source, specifiers, withoutComments } from "./imports.ts";

/** Names with an extension of ours; and paths without one, which count if they begin with a folder of ours. */
const FILE_NAME = /(?<![\w./<@*-])((?:[\w-]+\/|\.\.?\/)*[\w.-]*\w\.(?:ts|mjs|cc|md))(?![\w/*])/g;
const HEADER_NAME = /(?<![\w./<@*-])((?:[\w-]+\/|\.\.?\/)*[a-z][\w-]*\.h)(?![\w/*.])/g;
const PATH = /(?<![\w./<@*:-])([a-z]+(?:\/[\w-]+)+)(?![\w/*-]|\.[a-z])/g;

/** Where the paths that comments name may begin. */
const BASES = [".", "src", "native", "native/src", "test"];

const where = ({ path, line }: Comment): string => `${path}:${line}`;

/** The files of the project, asked for as comments name them. */
export class Tree {
	readonly #paths: ReadonlySet<string>;
	readonly #folders = new Set<string>();

	constructor(paths: readonly string[]) {
		this.#paths = new Set(paths);
		for (const path of paths)
			for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder))
				this.#folders.add(folder);
	}

	/**
	 * The file that `name` means in a comment of `from`: beside it, in its room, or with a path that begins at the
	 * room, at `src`, or at a folder of the project. A name alone means any file of the room, if it is the only one.
	 * A paper may name the end of a path, as its sentences tell which folder they are about.
	 */
	find(name: string, from: string): string | undefined {
		const rooms = roomsOf(from);
		const bases = [posix.dirname(from), ...rooms, ...BASES];
		for (const base of bases) {
			const path = posix.normalize(posix.join(base, name));
			if (this.#paths.has(path)) return path;
		}
		if (from.endsWith(".md")) return this.#endingIn(name, rooms);
		if (name.includes("/")) return undefined;
		for (const room of rooms) {
			const found = [...this.#paths].filter(
				(path) => path.startsWith(`${room}/`) && posix.basename(path) === name,
			);
			if (found.length === 1) return found[0];
		}
		return undefined;
	}

	#endingIn(name: string, rooms: readonly string[]): string | undefined {
		return [...this.#paths].find(
			(path) =>
				path.endsWith(`/${name}`) &&
				rooms.some((room) => room === "" || path.startsWith(`${room}/`)),
		);
	}

	/** Whether a path without extension begins with a folder of ours and leads to no file and no folder. */
	isAstray(path: string): boolean {
		const top = path.slice(0, path.indexOf("/"));
		if (!BASES.some((base) => this.#folders.has(posix.join(base, top)))) return false;
		const ends = ["", ".ts", ".test.ts", ".mjs", ".cc", ".h", ".md"];
		const known = (end: string): boolean => this.#folders.has(end) || this.#paths.has(end);
		return !BASES.some((base) => ends.some((end) => known(posix.join(base, path + end))));
	}
}

/** The room of a file and, of a test, the room that it tests; of a room's paper, its tests. "" is the project. */
function roomsOf(path: string): string[] {
	const [top = "", second = "", third] = path.split("/");
	if (top === "native") return ["native/src", "native"];
	if (top !== "src" && top !== "test") return [path.endsWith(".md") ? "" : top];
	const room = third === undefined ? "" : `/${second}`;
	const inBoth = top === "test" || path.endsWith(".md");
	return inBoth ? [`${top}${room}`, top === "src" ? `test${room}` : `src${room}`] : [`src${room}`];
}

/**
 * Names of files that are not there.
 * @param foreign files of libraries that comments may name
 */
export function fileNameComplaints(
	files: readonly Source[],
	tree: Tree,
	foreign: readonly string[] = [],
): string[] {
	return files.flatMap(commentsOf).flatMap((comment) => {
		const named = [...comment.text.matchAll(FILE_NAME), ...comment.text.matchAll(HEADER_NAME)];
		const paths = [...comment.text.matchAll(PATH)].map(([, path = ""]) => path);
		return [
			...named
				.map(([, name = ""]) => name)
				.filter((name) => !foreign.includes(name) && tree.find(name, comment.path) === undefined),
			...paths.filter((path) => tree.isAstray(path)),
		].map((name) => `${where(comment)} names ${name}, which is not there`);
	});
}

/** Reasons for excuses that name files or folders which are not there. @param excused what → the reason */
export function reasonComplaints(excused: Readonly<Record<string, string>>, tree: Tree): string[] {
	return Object.entries(excused).flatMap(([what, reason]) =>
		[...reason.matchAll(PATH)]
			.map(([, path = ""]) => path)
			.filter((path) => tree.isAstray(path))
			.map((path) => `the excuse of ${what} names ${path}, which is not there`),
	);
}

const NAME = "`?[\\w./-]+\\.(?:ts|mjs|cc|h)`?";
const USERS = new RegExp(
	`\\b(?:called|used|made)(?: only)? by (${NAME}(?:(?:,| and|, and| or) ${NAME})*)`,
	"gi",
);

/** Files that are said to use another one, and neither import it nor a file that passes it on. */
export function userComplaints(files: readonly Source[], tree: Tree): string[] {
	const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
	const passedOn = new Map(
		files.map((file) => [
			file.path,
			file.path.endsWith(".h") ? importsOf(file) : reexportsOf(file),
		]),
	);
	const headers = new Set(files.map(({ path }) => path).filter((path) => path.endsWith(".h")));
	const uses = (user: string, used: string): boolean => {
		const unit = [user, headerOf(user, headers) ?? user];
		const wanted = [used, headerOf(used, headers) ?? used];
		if (unit.includes(wanted[1] ?? used)) return true;
		const imported = unit.flatMap((path) => [...(imports.get(path) ?? [])]);
		// The way from TypeScript to C++.
		if (used.startsWith("native/") && imported.includes("src/native-addon.ts")) return true;
		return imported.some((path) => wanted.includes(path) || passedOn.get(path)?.has(used) === true);
	};
	return files.flatMap(commentsOf).flatMap((comment) =>
		[...comment.text.matchAll(USERS)]
			.flatMap(([, list = ""]) => list.split(/,? (?:and |or )?/))
			.map((name) => name.replaceAll("`", ""))
			.flatMap((name) => {
				const user = tree.find(name, comment.path);
				// A name that means nothing is the other rule's.
				if (user === undefined || uses(user, comment.path)) return [];
				return [`${where(comment)} is not used by ${name}`];
			}),
	);
}

/** The header that a C++ source belongs to: of its own name, or of the beginning of its name. */
function headerOf(path: string, headers: ReadonlySet<string>): string | undefined {
	if (!path.endsWith(".cc")) return undefined;
	for (let stem = path.slice(0, -3); ; stem = stem.slice(0, stem.lastIndexOf("_"))) {
		if (headers.has(`${stem}.h`)) return `${stem}.h`;
		if (!posix.basename(stem).includes("_")) return undefined;
	}
}

function importsOf({ path, text }: Source): Set<string> {
	const included = [...text.matchAll(/^#include "([^"]+)"/gm)].map(([, name = ""]) => name);
	const built = [...text.matchAll(/new URL\("(\.[^"]+)"/g)].map(([, name = ""]) => name);
	return new Set(
		[
			...[...specifiers(text), ...built].flatMap((specifier) => targetOf(path, specifier) ?? []),
			...included.flatMap((name) => [posix.join(posix.dirname(path), name), `native/src/${name}`]),
		].map((target) => posix.normalize(target)),
	);
}

/** What runs is compiled: `dist/main.js` is `src/main.ts`. */
const targetOf = (from: string, specifier: string): string | undefined =>
	(specifier.startsWith("#dist/")
		? specifier.replace("#dist/", "dist/")
		: resolveRelative(from, specifier)
	)
		?.replace(/^dist\//, "src/")
		.replace(/^(src\/.*)\.js$/, "$1.ts");

const REEXPORT = /^export\b[^"';]*?\bfrom\s+"([^"]+)"/gm;

function reexportsOf({ path, text }: Source): Set<string> {
	return new Set(
		[...withoutComments(text).matchAll(REEXPORT)].flatMap(
			([, specifier = ""]) => targetOf(path, specifier) ?? [],
		),
	);
}

/** The project's papers by path, as Markdown. */
export type Papers = ReadonlyMap<string, string>;

const CONTRACT = "docs/contract.md";
const CONTRACT_CITED = /\bcontract (\d+(?:\.\d+)*)((?:, \d+(?:\.\d+)*)*)(?:, "([^"]+)")?/g;
const PAPER_CITED = /(?<![\w./-])((?:[\w-]+\/)*[\w-]+\.md), "([^"]+)"/g;

/** Papers that are named without their file, or that the project does not have. */
const NO_FILE = /\b(?:spec(?:ification)? \d[\d.]*|design,? "[^"]+"|(?:design|README), "?\w+)/g;

const plain = (heading: string): string => heading.replace(/[`*]/g, "").toLowerCase();

interface Paper {
	readonly text: string;
	readonly names: ReadonlySet<string>;
	/** of headings that begin with one */
	readonly numbers: ReadonlySet<string>;
}

function paperOf(text: string): Paper {
	const names = new Set<string>();
	const numbers = new Set<string>();
	for (const [, number, name = ""] of text.matchAll(/^#+ (?:(\d+(?:\.\d+)*)\.? )?(.+)$/gm)) {
		names.add(plain(name));
		if (number !== undefined) numbers.add(number);
	}
	return { text: plain(text), names, numbers };
}

/**
 * What a paper does not have: a numbered section of the contract and words in quotes behind its number, which stand
 * somewhere in it; a heading in quotes behind the name of another paper.
 */
export function paperComplaints(files: readonly Source[], tree: Tree, papers: Papers): string[] {
	const headings = new Map([...papers].map(([path, text]) => [path, paperOf(text)]));
	const contract = headings.get(CONTRACT);
	return files.flatMap(commentsOf).flatMap((comment) => {
		const complaints: string[] = [];
		const complain = (what: string) => complaints.push(`${where(comment)} cites ${what}`);
		for (const [, first = "", more = "", heading] of comment.text.matchAll(CONTRACT_CITED)) {
			if (contract === undefined) complain(`${CONTRACT}, which is not there`);
			for (const number of [first, ...more.split(", ").slice(1)])
				if (contract?.numbers.has(number) === false) complain(`${CONTRACT} ${number}`);
			if (heading !== undefined && contract?.text.includes(plain(heading)) === false)
				complain(`${CONTRACT}, "${heading}"`);
		}
		for (const [citation] of comment.text.matchAll(NO_FILE)) complain(`${citation}, no file`);
		for (const [, name = "", heading = ""] of comment.text.matchAll(PAPER_CITED)) {
			const paper = headings.get(tree.find(name, comment.path) ?? name);
			if (paper?.names.has(plain(heading)) !== true) complain(`${name}, "${heading}"`);
		}
		return complaints;
	});
}
