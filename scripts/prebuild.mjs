// Builds the addons that the package brings along, for each of the targets that a compiler is here for.
// Called by npm before it makes a package, and by hand with `--check`, which builds everything a second time
// from a copy of the sources in another folder and fails where a byte differs. Without a compiler for a
// target the package is made all the same: there, installing it compiles.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, stamp, stop } from "./addon/addon-file.mjs";
import { folder, keep, TARGETS } from "./addon/prebuilt.mjs";

const require = createRequire(import.meta.url);
const headers = [
	require("node-api-headers").include_dir,
	dirname(require.resolve("node-addon-api/package.json")),
];

/** @param {string} command @param {string[]} parameters @returns {string} */
function run(command, parameters) {
	const result = spawnSync(command, parameters, { encoding: "utf8" });
	if (result.status === 0) return result.stdout;
	process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
	return stop(`${command} failed; its messages are above.`);
}

/**
 * @param {string} source
 * @param {string} out
 * @param {typeof TARGETS[number]} target
 * @returns {string} the built file, below `out`
 */
function build(source, out, { toolchain, processor }) {
	const compiler = `${toolchain}-g++`;
	// No folder of this machine gets into the file.
	const maps = [source, out, ...headers].map((path, at) => `-ffile-prefix-map=${path}=/weir/${at}`);
	run("cmake", [
		...["-S", source, "-B", out, "-DCMAKE_BUILD_TYPE=Release"],
		...["-DCMAKE_SYSTEM_NAME=Linux", `-DCMAKE_SYSTEM_PROCESSOR=${processor}`],
		`-DCMAKE_CXX_COMPILER=${compiler}`,
		`-DCMAKE_CXX_FLAGS=${maps.join(" ")}`,
		// What a machine lacks shows when the file is loaded, not at some later call.
		"-DCMAKE_MODULE_LINKER_FLAGS=-s -Wl,-z,now",
		`-DCMAKE_JS_INC=${headers.join(";")}`,
	]);
	run("cmake", ["--build", out, "--parallel", "2"]);
	return join(out, "weir.node");
}

/** @param {typeof TARGETS[number]} target */
const hasCompiler = ({ toolchain }) =>
	spawnSync(`${toolchain}-g++`, ["--version"], { stdio: "ignore" }).status === 0 &&
	spawnSync("cmake", ["--version"], { stdio: "ignore" }).status === 0;

const check = process.argv.includes("--check");
const scratch = mkdtempSync(join(tmpdir(), "weir-prebuild-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

rmSync(folder, { recursive: true, force: true });
for (const target of TARGETS) {
	const name = `${target.platform}-${target.arch}`;
	if (process.platform !== "linux" || !hasCompiler(target)) {
		console.log(`no prebuilt addon for ${name}: ${target.toolchain}-g++ or cmake is missing`);
		continue;
	}
	const file = build(join(root, "native"), join(scratch, name), target);
	const kept = keep(file, target, stamp(target.platform, target.arch));
	console.log(`prebuilt addon for ${name}: ${readFileSync(kept).length} bytes`);
	if (!check) continue;
	const copy = join(scratch, "elsewhere", "native");
	cpSync(join(root, "native"), copy, { recursive: true });
	const again = build(copy, join(scratch, "elsewhere", name), target);
	if (!readFileSync(again).equals(readFileSync(kept))) stop(`two builds for ${name} differ.`);
	console.log(`two builds for ${name} are the same`);
}
