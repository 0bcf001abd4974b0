// Fuzzes the parser of upstream responses with libFuzzer, under the address and undefined-behaviour
// sanitizers. Called by `npm run fuzz:native [-- seconds]`, 60 if none are given. Reads the corpus in
// native/fuzz/corpus; new inputs and crashes go to build/fuzz, from where what is worth keeping is
// merged by hand (`response_parser_fuzz -merge=1`). CLANGXX names another compiler than clang++.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const SECONDS = 60;
const TARGET = "response_parser";

const root = join(import.meta.dirname, "..");
const native = join(root, "native");
const out = join(root, "build", "fuzz");
const compiler = process.env.CLANGXX ?? "clang++";
const SANITIZE = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"];

/** @returns {never} */
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

function run(command, parameters) {
	const { status, error } = spawnSync(command, parameters, { cwd: root, stdio: "inherit" });
	if (error !== undefined) stop(`fuzzing needs ${command}: ${error.message}`);
	if (status !== 0) process.exit(status ?? 1);
}

const seconds = Number(process.argv[2] ?? SECONDS);
if (!Number.isInteger(seconds) || seconds < 1) stop(`not a number of seconds: ${process.argv[2]}`);
mkdirSync(join(out, TARGET), { recursive: true });
if (!fuzzes()) {
	stop(
		`Fuzzing needs clang with libFuzzer and its sanitizers (Debian: clang, libclang-rt-dev), and ${compiler} is none.`,
	);
}
const program = join(out, `${TARGET}_fuzz`);
const sources = ["response_parser", "passed_lines", "chunked_decoder", "head_fields"];
run(compiler, [
	"-std=c++20",
	"-O1",
	"-g",
	"-Wall",
	"-Wextra",
	...SANITIZE,
	`-I${join(native, "src")}`,
	join(native, "fuzz", `${TARGET}_fuzz.cc`),
	...sources.map((name) => join(native, "src", "upstream", `${name}.cc`)),
	"-o",
	program,
]);
const dictionary = join(native, "fuzz", `${TARGET}.dict`);
run(program, [
	`-max_total_time=${seconds}`,
	"-max_len=1024",
	"-timeout=10",
	"-print_final_stats=1",
	...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
	`-artifact_prefix=${out}/`,
	join(out, TARGET),
	join(native, "fuzz", "corpus", TARGET),
]);
