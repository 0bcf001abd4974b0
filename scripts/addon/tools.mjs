// What a machine has to compile C++ with, and the sentences that say what it lacks. Called by compile.mjs.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { delimiter, dirname, join } from "node:path";

export const NEEDED =
	"the native addon needs a C++20 compiler (GCC 10 or Clang 10 and up), make, and CMake 3.15 or Python 3: " +
	"install them with `apt-get install g++ make cmake` (Debian, Ubuntu), " +
	"`dnf install gcc-c++ make cmake` (Fedora), `apk add g++ make cmake` (Alpine) or " +
	"`xcode-select --install` and `brew install cmake` (macOS), then run `npm install` again.";

export const NO_HEADERS =
	"CMake is missing, and node-gyp needs the headers of the running Node, which are not at PREFIX/include/node: " +
	"install CMake, or the headers (`apt-get install libnode-dev`, `dnf install nodejs-devel`, " +
	"`apk add nodejs-dev`), or name their prefix in the environment as npm_config_nodedir.";

/**
 * True if the command runs and answers this question with success.
 * @param {string} command
 * @param {string[]} parameters
 */
export function works(command, parameters, input = "") {
	const result = spawnSync(command, parameters, { input, stdio: ["pipe", "ignore", "ignore"] });
	return result.status === 0;
}

/** The build tools take the compiler from CXX, else c++, g++ or clang++; compiling tells if one does. */
export function hasCompiler() {
	const fromEnvironment = process.env.CXX?.trim().split(/\s+/);
	const candidates = fromEnvironment?.[0] ? [fromEnvironment] : [["c++"], ["g++"], ["clang++"]];
	const program = "#include <bit>\n#include <cstdint>\nint main() { return std::rotl(0u, 1); }\n";
	const parameters = ["-std=c++20", "-fsyntax-only", "-x", "c++", "-"];
	return candidates.some(([command = "c++", ...own]) =>
		works(command, [...own, ...parameters], program),
	);
}

export function hasCmake() {
	const result = spawnSync("cmake", ["--version"], { encoding: "utf8" });
	const [, major, minor] = /version (\d+)\.(\d+)/.exec(result.stdout ?? "") ?? [];
	return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 15);
}

export function hasPython() {
	const program = "import sys; sys.exit(sys.version_info < (3, 8))";
	const named = process.env.npm_config_python ?? process.env.PYTHON;
	return [named, "python3", "python"].some(
		(command) => command !== undefined && works(command, ["-c", program]),
	);
}

/** Directory whose include/node holds the headers of the running Node, or undefined. */
export function headersPrefix() {
	const own = dirname(dirname(fs.realpathSync(process.execPath)));
	const candidates = [process.env.npm_config_nodedir, own, "/usr", "/usr/local"];
	return candidates.find((prefix) => {
		if (!prefix) return false;
		const include = join(prefix, "include", "node");
		const isWhole = ["node_api.h", "node_version.h", "common.gypi"].every((name) =>
			fs.existsSync(join(include, name)),
		);
		if (!isWhole) return false;
		const version = fs.readFileSync(join(include, "node_version.h"), "utf8");
		const major = /#define NODE_MAJOR_VERSION (\d+)/.exec(version)?.[1];
		return major === process.versions.node.split(".")[0];
	});
}

/** npm names its own node-gyp to the scripts it runs; outside npm it is found next to npm. */
export function nodeGyp() {
	const places = [process.env.npm_config_node_gyp];
	for (const directory of (process.env.PATH ?? "").split(delimiter)) {
		const npm = join(directory, "npm");
		if (!fs.existsSync(npm)) continue;
		// …/lib/node_modules/npm/bin/npm-cli.js
		const home = dirname(dirname(fs.realpathSync(npm)));
		places.push(join(home, "node_modules", "node-gyp", "bin", "node-gyp.js"));
	}
	return places.find((place) => place !== undefined && fs.existsSync(place));
}
