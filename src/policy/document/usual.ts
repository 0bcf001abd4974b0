/**
 * Policies as nearly all are that are put: bare, in weir's own form, of the right shape, within their bounds, without tests.
 * For them `validate.ts` needs neither the dialects, nor the bounds, nor the schema, which each walk through the whole
 * document and make another of it; of any other it asks these.
 */
import { acceptorOf, REFUSED } from "../../documents/acceptor.ts";
import { areWithinBounds } from "./bounds.ts";
import { isObject } from "./members.ts";
import { type PolicyDocument, type PolicyLimits, policySchema } from "./schema.ts";

/** for the first policy; not every command has any */
let accept: ReturnType<typeof acceptorOf> | undefined;

/** What the schema makes of the value; undefined if it is no usual one, which says nothing more of it. */
export function usualPolicy(value: unknown, limits: PolicyLimits): PolicyDocument | undefined {
	if (!isObject(value) || Object.hasOwn(value, "tests")) return undefined;
	accept ??= acceptorOf(policySchema);
	const accepted = accept(value);
	if (accepted === REFUSED) return undefined;
	const document = accepted as PolicyDocument;
	return areWithinBounds(document, limits) ? document : undefined;
}
