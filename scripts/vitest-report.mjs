/**
 * What runs of vitest came to, of their JSON reports: `node scripts/vitest-report.mjs counts FIRST [SECOND]` prints how
 * many tests passed and failed, `failed FIRST` the files with failures, a line each, `told FIRST [SECOND]` what failed
 * tests said. In SECOND files of FIRST were run again: its word counts. Used by `.ci/run`.
 */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const MOST_TOLD = 20;
const MOST_LINES = 8;

/** @typedef {{ fullName: string, status: string, failureMessages?: string[] }} Test */
/** @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} File */

const [what, ...names] = process.argv.slice(2);
const [first = [], second = []] = names.map(filesOf);
if (what === "counts") console.log(counts().join(" "));
else if (what === "failed") for (const { name } of first.filter(hasFailed)) console.log(name);
else if (what === "told") tell();
else {
	console.error("usage: vitest-report.mjs counts|failed|told FIRST [SECOND]");
	process.exitCode = 2;
}

/** @param {string} name @returns {File[]} */
function filesOf(name) {
	return existsSync(name) ? JSON.parse(readFileSync(name, "utf8")).testResults : [];
}

/** @param {File} file */
function hasFailed({ status, assertionResults }) {
	return status === "failed" || assertionResults.some((test) => test.status === "failed");
}

function counts() {
	const again = new Map(second.map((file) => [file.name, file]));
	const count = { passed: 0, failed: 0 };
	for (const before of first) {
		const file = again.get(before.name) ?? before;
		const of = (/** @type {string} */ status) =>
			file.assertionResults.filter((test) => test.status === status).length;
		count.passed += of("passed");
		// A file that ended before its first test is one.
		count.failed += of("failed") || (file.status === "failed" ? 1 : 0);
	}
	return [count.passed, count.failed];
}

function tell() {
	let told = 0;
	for (const [at, files] of [first, second].entries()) {
		for (const file of files.filter(hasFailed)) {
			const tests = file.assertionResults.filter((test) => test.status === "failed");
			const said = tests.map((test) => ({
				name: test.fullName,
				text: (test.failureMessages ?? []).join("\n"),
			}));
			if (said.length === 0) said.push({ name: "(the file)", text: file.message });
			for (const { name, text } of said) {
				told += 1;
				if (told > MOST_TOLD) continue;
				console.log(
					`${at === 0 ? "failed" : "failed again"}: ${relative(process.cwd(), file.name)} > ${name}`,
				);
				for (const line of text.split("\n").slice(0, MOST_LINES))
					console.log(`    ${line.slice(0, 300)}`);
			}
		}
	}
	if (told > MOST_TOLD) console.log(`… and ${told - MOST_TOLD} more`);
}
