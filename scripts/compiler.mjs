// Finds what the build needs: the TypeScript compiler, and what the live page is made of and with. Called by
// scripts/build.mjs. They are development packages: where those were left out (`npm install --omit=dev` in a clone),
// these alone are installed in a temporary folder, in the versions and with the checksums of package-lock.json.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");

const FAILED =
	"weir: TypeScript and what else the build needs is not installed, since development packages were left out, and " +
	"could not be fetched: run `npm install` without --omit=dev, or where the registry can be reached.";

/** Besides them those that they need themselves. */
const NEEDED = [
	"typescript",
	"esbuild",
	"preact",
	...["autocomplete", "commands", "lang-json", "language", "lint", "state", "view"].map(
		(name) => `@codemirror/${name}`,
	),
	"@lezer/highlight",
	"@fontsource/ibm-plex-mono",
	"@fontsource/ibm-plex-sans",
];

/**
 * @typedef {{ version: string, dev?: boolean, dependencies?: object, optionalDependencies?: object }} Entry
 * @typedef {{ lockfileVersion: number, packages: Record<string, Entry> }} Lock
 */

/**
 * The place of a package for the one at `from`, as Node looks for it: the nearest node_modules first.
 * @param {Lock["packages"]} packages
 * @param {string} from
 * @param {string} name
 */
function placeOf(packages, from, name) {
	for (let at = from; ; ) {
		const place = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
		if (packages[place] !== undefined) return place;
		if (at === "") return undefined;
		at = at.slice(0, Math.max(at.lastIndexOf("/node_modules/"), 0));
	}
}

/**
 * The part of a lock file that installs some packages, and what they need.
 * @param {Lock} lock
 * @param {string[]} wanted
 */
function lockOf(lock, wanted) {
	/** @type {Set<string>} */
	const places = new Set();
	/** @param {string} from @param {string[]} names */
	const visit = (from, names) => {
		for (const each of names) {
			const place = placeOf(lock.packages, from, each);
			const entry = place && lock.packages[place];
			if (!entry || places.has(place)) continue;
			places.add(place);
			const { dependencies, optionalDependencies } = entry;
			visit(place, Object.keys({ ...dependencies, ...optionalDependencies }));
		}
	};
	visit("", wanted);
	const dependencies = Object.fromEntries(
		wanted.map((name) => [name, lock.packages[`node_modules/${name}`]?.version ?? ""]),
	);
	/** @type {Record<string, object>} */
	const packages = { "": { dependencies } };
	for (const place of [...places].sort()) {
		const { dev, ...entry } = lock.packages[place] ?? {};
		packages[place] = entry;
	}
	const { lockfileVersion } = lock;
	return { dependencies, lock: { lockfileVersion, requires: true, packages } };
}

/** @param {string} directory */
function install(directory) {
	const { dependencies, lock } = lockOf(
		JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")),
		NEEDED,
	);
	writeFileSync(join(directory, "package.json"), JSON.stringify({ dependencies }));
	writeFileSync(join(directory, "package-lock.json"), JSON.stringify(lock));
	// npm hands its own settings on to scripts; those that would change this installation are set again.
	const settings = ["--global=false", "--dry-run=false", "--ignore-scripts", "--include=optional"];
	const parameters = ["ci", "--prefix", directory, ...settings, "--no-audit", "--no-fund"];
	const npm = process.env.npm_execpath;
	const [command, first] =
		npm !== undefined && basename(npm) === "npm-cli.js" ? [process.execPath, [npm]] : ["npm", []];
	const result = spawnSync(command, [...first, ...parameters, "--loglevel=error"], {
		cwd: directory,
		stdio: ["ignore", "ignore", "inherit"],
	});
	return result.status === 0;
}

/**
 * @param {(tsc: string, modules: string, fetched: boolean) => Promise<void>} use gets the compiler's script and the
 *   node_modules that has the rest; fetched ones are alone: the types of development packages, which a check needs, are
 *   missing
 */
export async function withCompiler(use) {
	/** @param {string} modules */
	const script = (modules) => join(modules, "typescript", "bin", "tsc");
	const installed = createRequire(import.meta.url)
		.resolve.paths("typescript")
		?.find((path) => NEEDED.every((name) => existsSync(join(path, name, "package.json"))));
	if (installed !== undefined) return use(script(installed), installed, false);
	const directory = mkdtempSync(join(tmpdir(), "weir-compiler-"));
	try {
		if (!install(directory)) throw new Error(FAILED);
		const modules = join(directory, "node_modules");
		await use(script(modules), modules, true);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}
