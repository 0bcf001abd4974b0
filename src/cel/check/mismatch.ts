/** The sentence for an operator or call whose operands fit no overload. Called by `operations.ts`. */
import type { Overload } from "./signatures.ts";
import { type Type, typeName } from "./types.ts";

const EQUALITIES: ReadonlySet<string> = new Set(["_==_", "_!=_"]);
const SHOWN_SIGNATURES = 4;

export function mismatch(
	name: string,
	isMethod: boolean,
	given: readonly Type[],
	overloads: readonly Overload[],
): string {
	const types = given.map(typeName);
	const [left = "", right = "", third = ""] = types;
	if (EQUALITIES.has(name)) return `cannot compare ${left} with ${right}`;
	if (name === "_?_:_") {
		return left === "bool" || left === "dyn"
			? `both outcomes of ?: must have one type, not ${right} and ${third}`
			: `the condition of ?: must be bool, not ${left}`;
	}
	if (name === "_[_]" || name === "_[?_]") {
		if (left.startsWith("list<")) return `a list is indexed with an int, not with ${right}`;
		return /^(?:map|optional<map|optional<list)</.test(left)
			? `${left} cannot be indexed with ${right}`
			: `${left} cannot be indexed; only lists and maps can`;
	}
	if (name === "cel.@mapInsert") {
		return `transformMapEntry() puts maps together, as {k: v} is one, not ${right}`;
	}
	if (name === "@sortByAssociatedKeys") {
		return `sortBy() needs keys that have an order, such as numbers or strings, not ${keyOf(right)}`;
	}
	if (name === "@in") {
		return /^(list|map)</.test(right)
			? `cannot look for ${left} in ${right}`
			: `"in" looks into a list or a map, not into ${right}${right === "string" ? "; for texts there is .contains()" : ""}`;
	}
	const operator = /^_?([^_\w]+)_$/.exec(name)?.[1];
	if (operator !== undefined) {
		return `operator "${operator}" does not take ${types.join(" and ")}`;
	}
	const message = `${called(name, isMethod, types)} does not exist; there is ${signatures(overloads)}`;
	return message.replaceAll("math.@max", "math.greatest").replaceAll("math.@min", "math.least");
}

const keyOf = (list: string): string => /^list<(.*)>$/.exec(list)?.[1] ?? list;

const called = (name: string, isMethod: boolean, types: readonly string[]): string =>
	isMethod
		? `${types[0] ?? ""}.${name}(${types.slice(1).join(", ")})`
		: `${name}(${types.join(", ")})`;

function signatures(overloads: readonly Overload[]): string {
	const shown = overloads
		.slice(0, SHOWN_SIGNATURES)
		.map(({ signature }) => signature.replace(/ -> .*$/, ""));
	return overloads.length > SHOWN_SIGNATURES ? `${shown.join(", ")} …` : shown.join(", ");
}
