// Shows that tests can fail: each mutant of the counters' headers must be killed by at least one of the
// explorer's tests, each of the request reader and of guards by one of their own. Called by `npm run test:mutants [-- part of a name …]`. A mutant whose text is
// not found exactly once, which does not compile or whose tests do not end is a failure. Works on
// copies in a temporary folder. Its last line is `N passed, N failed`.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MUTANTS as COUNTERS } from "../native/test/explore/mutants.mjs";
import { MUTANTS as GUARDS } from "../native/test/front/guard_mutants.mjs";
import { MUTANTS as READER } from "../native/test/front/mutants.mjs";

const root = join(import.meta.dirname, "..");
/**
 * @typedef {{file: string, what: string, text: string, replacement: string, tests: string[]}} Mutant
 * @typedef {{folder: string, prefix: string, sources: string[], tests: string[], mutants: readonly Mutant[]}} Suite
 */
/** Where the mutated files are, and what the tests' names begin with and are built of. */
/** @type {readonly Suite[]} */
const SUITES = [
	{
		folder: "src/counters",
		prefix: "explore_",
		sources: [],
		tests: ["window", "placing", "recycling", "pages", "growing"],
		mutants: COUNTERS,
	},
	{
		folder: "src",
		prefix: "request_reader_",
		sources: [
			"src/front/request_head.cc",
			"src/front/request_reader.cc",
			"src/http/chunked_decoder.cc",
		],
		tests: ["refused", "accepted", "bounds"],
		mutants: READER,
	},
	{
		folder: "src",
		prefix: "guard_",
		sources: [
			"src/front/address_table.cc",
			"src/front/guard_program.cc",
			"src/front/request_head.cc",
			"src/front/request_reader.cc",
			"src/http/chunked_decoder.cc",
		],
		tests: ["program"],
		mutants: GUARDS,
	},
];
const COMPILER = process.env.CXX ?? "c++";
const FLAGS = ["-std=c++20", "-O1", "-Isrc"];
const TEST_MS_MAX = 120_000;
const SLOTS = 2;

/**
 * @param {string} command @param {string[]} parameters @param {string} directory
 * @returns {Promise<{code: number | null, text: string}>} null: it did not end in time
 */
function run(command, parameters, directory) {
	return new Promise((resolve) => {
		const child = spawn(command, parameters, { cwd: directory, timeout: TEST_MS_MAX });
		let text = "";
		const add = (/** @type {Buffer} */ chunk) => {
			if (text.length < 100_000) text += chunk;
		};
		child.stdout.on("data", add);
		child.stderr.on("data", add);
		child.on("error", (error) => resolve({ code: null, text: String(error) }));
		child.on("close", (code) => resolve({ code, text }));
	});
}

/**
 * What the program of a test is linked of. Only what a mutant has changed is compiled for it: one source, or all of them where
 * it is a header. The objects of the others stay in the folder.
 * @param {Suite} suite @param {string} name @param {string} directory @param {string} [changed] the mutated file
 * @returns {Promise<{ objects: string[], failure?: string }>}
 */
async function compiled({ prefix, sources }, name, directory, changed) {
	const isHeader = changed?.endsWith(".h") === true;
	const objects = [];
	for (const source of [join("test", `${prefix}${name}_test.cc`), ...sources]) {
		const isChanged = isHeader || source === changed;
		const object = `${source.replaceAll("/", "-")}${isChanged ? ".changed" : ""}.o`;
		objects.push(object);
		if (!isChanged && existsSync(join(directory, object))) continue;
		const { code, text } = await run(COMPILER, [...FLAGS, "-c", source, "-o", object], directory);
		if (code !== 0) return { objects, failure: text };
	}
	return { objects };
}

/**
 * @param {Suite} suite @param {string} name @param {string} directory @param {string} [changed] the mutated file
 * @returns {Promise<"passes" | "fails" | string>} anything else says why it is neither
 */
async function test(suite, name, directory, changed) {
	const program = join(directory, name);
	const { objects, failure } = await compiled(suite, name, directory, changed);
	if (failure !== undefined) return `does not compile: ${failure.split("\n", 3).join(" ")}`;
	const linked = await run(COMPILER, [...FLAGS, ...objects, "-o", program], directory);
	if (linked.code !== 0) return `can't be linked: ${linked.text.split("\n", 3).join(" ")}`;
	const { code, text } = await run(program, [], directory);
	// 1 is CHECK's; a crash or a program that did not end proves nothing.
	if (code === 0) return "passes";
	if (code === 1) return "fails";
	return `${name} ended with ${code}: ${text.slice(-200)}`;
}

/**
 * @param {Suite} suite @param {Mutant} mutant @param {string} directory
 * @returns {Promise<{passed: boolean, text: string}>}
 */
async function kill(suite, mutant, directory) {
	const file = join(suite.folder, mutant.file);
	const path = join(directory, file);
	const original = readFileSync(path, "utf8");
	const found = original.split(mutant.text).length - 1;
	if (found !== 1) return { passed: false, text: `its text is found ${found} times` };
	writeFileSync(
		path,
		original.replace(mutant.text, () => mutant.replacement),
	);
	try {
		for (const name of mutant.tests) {
			const result = await test(suite, name, directory, file);
			if (result === "fails") {
				return { passed: true, text: `killed by ${suite.prefix}${name}_test` };
			}
			if (result !== "passes") return { passed: false, text: result };
		}
		return { passed: false, text: "survived" };
	} finally {
		writeFileSync(path, original);
	}
}

/** Before any mutant: what does not pass can't kill. @param {Suite} suite @param {string} name @param {string} directory */
async function unchanged(suite, name, directory) {
	const result = await test(suite, name, directory);
	return { passed: result === "passes", text: `${suite.prefix}${name}_test ${result}` };
}

const wanted = process.argv.slice(2);
const mutants = SUITES.flatMap((suite) =>
	suite.mutants.map((mutant) => ({ suite, mutant })),
).filter(
	({ mutant: { file, what } }) =>
		wanted.length === 0 || wanted.some((part) => `${file}: ${what}`.includes(part)),
);
const total = { passed: 0, failed: 0 };

/** @typedef {{ what: string, check: (directory: string) => Promise<{ passed: boolean, text: string }> }} Job */
/** @param {Job[]} queue @param {string} directory */
async function work(queue, directory) {
	for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
		const { passed, text } = await job.check(directory);
		console.log(`${passed ? "ok" : "NOT OK"}  ${job.what}: ${text}`);
		total[passed ? "passed" : "failed"]++;
	}
}

const temporary = mkdtempSync(join(tmpdir(), "weir-mutants-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(1));
const directories = Array.from({ length: SLOTS }, (_, slot) => join(temporary, `${slot}`));
for (const directory of directories) {
	for (const part of ["src", "test"]) {
		cpSync(join(root, "native", part), join(directory, part), { recursive: true });
	}
}
/** @type {Job[][]} */
const queues = [
	SUITES.filter((suite) => mutants.some((each) => each.suite === suite)).flatMap((suite) =>
		suite.tests.map((name) => ({
			what: "unchanged",
			check: (/** @type {string} */ at) => unchanged(suite, name, at),
		})),
	),
	mutants.map(({ suite, mutant }) => ({
		what: `${mutant.file}: ${mutant.what}`,
		check: (at) => kill(suite, mutant, at),
	})),
];
for (const queue of queues) {
	await Promise.all(directories.map((directory) => work(queue, directory)));
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && mutants.length > 0 ? 0 : 1);
