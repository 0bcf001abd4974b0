/**
 * The rate-limits of a policy document, with the identities that their counts have: as they are when the policy is
 * compiled, without compiling it. Asked by the management API for a limit's counts.
 */
import { configurationOf, type Limit, limitOf } from "./actions/rate-limit/limit.ts";
import { identityOf, ordinals } from "./actions/rate-limit/opened-limiter.ts";
import type { RateLimitIdentity } from "./admission.ts";
import type { PolicyDocument, RuleDocument } from "./document/schema.ts";
import { Compiler } from "./programs/compiler.ts";

export interface ConfiguredLimit {
	readonly limit: Limit;
	readonly identity: RateLimitIdentity;
	readonly ruleIndex: number;
	readonly ruleName: string;
	readonly actionIndex: number;
	/** as stored */
	readonly config: Readonly<Record<string, unknown>>;
}

const TYPE = "rate-limit";

/**
 * In the order of the document. In steps of one action each, as there may be thousands.
 * @throws Error for a document that was not validated
 */
export function* limitsOf(
	{ inbound }: PolicyDocument,
	edgeId: string,
	routeId: string,
): Generator<undefined, readonly ConfiguredLimit[], unknown> {
	const compiler = new Compiler();
	const found: ConfiguredLimit[] = [];
	const ordinalOf = ordinals();
	for (const [ruleIndex, rule] of inbound.entries()) {
		if (rule.actions.every(({ type }) => type !== TYPE) || neverApplies(rule, compiler)) continue;
		for (const [actionIndex, { type, config }] of rule.actions.entries()) {
			if (type !== TYPE) continue;
			const limit = limitOf(config, compiler, []);
			const configuration = configurationOf(limit);
			const ordinal = ordinalOf(configuration);
			const identity = identityOf(limit, { edgeId, routeId }, configuration, ordinal);
			found.push({ limit, identity, ruleIndex, ruleName: rule.name, actionIndex, config });
			yield;
		}
	}
	return found;
}

/** Such a rule is not compiled (`rules/prepare.ts`), so its limits are not counted among equal ones. */
const neverApplies = ({ expressions }: RuleDocument, compiler: Compiler): boolean =>
	expressions.some((source) => {
		const predicate = compiler.predicate(source, "inbound");
		return predicate.ok && predicate.value.constant === false;
	});
