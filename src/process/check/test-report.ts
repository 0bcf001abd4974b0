/**
 * Tells what became of the tests in policies: lines for people, and JUnit's XML, which CI systems read. Called by
 * process/commands/test-command.ts.
 */
import { printable } from "../explain/paint.ts";
import { allHold, holds, type RunTest, type TestedFile } from "./policy-tests.ts";
import { line } from "./report.ts";

/** @param quiet of tests that hold nothing is said */
export function testLines(file: TestedFile, quiet: boolean): string {
	const told = file.tests.flatMap((test) => {
		if (holds(test)) return quiet ? [] : [`  ok    ${printable(test.name)}\n`];
		const findings = test.findings.map((each) => indented(line(file.path, each)));
		return [`  FAIL  ${printable(test.name)}\n`, ...findings];
	});
	const mistakes = file.mistakes.map((each) => line(file.path, each));
	return [...mistakes, ...told, `${file.path}: ${verdict(file)}\n`].join("");
}

const indented = (text: string): string => text.replace(/^/gm, "        ").trimEnd().concat("\n");

function verdict({ mistakes, tests }: TestedFile): string {
	if (mistakes.length > 0) return "no valid policy, so its tests were not run";
	if (tests.length === 0) return 'has no tests (a list "tests" beside "inbound")';
	const good = tests.filter(holds).length;
	const all = `${tests.length} test${tests.length === 1 ? "" : "s"}`;
	return good === tests.length ? `${all}, all hold` : `${all}, ${tests.length - good} fail`;
}

const MILLISECONDS = 1000;

export function junit(files: readonly TestedFile[]): string {
	const suites = files.map((file) => {
		const { path, mistakes, tests } = file;
		const time = tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / MILLISECONDS;
		const failures = tests.filter((test) => !holds(test)).length;
		const errors = mistakes.length > 0 ? 1 : 0;
		const counts = `tests="${tests.length + errors}" failures="${failures}" errors="${errors}"`;
		const cases = tests.map((test) => testCase(file, test));
		const broken = mistakes.map((each) => line(path, each)).join("");
		const error =
			errors === 0
				? ""
				: `    <testcase name="is a valid policy" classname=${attribute(path)}>\n      <error message="no valid policy">${escaped(broken)}</error>\n    </testcase>\n`;
		return `  <testsuite name=${attribute(path)} ${counts} time="${time.toFixed(3)}">\n${error}${cases.join("")}  </testsuite>\n`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function testCase({ path }: TestedFile, test: RunTest): string {
	const time = (test.milliseconds / MILLISECONDS).toFixed(3);
	const head = `    <testcase name=${attribute(test.name)} classname=${attribute(path)} time="${time}"`;
	const [first] = test.findings;
	if (first === undefined) return `${head}/>\n`;
	const text = test.findings.map((each) => line(path, each)).join("");
	return `${head}>\n      <failure message=${attribute(first.message)}>${escaped(text)}</failure>\n    </testcase>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
};

/** XML 1.0 has no form at all for control characters but tab and line breaks. */
const escaped = (text: string): string =>
	text
		.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "")
		.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");

const attribute = (text: string): string => `"${escaped(text).replace(/\s+/g, " ")}"`;

/** For the last line of a run over several files. */
export function summary(files: readonly TestedFile[]): string {
	const tests = files.flatMap((file) => file.tests);
	const bad = files.filter((file) => !allHold(file)).length;
	const what = `${tests.length} tests in ${files.length} files`;
	return bad === 0 ? `${what}, all hold\n` : `${what}; ${bad} of the files fail\n`;
}
