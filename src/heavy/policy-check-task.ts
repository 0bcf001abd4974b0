/** What a thread of the pool runs; see `policy-checker.ts`. */
import type { PolicyLimits } from "../policy/schema.ts";
import { checkPolicy, type PolicyCheck } from "./policy-check.ts";

export interface PolicyCheckTask {
	readonly bytes: Uint8Array;
	readonly limits: PolicyLimits;
}

export default ({ bytes, limits }: PolicyCheckTask): PolicyCheck => checkPolicy(bytes, limits);
