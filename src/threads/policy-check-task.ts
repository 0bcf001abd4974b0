/** The program of the supervisor's thread: checks one policy document for `policy-checker.ts`. */
import type { ValidationOptions } from "../policy/document/validate.ts";
import { checkPolicy, type PolicyCheck, type PolicyFormat } from "./policy-check.ts";

export interface PolicyCheckTask {
	readonly bytes: Uint8Array;
	readonly limits: ValidationOptions;
	readonly format: PolicyFormat;
	/** see `checkPolicy` */
	readonly places: boolean;
	readonly tests: "run" | "leave";
}

export default ({ bytes, limits, format, places, tests }: PolicyCheckTask): PolicyCheck =>
	checkPolicy(bytes, limits, format, places, tests);
