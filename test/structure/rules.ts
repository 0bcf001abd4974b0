/**
 * The house rules as functions from files to complaints, so that they can be shown to complain.
 * `structure.test.ts` applies them to the project, `structure/rules.test.ts` to made-up files.
 */
import {
	computedImports,
	packageOf,
	resolveRelative,
	type Source,
	specifiers,
	withoutComments,
} from "./imports.ts";

/** Lower ranks know nothing of higher ones, rooms of one rank nothing of each other. */
const RANKS: Readonly<Record<string, number>> = {
	limits: 0,
	"top level": 1,
	telemetry: 2,
	documents: 2,
	http: 3,
	cel: 4,
	policy: 5,
	limiter: 6,
	store: 6,
	threads: 6,
	fleet: 7,
	upstream: 7,
	edge: 8,
	explain: 9,
	management: 10,
	replay: 10,
	process: 11,
	main: 12,
};

/** The two ends of weir know nothing of each other, although a room stands between them that knows one. */
const STRANGERS: Readonly<Record<string, string>> = { management: "edge" };

/** The room of a `src`-relative path; top-level files are one room, main.ts is its own. */
export function roomOf(path: string): string {
	if (path === "main.ts") return "main";
	return path.includes("/") ? (path.split("/")[0] ?? "") : "top level";
}

interface Edge {
	readonly from: string;
	readonly to: string;
}

function relativeImports(sources: readonly Source[]): Edge[] {
	return sources.flatMap(({ path, text }) =>
		specifiers(text).flatMap((specifier) => {
			const to = resolveRelative(path, specifier);
			return to === undefined ? [] : [{ from: path, to }];
		}),
	);
}

export function directionComplaints(sources: readonly Source[]): string[] {
	return relativeImports(sources).flatMap(({ from, to }) => {
		const [room, target] = [roomOf(from), roomOf(to)];
		if (room === target) return [];
		const [rank, targetRank] = [RANKS[room], RANKS[target]];
		if (to.startsWith("../")) return [`${from} imports ${to}, outside src`];
		if (rank === undefined) return [`${from} is in room ${room}, which has no rank`];
		if (targetRank === undefined) return [`${from} imports ${to}, whose room has no rank`];
		const mayKnow = targetRank < rank && STRANGERS[room] !== target;
		return mayKnow ? [] : [`${from} (${room}) imports ${to} (${target})`];
	});
}

/** Rooms that reach themselves through others, each circle once per room on it. */
export function roomCycleComplaints(sources: readonly Source[]): string[] {
	const next = new Map<string, Set<string>>();
	for (const { from, to } of relativeImports(sources)) {
		const [room, target] = [roomOf(from), roomOf(to)];
		if (room !== target) next.set(room, (next.get(room) ?? new Set()).add(target));
	}
	const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
		[...(next.get(from) ?? [])].some((room) => {
			if (room === goal) return true;
			if (seen.has(room)) return false;
			seen.add(room);
			return reaches(room, goal, seen);
		});
	return [...next.keys()]
		.filter((room) => reaches(room, room, new Set()))
		.map((room) => `room ${room} imports itself through others`);
}

/**
 * Files that reach themselves through what they import, for its types alone too: of all files that reach each other
 * one shortest way round.
 */
export function fileCircleComplaints(sources: readonly Source[]): string[] {
	const next = new Map<string, string[]>();
	for (const { from, to } of relativeImports(sources))
		next.set(from, [...(next.get(from) ?? []), to]);
	const complaints: string[] = [];
	const known = new Set<string>();
	for (const { path } of sources.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
		const circle = known.has(path) ? undefined : shortestCircle(path, next);
		if (circle === undefined) continue;
		complaints.push(`circle of files: ${circle.join(" → ")}`);
		const below = reachedFrom(path, next);
		for (const other of below) if (reachedFrom(other, next).has(path)) known.add(other);
	}
	return complaints;
}

type Imports = ReadonlyMap<string, readonly string[]>;

function shortestCircle(start: string, next: Imports): string[] | undefined {
	const ways = [[start]];
	const seen = new Set<string>();
	for (const way of ways)
		for (const target of next.get(way.at(-1) ?? "") ?? []) {
			if (target === start) return [...way, start];
			if (seen.has(target)) continue;
			seen.add(target);
			ways.push([...way, target]);
		}
	return undefined;
}

function reachedFrom(start: string, next: Imports): Set<string> {
	const reached = new Set<string>();
	const open = [start];
	for (let path = open.pop(); path !== undefined; path = open.pop())
		for (const target of next.get(path) ?? []) {
			if (reached.has(target)) continue;
			reached.add(target);
			open.push(target);
		}
	return reached;
}

