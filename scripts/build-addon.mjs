// Builds native/ to build/weir.node, the place where src/native-addon.ts looks. Called by
// `npm install`. With CMake through cmake-js, else through node-gyp; both compile native/sources.txt
// and neither downloads anything. Where nothing changed since the last build, nothing is built.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const addon = join(root, "build", "weir.node");
const stampFile = join(root, "build", "weir.stamp");

const NEEDED =
	"the native addon needs a C++20 compiler (GCC 10 or Clang 10 and up), make, and CMake 3.15 or Python 3: " +
	"install them with `apt-get install g++ make cmake` (Debian, Ubuntu), " +
	"`dnf install gcc-c++ make cmake` (Fedora), `apk add g++ make cmake` (Alpine) or " +
	"`xcode-select --install` and `brew install cmake` (macOS), then run `npm install` again.";

const NO_HEADERS =
	"CMake is missing, and node-gyp needs the headers of the running Node, which are not at PREFIX/include/node: " +
	"install CMake, or the headers (`apt-get install libnode-dev`, `dnf install nodejs-devel`, " +
	"`apk add nodejs-dev`), or name their prefix in the environment as npm_config_nodedir.";

function stop(sentence) {
	console.error(`weir: ${sentence}`);
	process.exit(1);
}

/** Everything that the built file depends on; the same text means the same addon. */
function stamp() {
	const hash = createHash("sha256");
	const files = ["binding.gyp", "scripts/build-addon.mjs", "native/CMakeLists.txt"];
	files.push("native/package.json", "native/sources.txt");
	const sources = fs.readdirSync(join(root, "native", "src"), { recursive: true });
	for (const name of sources.sort()) {
		if (/\.(?:cc|h)$/.test(name)) files.push(`native/src/${name}`);
	}
	for (const file of files) {
		const content = fs.readFileSync(join(root, file));
		hash.update(`${file} ${content.length}\n`).update(content);
	}
	hash.update(`${process.platform} ${process.arch}`);
	for (const name of ["node-api-headers", "node-addon-api"]) {
		hash.update(` ${name} ${require(`${name}/package.json`).version}`);
	}
	return hash.digest("hex");
}

/** True if this Node can load the file; in a process of its own, since a bad addon may crash it. */
function loads(file) {
	const program = "process.exit(typeof require(process.argv[1]).admit === 'function' ? 0 : 1)";
	const result = spawnSync(process.execPath, ["-e", program, file], { stdio: "ignore" });
	return result.status === 0;
}

function isUpToDate(wanted) {
	if (!fs.existsSync(stampFile) || !fs.existsSync(addon)) return false;
	// Loading it too finds a file built for another C library or damaged on its way here.
	return fs.readFileSync(stampFile, "utf8") === wanted && loads(addon);
}

/** True if the command runs and answers this question with success. */
function works(command, parameters, input = "") {
	const result = spawnSync(command, parameters, { input, stdio: ["pipe", "ignore", "ignore"] });
	return result.status === 0;
}

/** The build tools take the compiler from CXX, else c++, g++ or clang++; compiling tells if one does. */
function hasCompiler() {
	const fromEnvironment = process.env.CXX?.trim().split(/\s+/);
	const candidates = fromEnvironment?.[0] ? [fromEnvironment] : [["c++"], ["g++"], ["clang++"]];
	const program = "#include <bit>\n#include <cstdint>\nint main() { return std::rotl(0u, 1); }\n";
	const parameters = ["-std=c++20", "-fsyntax-only", "-x", "c++", "-"];
	return candidates.some(([command, ...own]) => works(command, [...own, ...parameters], program));
}

function hasCmake() {
	const result = spawnSync("cmake", ["--version"], { encoding: "utf8" });
	const [, major, minor] = /version (\d+)\.(\d+)/.exec(result.stdout ?? "") ?? [];
	return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 15);
}

function hasPython() {
	const program = "import sys; sys.exit(sys.version_info < (3, 8))";
	const named = process.env.npm_config_python ?? process.env.PYTHON;
	return [named, "python3", "python"].some(
		(command) => command !== undefined && works(command, ["-c", program]),
	);
}

/** Directory whose include/node holds the headers of the running Node, or undefined. */
function headersPrefix() {
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
function nodeGyp() {
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

/** Runs a Node script of a build tool; its output is shown only where it failed. */
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
	build(script, ["rebuild", "--directory", join(root, "native"), "--out", out]);
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
	build(script, ["configure", "build", "--release", `--nodedir=${prefix}`]);
	return out;
}

const wanted = stamp();
if (!isUpToDate(wanted)) {
	const hasMake = works("make", ["--version"]);
	const useCmake = hasCmake() && (hasMake || works("ninja", ["--version"]));
	if (!hasCompiler() || !(useCmake || hasMake)) stop(NEEDED);
	const built = useCmake ? buildWithCmake() : buildWithGyp();
	if (!loads(built)) stop(`the native addon was built, but Node cannot load ${built}.`);
	// By rename: a server that runs now keeps the file that it has mapped.
	fs.rmSync(stampFile, { force: true });
	fs.copyFileSync(built, `${addon}.new`);
	fs.renameSync(`${addon}.new`, addon);
	fs.writeFileSync(stampFile, wanted);
	console.log(`weir: native addon built with ${useCmake ? "CMake" : "node-gyp"}`);
}
