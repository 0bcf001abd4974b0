/**
 * Judges a policy as the management API would, by the bounds and the surroundings of a config file if there is one.
 * Called by `check-files.ts`.
 */
import type { Config } from "../../config.ts";
import type { ParsedText } from "../../documents/text.ts";
import type { Problem } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type ValidationOptions, validatePolicy } from "../../policy/document/validate.ts";
import { failedTests } from "../../threads/policy-check.ts";
import { declarationsIn } from "../apply/read-resources.ts";
import { policyOptions } from "../config/policy-options.ts";
import { type Finding, finding } from "./checked-file.ts";

export interface PolicyBounds {
	readonly options: ValidationOptions;
	/** bytes of a document */
	readonly bytes: number;
}

/** Without a config file nobody knows the surroundings, so fewer warnings are possible. */
export const boundsOf = (config: Config | undefined): PolicyBounds =>
	config === undefined
		? { options: { rulesPerPhase: LIMITS.rulesPerPhase }, bytes: LIMITS.policyBytes }
		: { options: policyOptions(config), bytes: config.limits.policyBytes };

/** @param bytes of the document as it would be sent */
export function checkPolicy(
	parsed: ParsedText,
	bytes: number,
	bounds: PolicyBounds,
): readonly Finding[] {
	const at = (severity: Finding["severity"], pointer: string, message: string): Finding =>
		finding(severity, message, { pointer, position: parsed.positionOf(pointer) });
	const tooLarge =
		bytes > bounds.bytes
			? [finding("error", `has ${bytes} bytes, more than limits.policy_bytes (${bounds.bytes})`)]
			: [];
	const error = ({ pointer, message }: Problem) => at("error", pointer, message);
	const checked = validatePolicy(parsed.value, bounds.options);
	if (!checked.ok) return [...tooLarge, ...checked.error.map(error)];
	const { document, place, warnings } = checked.value;
	const failed = failedTests(document, bounds.options, place);
	return [
		...tooLarge,
		...failed.map(error),
		...warnings.map(({ pointer, message }) => at("warning", pointer, message)),
	];
}

/** A file of resources: every document in it, as the API would judge each. */
export function checkResources(parsed: ParsedText, { options }: PolicyBounds): readonly Finding[] {
	const { problems, warnings } = declarationsIn(parsed.value, options);
	const at =
		(severity: Finding["severity"]) =>
		({ pointer, message }: Problem): Finding =>
			finding(severity, message, { pointer, position: parsed.positionOf(pointer) });
	return [...problems.map(at("error")), ...warnings.map(at("warning"))];
}
