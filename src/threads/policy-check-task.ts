/** The program of the supervisor's thread: checks one policy document for `policy-checker.ts`. */
import type { ValidationOptions } from "../policy/document/validate.ts";
import { checkPolicy, type PolicyCheck } from "./policy-check.ts";

export interface PolicyCheckTask {
	readonly bytes: Uint8Array;
	readonly limits: ValidationOptions;
}

export default ({ bytes, limits }: PolicyCheckTask): PolicyCheck => checkPolicy(bytes, limits);
