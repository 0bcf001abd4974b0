/** A rate-limit as its policy's author wrote it, for people: in the lists of counts and on the live page. */
import { canonicalElement } from "../policy/actions/rate-limit/bucket-key.ts";
import { formatDuration } from "../policy/actions/rate-limit/duration.ts";
import type { ConfiguredLimit } from "../policy/limits-of.ts";

export const describedLimit = ({ limit, ruleIndex, ruleName, actionIndex }: ConfiguredLimit) => ({
	rule: ruleIndex,
	rule_name: ruleName,
	action: actionIndex,
	name: limit.name,
	capacity: limit.capacity,
	rate: formatDuration(limit.windowMs),
	bucket_key: limit.elements.map(canonicalElement),
	enforce: limit.enforce,
});