/** Relative imports that lead to no file. */
export function missingTargetComplaints(sources: readonly Source[]): string[] {
	const known = new Set(sources.map(({ path }) => path));
	return relativeImports(sources)
		.filter(({ to }) => !to.startsWith("../") && !known.has(to))
		.map(({ from, to }) => `${from} imports ${to}, which is not there`);
}

/** Libraries that one file imports, so that another implementation replaces one file. */
const ONE_FILE_EACH = ["lmdb", "piscina", "uWebSockets.js", "undici", "pino", "maxmind", "re2js"];

/** The folder that alone knows the engine of fleets; others load it with a dynamic import, or know its types. */
const ENGINE_FOLDER = "fleet/log/nats/";
const ENGINE_IMPORT = /^(?:import|export)\s(?!type\b)[^;(]*?"[^"]*\blog\/nats\//m;

function engineComplaints({ path, text }: Source): string[] {
	if (path.startsWith(ENGINE_FOLDER)) return [];
	const isClient = specifiers(text).some((specifier) => specifier.startsWith("@nats-io/"));
	return [
		...(isClient ? [`${path} imports NATS' client, outside ${ENGINE_FOLDER}`] : []),
		...(ENGINE_IMPORT.test(withoutComments(text))
			? [`${path} imports ${ENGINE_FOLDER} where it is not known whether there is a fleet`]
			: []),
	];
}

