/**
 * Judges a policy as the management API would, by the bounds and the surroundings of a config file if there is one.
 * Called by `check-files.ts`.
 */
import type { Config } from "../../config.ts";
import type { ParsedText } from "../../documents/text.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type ValidationOptions, validatePolicy } from "../../policy/document/validate.ts";
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
	const checked = validatePolicy(parsed.value, bounds.options);
	const told = checked.ok
		? checked.value.warnings.map(({ pointer, message }) => at("warning", pointer, message))
		: checked.error.map(({ pointer, message }) => at("error", pointer, message));
	return [...tooLarge, ...told];
}
