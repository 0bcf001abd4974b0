/**
 * Combines guards: the condition on an attribute under which two predicates can both be true, or one of them
 * can. The result may be weaker than the true condition, never stronger. Used by `guard.ts` for `&&` and `||`
 * inside one expression and by `policy/rules/guard-index.ts` for the expressions of one rule.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Guard } from "../expression.ts";

/** At most one guard for each attribute. */
export type Guards = readonly Guard[];

export const NO_GUARDS: Guards = [];

/** One guard, unless it has so many values that looking for them is no shorter way. */
export const oneGuard = (
	attribute: Guard["attribute"],
	test: Guard["test"],
	values: Iterable<string>,
): Guards => {
	const distinct = [...new Set(values)];
	return distinct.length > LIMITS.guardValues ? NO_GUARDS : [{ attribute, test, values: distinct }];
};

export function guardHolds({ test, values }: Guard, attribute: string): boolean {
	return test === "equals"
		? values.includes(attribute)
		: values.some((value) => attribute.startsWith(value));
}

/** What must hold where both do. */
export function bothOf(left: Guards, right: Guards): Guards {
	const others = right.filter(({ attribute }) => find(left, attribute) === undefined);
	const shared = left.map((guard) => {
		const other = find(right, guard.attribute);
		return other === undefined ? guard : intersection(guard, other);
	});
	return [...shared, ...others];
}

/** What must hold where at least one of them does. */
export function eitherOf(left: Guards, right: Guards): Guards {
	return left.flatMap((guard) => {
		const other = find(right, guard.attribute);
		return other === undefined ? NO_GUARDS : union(guard, other);
	});
}

const find = (guards: Guards, attribute: Guard["attribute"]): Guard | undefined =>
	guards.find((guard) => guard.attribute === attribute);

/** Texts equal to something and texts that start with something all start with one or the other. */
const union = (left: Guard, right: Guard): Guards =>
	oneGuard(left.attribute, left.test === right.test ? left.test : "starts_with", [
		...left.values,
		...right.values,
	]);

function intersection(left: Guard, right: Guard): Guard {
	if (left.test === "starts_with" && right.test === "equals") return intersection(right, left);
	const { attribute, test } = left;
	const under = left.values.filter((value) => guardHolds(right, value));
	if (test === "equals") return { attribute, test, values: under };
	const above = right.values.filter((value) => guardHolds(left, value));
	return { attribute, test, values: [...new Set([...under, ...above])] };
}
