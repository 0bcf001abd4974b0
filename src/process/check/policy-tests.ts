/**
 * Runs the tests that policies in files hold (contract 3, "Tests"), as the management API would before it stores them.
 * Called by process/commands/test-command.ts.
 */
import { pointerTo } from "../../documents/json-position.ts";
import { readDocument } from "../../documents/read-document.ts";
import type { ParsedText } from "../../documents/text.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { type ValidationOptions, validatePolicy } from "../../policy/document/validate.ts";
import { runTests } from "../../policy/rehearsal/run-tests.ts";
import { declarationsIn } from "../apply/read-resources.ts";
import { readBounded } from "../config/bounded-file.ts";
import type { PolicyBounds } from "./check-policy.ts";
import { type Finding, finding } from "./checked-file.ts";
import { kindOf } from "./kind.ts";

export interface RunTest {
	readonly name: string;
	readonly milliseconds: number;
	/** empty: the test holds */
	readonly findings: readonly Finding[];
}

export interface TestedFile {
	/** as the command line has it */
	readonly path: string;
	/** why there is nothing to test; empty for a valid policy */
	readonly mistakes: readonly Finding[];
	readonly tests: readonly RunTest[];
}

export const holds = ({ findings }: RunTest): boolean => findings.length === 0;

export const allHold = ({ mistakes, tests }: TestedFile): boolean =>
	mistakes.length === 0 && tests.every(holds);

export function testFile(path: string, bounds: PolicyBounds): TestedFile {
	const broken = (...mistakes: readonly Finding[]): TestedFile => ({ path, mistakes, tests: [] });
	const read = readBounded(path, LIMITS.policyBytesMax);
	if (!read.ok) return broken(finding("error", read.error));
	const document = readDocument(path, read.value);
	if (!document.ok) {
		const { message, line, column } = document.error;
		return broken(finding("error", message, { position: { line, column } }));
	}
	const parsed = document.value;
	const kind = kindOf(parsed.value);
	return kind.ok && kind.value === "resources"
		? testResources(path, parsed, bounds)
		: testPolicy(path, parsed, bounds);
}

const findingIn =
	(parsed: ParsedText) =>
	(pointer: string, message: string): Finding =>
		finding("error", message, { pointer, position: parsed.positionOf(pointer) });

function testPolicy(path: string, parsed: ParsedText, { options }: PolicyBounds): TestedFile {
	const at = findingIn(parsed);
	const checked = validatePolicy(parsed.value, options);
	if (!checked.ok) {
		const mistakes = checked.error.map(({ pointer, message }) => at(pointer, message));
		return { path, mistakes, tests: [] };
	}
	const { document, place } = checked.value;
	return { path, mistakes: [], tests: run(document, pointerTo(place), at, options) };
}

/** Of all its policies. */
function testResources(path: string, parsed: ParsedText, { options }: PolicyBounds): TestedFile {
	const at = findingIn(parsed);
	const { declared, problems } = declarationsIn(parsed.value, options, "leave");
	const mistakes = problems.map(({ pointer, message }) => at(pointer, message));
	if (mistakes.length > 0) return { path, mistakes, tests: [] };
	const tests = declared
		.filter(({ kind }) => kind === "policy")
		.flatMap(({ name, document, pointer }) =>
			run(document as unknown as PolicyDocument, pointer, at, options).map((each) => ({
				...each,
				name: `${name}: ${each.name}`,
			})),
		);
	return { path, mistakes: [], tests };
}

/** @param pointer to the policy */
function run(
	document: PolicyDocument,
	pointer: string,
	at: ReturnType<typeof findingIn>,
	{ running }: Pick<ValidationOptions, "running">,
): readonly RunTest[] {
	let beganMs = performance.now();
	const endMs = beganMs + LIMITS.policyTestsMs;
	const tests: RunTest[] = [];
	const goesOn = () => performance.now() < endMs;
	for (const { name, index, differences } of runTests(document, { running, goesOn })) {
		const nowMs = performance.now();
		const findings = differences.map(({ path, message }) =>
			at(pointer + pointerTo(["tests", index, ...path]), message),
		);
		tests.push({ name, milliseconds: nowMs - beganMs, findings });
		beganMs = nowMs;
	}
	return tests;
}
