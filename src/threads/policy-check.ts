/**
 * A policy document from bytes to what may be stored, or everything that is wrong with it. Pure. Small
 * documents are checked in the caller's thread, large ones in a thread of their own (`policy-checker.ts`).
 */

import { parseJson } from "../documents/json.ts";
import { readDocument } from "../documents/read-document.ts";
import type { ParsedText, SyntaxFault } from "../documents/text.ts";
import { parseYaml } from "../documents/yaml.ts";
import type { Problem, Result } from "../errors.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import { type ValidationOptions, validatePolicy } from "../policy/document/validate.ts";
import type { Warning } from "../policy/lint/lint.ts";

/** `text`: whichever of the two it is */
export type PolicyFormat = "json" | "yaml" | "text";

/** Plain data, so that it can cross between threads. */
export type PolicyCheck =
	| {
			readonly outcome: "valid";
			readonly document: PolicyDocument;
			readonly warnings: readonly Warning[];
	  }
	| { readonly outcome: "invalid"; readonly problems: readonly Problem[] }
	| { readonly outcome: "not_json"; readonly error: SyntaxFault };

export function checkPolicy(
	bytes: Uint8Array,
	limits: ValidationOptions,
	format: PolicyFormat = "json",
): PolicyCheck {
	const parsed = READERS[format](bytes);
	if (!parsed.ok) return { outcome: "not_json", error: parsed.error };
	const valid = validatePolicy(parsed.value.value, limits);
	if (!valid.ok) return { outcome: "invalid", problems: valid.error };
	return { outcome: "valid", document: valid.value.document, warnings: valid.value.warnings };
}

const READERS: Readonly<
	Record<PolicyFormat, (bytes: Uint8Array) => Result<ParsedText, SyntaxFault>>
> = {
	json: parseJson,
	yaml: parseYaml,
	text: (bytes) => readDocument("", bytes),
};
