// Builds and runs the C++ tests: plain, under the address and undefined-behaviour sanitizers, and those that have
// threads under the thread sanitizer. Called by `npm run test:native [-- plain|address|thread …]` and .ci/run.
// Its last line is `N passed, N failed`, counted in test programs over all variants.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { threadedTests } from "./native/threaded-tests.mjs";

const root = join(import.meta.dirname, "..");
/** @type {Readonly<Record<string, string>>} */
const SANITIZERS = { plain: "", address: "address", thread: "thread" };

/** Runs to the end; standard output is shown and returned. @param {string} command @param {string[]} parameters */
function run(command, parameters, directory = root) {
	const result = spawnSync(command, parameters, {
		cwd: directory,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "inherit"],
	});
	if (result.error !== undefined) {
		console.error(`native tests need ${command}: ${result.error.message}`);
		return { passed: false, output: "" };
	}
	if (result.status !== 0) process.stdout.write(result.stdout);
	return { passed: result.status === 0, output: result.stdout };
}

/**
 * The thread sanitizer's shadow memory is laid out for the address randomisation of older kernels; on
 * newer ones its programs die at once ("unexpected memory mapping") unless it is switched off.
 * @param {string[]} command
 */
function withoutRandomisation(command) {
	const probe = spawnSync("setarch", ["-R", "true"], { stdio: "ignore" });
	return probe.status === 0 ? ["setarch", "-R", ...command] : command;
}

/** @param {string} name @returns {{passed: number, failed: number}} test programs; one failure if it does not even build */
function variant(name) {
	const directory = join("build", `native-${name}`);
	const definitions = [
		"-DCMAKE_BUILD_TYPE=RelWithDebInfo",
		// The tests keep their asserts; lines are what a sanitizer tells of a stack, and all of -g takes a fifth longer.
		"-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1",
		`-DWEIR_SANITIZE=${SANITIZERS[name]}`,
	];
	/** @type {string[]} none: all */
	const tests = name === "thread" ? threadedTests(join(root, "native")) : [];
	const targets = tests.length > 0 ? ["--target", ...tests] : [];
	const chosen = tests.length > 0 ? ["--tests-regex", `^(${tests.join("|")})$`] : [];
	const built =
		run("cmake", ["-S", "native", "-B", directory, ...definitions]).passed &&
		run("cmake", ["--build", directory, "--parallel", "2", ...targets]).passed;
	if (!built) return { passed: 0, failed: 1 };
	// A test that wants both cores for itself says so in CMakeLists.txt.
	const ctest = ["ctest", "--output-on-failure", "--parallel", "2", ...chosen];
	const [command = "ctest", ...parameters] =
		name === "thread" ? withoutRandomisation(ctest) : ctest;
	const { passed, output } = run(command, parameters, join(root, directory));
	const summary = /(\d+) tests? failed out of (\d+)/.exec(output);
	if (summary === null) return { passed: 0, failed: 1 };
	const failed = Number(summary[1]);
	if (!passed && failed === 0) return { passed: 0, failed: 1 };
	return { passed: Number(summary[2]) - failed, failed };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(SANITIZERS, name));
if (unknown.length > 0) {
	console.error(
		`unknown variant ${unknown.join(", ")}; there are ${Object.keys(SANITIZERS).join(", ")}`,
	);
	process.exit(2);
}
const total = { passed: 0, failed: 0 };
for (const name of wanted.length > 0 ? wanted : Object.keys(SANITIZERS)) {
	const { passed, failed } = variant(name);
	console.log(`${name}: ${passed} passed, ${failed} failed`);
	total.passed += passed;
	total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
