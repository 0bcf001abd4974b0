// Fuzzes what reads bytes of others with libFuzzer, under the address and undefined-behaviour sanitizers:
// the parser of upstream responses, and the readers of requests and of PROXY protocol frames. Called by `npm run
// fuzz:native [-- seconds [target]]`, 60 for each if none are given. Reads the corpora in
// native/fuzz/corpus; new inputs and crashes go to build/fuzz, from where what is worth keeping is
// merged by hand (`response_parser_fuzz -merge=1`). CLANGXX names another compiler than clang++.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const SECONDS = 60;
/** sources in native/src */
/** @type {Readonly<Record<string, string[]>>} */
const TARGETS = {
	response_parser: [
		"upstream/response_parser.cc",
		"upstream/passed_lines.cc",
		"http/chunked_decoder.cc",
		"upstream/head_fields.cc",
	],
	proxy_frame: ["front/proxy_frame.cc"],
	request_reader: ["front/request_head.cc", "front/request_reader.cc", "http/chunked_decoder.cc"],
};

const root = join(import.meta.dirname, "..");
const native = join(root, "native");
const out = join(root, "build", "fuzz");
const compiler = process.env.CLANGXX ?? "clang++";
const SANITIZE = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"];

/** @param {string} message @returns {never} */
function stop(message) {
	console.error(message);
	process.exit(1);
}

/** Whether the compiler is there and can link libFuzzer. */
function fuzzes() {
	const empty =
		'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }';
	const options = [...SANITIZE, "-x", "c++", "-", "-o", join(out, "probe")];
	return (
		spawnSync(compiler, options, { input: empty, stdio: ["pipe", "ignore", "ignore"] }).status === 0
	);
}

/** @param {string} command @param {string[]} parameters */
function run(command, parameters) {
	const { status, error } = spawnSync(command, parameters, { cwd: root, stdio: "inherit" });
	if (error !== undefined) stop(`fuzzing needs ${command}: ${error.message}`);
	if (status !== 0) process.exit(status ?? 1);
}

const seconds = Number(process.argv[2] ?? SECONDS);
if (!Number.isInteger(seconds) || seconds < 1) stop(`not a number of seconds: ${process.argv[2]}`);
const wanted = process.argv[3];
if (wanted !== undefined && !Object.hasOwn(TARGETS, wanted)) {
	stop(`unknown target ${wanted}; there are ${Object.keys(TARGETS).join(", ")}`);
}
mkdirSync(out, { recursive: true });
if (!fuzzes()) {
	stop(
		`Fuzzing needs clang with libFuzzer and its sanitizers (Debian: clang, libclang-rt-dev), and ${compiler} is none.`,
	);
}
for (const target of wanted === undefined ? Object.keys(TARGETS) : [wanted]) fuzz(target);

/** @param {string} target */
function fuzz(target) {
	mkdirSync(join(out, target), { recursive: true });
	const program = join(out, `${target}_fuzz`);
	run(compiler, [
		"-std=c++20",
		"-O1",
		"-g",
		"-Wall",
		"-Wextra",
		...SANITIZE,
		`-I${join(native, "src")}`,
		join(native, "fuzz", `${target}_fuzz.cc`),
		...(TARGETS[target] ?? []).map((source) => join(native, "src", source)),
		"-o",
		program,
	]);
	const dictionary = join(native, "fuzz", `${target}.dict`);
	run(program, [
		`-max_total_time=${seconds}`,
		"-max_len=1024",
		"-timeout=10",
		"-print_final_stats=1",
		...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
		`-artifact_prefix=${out}/`,
		join(out, target),
		join(native, "fuzz", "corpus", target),
	]);
}
