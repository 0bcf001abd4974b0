/**
 * A policy document from bytes to what may be stored, or everything that is wrong with it. Pure. Small
 * documents are checked in the caller's thread, large ones in a thread of their own (`policy-checker.ts`).
 */

import { parseJson } from "../documents/json.ts";
import { pointerTo } from "../documents/json-position.ts";
import { quoted } from "../documents/nearest.ts";
import { readDocument } from "../documents/read-document.ts";
import type { ParsedText, SyntaxFault } from "../documents/text.ts";
import { rangeAt, type TextRange } from "../documents/text-range.ts";
import { parseYaml } from "../documents/yaml.ts";
import type { Problem, Result } from "../errors.ts";
import { LIMITS } from "../limits/limits.ts";
import type { NamedList } from "../policy/document/address-lists.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import { type ValidationOptions, validatePolicy } from "../policy/document/validate.ts";
import type { Warning } from "../policy/lint/lint.ts";
import { runTests } from "../policy/rehearsal/run-tests.ts";

/** `text`: whichever of the two it is */
export type PolicyFormat = "json" | "yaml" | "text";

/** Something with a pointer; `range` is told where places are asked for, and known. */
interface Placed {
	readonly range?: TextRange;
}
export type PlacedProblem = Problem & Placed;

/** Plain data, so that it can cross between threads. */
export type PolicyCheck =
	| {
			readonly outcome: "valid";
			readonly document: PolicyDocument;
			readonly warnings: readonly (Warning & PlacedProblem)[];
			/** that it names, with places as submitted */
			readonly addressLists: readonly (NamedList & Placed)[];
	  }
	/** `tests_failed`: a valid document whose own tests say that it does something else */
	| { readonly outcome: "invalid" | "tests_failed"; readonly problems: readonly PlacedProblem[] }
	| { readonly outcome: "not_json"; readonly error: SyntaxFault };

/**
 * @param places whether problems and warnings are to have their places in the text
 * @param tests whether the tests in the document are run
 */
export function checkPolicy(
	bytes: Uint8Array,
	limits: ValidationOptions,
	format: PolicyFormat = "json",
	places = false,
	tests: "run" | "leave" = "run",
): PolicyCheck {
	const parsed = READERS[format](bytes);
	if (!parsed.ok) return { outcome: "not_json", error: parsed.error };
	const placed = places ? placing(bytes, parsed.value) : inDocument;
	return checkValue(parsed.value.value, limits, tests, placed);
}

const inDocument = <T extends Pointed>(each: T): T & Placed => each;

/** As `checkPolicy`, of a value that was read already. @param placed tells where in a text something is */
export function checkValue(
	value: unknown,
	limits: ValidationOptions,
	tests: "run" | "leave" = "run",
	placed: <T extends Pointed>(each: T) => T & Placed = inDocument,
): PolicyCheck {
	const valid = validatePolicy(value, limits);
	if (!valid.ok) return { outcome: "invalid", problems: valid.error.map(placed) };
	const { document, place, warnings, addressLists } = valid.value;
	if (tests === "run") {
		const failed = failedTests(document, limits, place);
		if (failed.length > 0) return { outcome: "tests_failed", problems: failed.map(placed) };
	}
	return {
		...{ outcome: "valid", document },
		warnings: warnings.map(placed),
		addressLists: addressLists.map(placed),
	};
}

/** What came instead of what the tests in a valid document expect. @param place of the policy in what was submitted */
export function failedTests(
	document: PolicyDocument,
	{ running }: Pick<ValidationOptions, "running">,
	place: readonly PropertyKey[],
): readonly Problem[] {
	const endMs = performance.now() + LIMITS.policyTestsMs;
	const results = runTests(document, { running, goesOn: () => performance.now() < endMs });
	const problems = [...results].flatMap(({ name, index, differences }) =>
		differences.map(({ path, message }) => ({
			pointer: pointerTo([...place, "tests", index, ...path]),
			code: "test_failed",
			message: `test ${quoted(name)}: ${message}`,
		})),
	);
	const most = LIMITS.problemsPerDocument;
	if (problems.length <= most) return problems;
	const rest = problems.length - most + 1;
	const last = { pointer: "", code: "more_problems", message: `and ${rest} more problems` };
	return [...problems.slice(0, most - 1), last];
}

type Pointed = { readonly pointer: string };

function placing(bytes: Uint8Array, parsed: ParsedText) {
	const text = new TextDecoder().decode(bytes);
	return <T extends Pointed>(each: T): T & Placed => {
		const position = parsed.positionOf(each.pointer);
		return position === undefined ? each : { ...each, range: rangeAt(text, position) };
	};
}

const READERS: Readonly<
	Record<PolicyFormat, (bytes: Uint8Array) => Result<ParsedText, SyntaxFault>>
> = {
	json: parseJson,
	yaml: parseYaml,
	text: (bytes) => readDocument("", bytes),
};