export function libraryComplaints(sources: readonly Source[]): string[] {
	const complaints: string[] = [];
	for (const library of ONE_FILE_EACH) {
		const users = sources.filter(({ text }) =>
			specifiers(text).some((specifier) => packageOf(specifier) === library),
		);
		if (users.length > 1) {
			complaints.push(`${library} is imported by ${users.map(({ path }) => path).join(", ")}`);
		}
	}
	complaints.push(...sources.flatMap(engineComplaints));
	for (const { path, text } of sources) {
		const foreign = specifiers(text).some((specifier) => specifier.startsWith("@bufbuild/"));
		if (foreign) complaints.push(`${path} imports @bufbuild, which tests compare with`);
		const loadsAddon = /weir\.node|\bdlopen\(/.test(withoutComments(text));
		if (loadsAddon && path !== "native-addon.ts") complaints.push(`${path} loads the addon`);
		if (computedImports(text) > 0) complaints.push(`${path} imports a computed name`);
	}
	return complaints;
}

/** What a pure room may import of Node: nothing that does I/O, waits or knows the time. */
const PURE_ROOMS: Readonly<Record<string, readonly string[]>> = {
	cel: ["node:crypto", "node:v8"],
	policy: [],
};
const IMPURE_LIBRARIES = ["lmdb", "piscina", "uWebSockets.js", "undici", "pino", "maxmind"];
const IMPURE_CODE: readonly (readonly [RegExp, string])[] = [
	[/\bDate\.now\b|\bnew Date\(\)|\bperformance\b/, "reads a clock"],
	[/(?<![.\w"'])process\./, "uses process"],
	[/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\(/, "waits"],
	[/\bconsole\./, "writes to the console"],
];

export function purityComplaints(sources: readonly Source[]): string[] {
	return sources.flatMap(({ path, text }) => {
		const allowed = PURE_ROOMS[roomOf(path)];
		if (allowed === undefined) return [];
		const imported = specifiers(text).filter(
			(specifier) =>
				(specifier.startsWith("node:") && !allowed.includes(specifier)) ||
				IMPURE_LIBRARIES.includes(packageOf(specifier)),
		);
		const code = withoutComments(text);
		return [
			...imported.map((specifier) => `${path} imports ${specifier}`),
			...IMPURE_CODE.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${path} ${what}`),
		];
	});
}

/** Case of letters beyond ASCII: the language's functions, and patterns without case in Unicode's mode. */
const FOLDING: readonly (readonly [RegExp, string])[] = [
	[/\.to(?:Locale)?(?:Lower|Upper)Case\b/, "folds case beyond ASCII"],
	[/\/(?=[dgmsuvy]*i)(?=[dgimsy]*[uv])[dgimsuvy]+(?=[\s.,;)\]])/, "matches case beyond ASCII"],
];

/** Protocol text has ASCII case only. @param excused path, or its beginning and `*` → reason */
export function foldingComplaints(
	sources: readonly Source[],
	excused: Readonly<Record<string, string>>,
): string[] {
	const excuses = Object.keys(excused);
	const found = sources.flatMap(({ path, text }) => {
		const code = withoutComments(text);
		return FOLDING.filter(([pattern]) => pattern.test(code)).map(([, what]) => ({ path, what }));
	});
	const complaints = found.filter(({ path }) => !excuses.some((excuse) => covers(excuse, path)));
	const stale = excuses.filter((excuse) => !found.some(({ path }) => covers(excuse, path)));
	return [
		...complaints.map(({ path, what }) => `${path} ${what}`),
		...stale.map((excuse) => `${excuse} needs no excuse any more`),
	];
}

/** The comment that a file opens with, after its interpreter at most. */
const OPENING = /^(?:#!.*\n)?(\/\*[\s\S]*?\*\/|\/\/.*(?:\n\/\/.*)*)/;
const WORD = /\p{L}{2}/u;

/** Files must say what they are for before anything else, in words. */
export function openingComplaints(sources: readonly Source[]): string[] {
	return sources
		.filter(({ text }) => !WORD.test(OPENING.exec(text)?.[1] ?? ""))
		.map(({ path }) => `${path} does not open with a comment`);
}

/** Names that stand in none of the files; a comment about a name is no use of it. @param before what stands before each */
export function unusedNames(
	names: readonly string[],
	sources: readonly Source[],
	before = "",
): string[] {
	const code = sources.map(({ text }) => withoutComments(text)).join("\n");
	return names
		.map((name) => before + name)
		.filter((name) => !new RegExp(`(?<!\\w)${name.replaceAll(".", "\\.")}\\b`).test(code));
}

/** C++ files that include a header of Node-API, node-addon-api, Node or V8 outside the one folder that may. */
export function nodeApiComplaints(sources: readonly Source[], folder: string): string[] {
	const users = sources.filter(({ text }) =>
		/#include\s*[<"](?:js_native_api|napi|node|v8)/.test(text),
	);
	const complaints = users.filter(({ path }) => !path.startsWith(folder));
	if (users.length === 0) return [`nobody in ${folder} includes Node-API`];
	return complaints.map(({ path }) => `${path} includes Node-API`);
}

export function lengthComplaints(sources: readonly Source[], most: number): string[] {
	return sources.flatMap(({ path, text }) => {
		const lines = text.split("\n").length - 1;
		return lines > most ? [`${path} has ${lines} lines, more than ${most}`] : [];
	});
}

/** What only declares: interfaces, types in braces, other types, in this order. */
const DECLARATIONS = [
	/^(?:export )?interface\b[^{]*\{(?:\}|[\s\S]*?^\})/gm,
	/^(?:export )?type\b[^\n;]*\{\n[\s\S]*?^\}[^\n]*;$/gm,
	/^(?:export )?type\b[^;]*;/gm,
];
const LOGIC = /=>|^(?:export )?(?:async )?function\b|^(?:export )?(?:abstract )?class\b/m;

const covers = (excuse: string, path: string): boolean =>
	excuse.endsWith("*") ? path.startsWith(excuse.slice(0, -1)) : path === excuse;

/** Files with something to run; those that only declare types and constants need no test. */
export const hasLogic = (text: string): boolean =>
	LOGIC.test(DECLARATIONS.reduce((rest, type) => rest.replace(type, ""), withoutComments(text)));

/**
 * A file of src has a test at the same place in test, or a reason not to.
 * @param tests paths relative to test/ @param excused path, or its beginning and `*` → reason
 */
export function untestedComplaints(
	sources: readonly Source[],
	tests: readonly string[],
	excused: Readonly<Record<string, string>>,
): string[] {
	const known = new Set(tests);
	const untested = sources
		.filter(({ text }) => hasLogic(text))
		.map(({ path }) => path)
		.filter((path) => !known.has(path.replace(/\.ts$/, ".test.ts")));
	const excuses = Object.keys(excused);
	const missing = untested
		.filter((path) => !excuses.some((excuse) => covers(excuse, path)))
		.map((path) => `${path} has no test`);
	const stale = excuses
		.filter((excuse) => !untested.some((path) => covers(excuse, path)))
		.map((excuse) => `${excuse} needs no excuse any more`);
	return [...missing, ...stale];
}

/** Whether what was read as UTF-8 is text: binary files hold zeros, or bytes that are no UTF-8. */
export const isText = (text: string): boolean => !/[\0\ufffd]/.test(text);

/** @param words what no file may say, as patterns */
export function wordComplaints(files: readonly Source[], words: readonly RegExp[]): string[] {
	return files.flatMap(({ path, text }) =>
		words.flatMap((word) => {
			const found = word.exec(text);
			if (found === null) return [];
			const line = text.slice(0, found.index).split("\n").length;
			return [`${path}:${line} says "${found[0]}"`];
		}),
	);
}
