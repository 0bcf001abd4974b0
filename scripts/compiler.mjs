// Finds the TypeScript compiler. Called by scripts/build.mjs. It is a development package: where those
// were left out (`npm install --omit=dev` in a clone), it alone is installed in a temporary folder, in the
// version and with the checksums of package-lock.json.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

const FAILED =
	"weir: TypeScript is not installed, since development packages were left out, and it could not be fetched " +
	"for the build: run `npm install` without --omit=dev, or where the registry can be reached.";

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
 * The part of a lock file that installs one package, and what that needs.
 * @param {Lock} lock
 * @param {string} name
 */
function lockOf(lock, name) {
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
	visit("", [name]);
	const version = lock.packages[`node_modules/${name}`]?.version ?? "";
	/** @type {Record<string, object>} */
	const packages = { "": { dependencies: { [name]: version } } };
	for (const place of [...places].sort()) {
		const { dev, ...entry } = lock.packages[place] ?? {};
		packages[place] = entry;
	}
	const { lockfileVersion } = lock;
	return { dependencies: { [name]: version }, lock: { lockfileVersion, requires: true, packages } };
}

/** @param {string} directory */
function install(directory) {
	const { dependencies, lock } = lockOf(
		JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")),
		"typescript",
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
 * @param {(tsc: string, fetched: boolean) => void} use gets the compiler's script; a fetched one is alone: the
 *   types of development packages, which a check needs, are missing
 */
export function withCompiler(use) {
	/** @param {NodeJS.Require} require */
	const script = (require) =>
		join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
	/** @type {string | undefined} */
	let installed;
	try {
		installed = script(createRequire(import.meta.url));
	} catch {
		// left out: fetched below
	}
	if (installed !== undefined) return use(installed, false);
	const directory = mkdtempSync(join(tmpdir(), "weir-compiler-"));
	try {
		if (!install(directory)) throw new Error(FAILED);
		use(script(createRequire(join(directory, "package.json"))), true);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}
