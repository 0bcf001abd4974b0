// Compiles native/ for this machine: with CMake through cmake-js, else through node-gyp. Both compile
// native/sources.txt, and neither downloads anything. Called by scripts/build-addon.mjs.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { root, stop } from "./addon-file.mjs";
import {
	hasCmake,
	hasCompiler,
	hasPython,
	headersPrefix,
	NEEDED,
	NO_HEADERS,
	nodeGyp,
	works,
} from "./tools.mjs";

const require = createRequire(import.meta.url);

/** One compiler takes up to 330 MiB (GCC 12, the largest of the sources in native/src/binding/). */
const BYTES_PER_COMPILER = 512 * 1024 * 1024;

/** Compilers at once, ≥ 1. Left to themselves make runs one, and ninja one a core whatever memory there is. */
function compilers() {
	// What a container may take where it may not take all; 0 or far beyond the machine's where nothing binds it.
	const granted = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
	const bytes = Math.min(totalmem(), granted);
	return Math.max(1, Math.min(availableParallelism(), Math.floor(bytes / BYTES_PER_COMPILER)));
}

/**
 * Runs a Node script of a build tool; its output is shown only where it failed.
 * @param {string} script
 * @param {string[]} parameters
 */
function build(script, parameters) {
	const result = spawnSync(process.execPath, [script, ...parameters], {
		cwd: root,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
		maxBuffer: 64 * 1024 * 1024,
	});
	if (result.status === 0) return;
	process.stderr.write(`${result.stdout}${result.stderr}`);
	stop("the native addon did not build; the compiler's messages are above.");
}

function buildWithCmake() {
	const script = join(dirname(require.resolve("cmake-js/package.json")), "bin", "cmake-js");
	const out = join(root, "build", "cmake");
	// native/package.json tells cmake-js that this is a Node-API addon: headers from node-api-headers,
	// and those of node-addon-api, which it looks for itself.
	const parameters = ["--directory", join(root, "native"), "--out", out];
	build(script, ["rebuild", ...parameters, "--parallel", `${compilers()}`]);
	return join(out, "Release", "weir.node");
}

function buildWithGyp() {
	if (!hasPython()) stop(NEEDED);
	const script = nodeGyp();
	if (script === undefined) {
		stop("neither CMake nor npm's node-gyp was found: install CMake, or run this through npm.");
	}
	const prefix = headersPrefix();
	if (prefix === undefined) {
		const own = dirname(dirname(fs.realpathSync(process.execPath)));
		stop(NO_HEADERS.replace("PREFIX", own));
	}
	const out = join(root, "build", "Release", "weir.node");
	fs.rmSync(out, { force: true });
	const parameters = ["--release", `--nodedir=${prefix}`, "--jobs", `${compilers()}`];
	build(script, ["configure", "build", ...parameters]);
	return out;
}

/** @returns {{file: string, tool: string}} */
export function compile() {
	const hasMake = works("make", ["--version"]);
	const useCmake = hasCmake() && (hasMake || works("ninja", ["--version"]));
	if (!hasCompiler() || !(useCmake || hasMake)) stop(NEEDED);
	return useCmake
		? { file: buildWithCmake(), tool: "CMake" }
		: { file: buildWithGyp(), tool: "node-gyp" };
}
