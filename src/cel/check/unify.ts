/**
 * Unification: makes two types agree by binding their type variables, and takes the bindings back if the types
 * do not agree. The checker uses it for overloads, literals and macros.
 */
import { LIMITS } from "../../limits/limits.ts";
import {
	DYN,
	isDynamic,
	isKeyType,
	isNullable,
	newVariable,
	resolve,
	type Type,
	type TypeVariable,
} from "./types.ts";

export class Unifier {
	/** variables bound so far, each with its binding before, newest last */
	readonly #trail: { readonly variable: TypeVariable; readonly before: Type | undefined }[] = [];

	/** Are the types assignable? If so their variables stay bound; if not nothing has changed. */
	unify(expected: Type, given: Type): boolean {
		const mark = this.#trail.length;
		if (this.assign(expected, given)) return true;
		this.undo(mark);
		return false;
	}

	/** For `undo`, which takes back all later bindings. */
	get mark(): number {
		return this.#trail.length;
	}

	undo(mark: number): void {
		while (this.#trail.length > mark) {
			const step = this.#trail.pop();
			if (step !== undefined) step.variable.bound = step.before;
		}
	}

	/** As `unify`, but after a failure bindings stay; for several calls in a row between `mark` and `undo`. */
	assign(left: Type, right: Type, depth = 0): boolean {
		if (left === right || depth > LIMITS.typeDepth) return true;
		if (right.kind === "variable") return this.#assignVariable(right, left, depth);
		if (left.kind === "variable") return this.#assignVariable(left, right, depth);
		if (isDynamic(left)) return this.#open(right, depth);
		if (isDynamic(right)) return this.#open(left, depth);
		switch (left.kind) {
			case "null_type":
				return right.kind === "null_type" || isNullable(right);
			case "list":
				return right.kind === "list" && this.assign(left.element, right.element, depth + 1);
			case "map":
				return (
					right.kind === "map" &&
					this.assign(left.key, right.key, depth + 1) &&
					this.assign(left.value, right.value, depth + 1)
				);
			case "optional":
				if (right.kind === "null_type") return true;
				return right.kind === "optional" && this.assign(left.element, right.element, depth + 1);
			case "record":
				if (right.kind === "record") return left.name === right.name;
				return right.kind === "null_type";
			default:
				return left.kind === right.kind || (right.kind === "null_type" && isNullable(left));
		}
	}

	#assignVariable(variable: TypeVariable, type: Type, depth: number): boolean {
		const other = resolve(type);
		const known = resolve(variable);
		if (known === other) return true;
		if (known.kind === "variable") {
			if (other.kind === "variable") return this.#join(known, other);
			if (known.isKey && !isKeyType(other)) return this.#bind(known, DYN);
			return !mentions(other, known) && this.#bind(known, other);
		}
		if (!this.assign(known, other, depth)) return false;
		// `c ? 1 : dyn('a')` may be either: the parameter takes what both are
		const wider = widest(known, other);
		if (wider !== known && !mentions(wider, variable)) this.#bind(lastOf(variable), wider);
		return true;
	}

	/**
	 * A value of type dyn may hold values of any type, so the variables in a type that meets dyn become dyn:
	 * `dyn(x).first()` is an optional of dyn, `[1] + dyn(x)` a list of dyn. The reference implementation leaves
	 * such variables open, and their next use settles them.
	 */
	#open(type: Type, depth: number): true {
		if (depth > LIMITS.typeDepth) return true;
		switch (type.kind) {
			case "variable":
				return this.#bind(lastOf(type), DYN);
			case "list":
			case "optional":
				return this.#open(type.element, depth + 1);
			case "map":
				this.#open(type.key, depth + 1);
				return this.#open(type.value, depth + 1);
			default:
				return true;
		}
	}

	/**
	 * Two open variables become one: the variable of a map's key if one of them is, else the variable at the end
	 * of the longer chain of bindings, so that no chain grows long. A list may join thousands of variables.
	 */
	#join(one: TypeVariable, other: TypeVariable): true {
		const keepsOne = one.isKey === other.isKey ? one.rank > other.rank : one.isKey;
		const kept = keepsOne ? one : other;
		const bound = keepsOne ? other : one;
		kept.rank = Math.max(kept.rank, bound.rank + 1);
		return this.#bind(bound, kept);
	}

	#bind(variable: TypeVariable, type: Type): true {
		this.#trail.push({ variable, before: variable.bound });
		variable.bound = type;
		return true;
	}
}

/** The variable at the end of a chain of bindings: the one that holds a type. */
function lastOf(variable: TypeVariable): TypeVariable {
	let current = variable;
	while (current.bound?.kind === "variable") current = current.bound;
	return current;
}

/** Does `type` contain `variable`? Binding it would make a type without end. */
function mentions(type: Type, variable: TypeVariable): boolean {
	const target = resolve(variable);
	let known = resolve(type);
	for (let depth = 0; depth <= LIMITS.typeDepth; depth++) {
		if (known === target) return true;
		if (known.kind === "list" || known.kind === "optional") known = resolve(known.element);
		else if (known.kind !== "map") return false;
		else if (resolve(known.key) === target) return true;
		else known = resolve(known.value);
	}
	return true;
}

/** Is `type` the same as `other` or more general, as `list<dyn>` is than `list<int>`? */
export function isLessSpecific(type: Type, other: Type, depth = 0): boolean {
	const a = resolve(type);
	const b = resolve(other);
	if (isDynamic(a) || a.kind === "variable" || depth > LIMITS.typeDepth) return true;
	if (isDynamic(b) || b.kind === "variable") return false;
	switch (a.kind) {
		case "list":
		case "optional":
			if (b.kind === a.kind) return isLessSpecific(a.element, b.element, depth + 1);
			break;
		case "map":
			if (b.kind === "map") {
				return (
					isLessSpecific(a.key, b.key, depth + 1) && isLessSpecific(a.value, b.value, depth + 1)
				);
			}
			break;
	}
	// a timestamp that may be null is a timestamp to the checker
	return a.kind === b.kind || b.kind === "null_type";
}

/**
 * The type that takes the values of two assignable types: `map<dyn, dyn>` for `map<dyn, int>` and
 * `map<string, dyn>`. It is one of the two types where that one is enough.
 */
export function widest(type: Type, other: Type, depth = 0): Type {
	const a = resolve(type);
	const b = resolve(other);
	if (isLessSpecific(a, b)) return a;
	if (isLessSpecific(b, a) || depth > LIMITS.typeDepth) return b;
	if (a.kind === "map" && b.kind === "map") {
		const key = widest(a.key, b.key, depth + 1);
		return { kind: "map", key, value: widest(a.value, b.value, depth + 1) };
	}
	if ((a.kind === "list" || a.kind === "optional") && b.kind === a.kind) {
		return { kind: a.kind, element: widest(a.element, b.element, depth + 1) };
	}
	return a;
}

/** `type` with its parameters replaced by fresh variables, which are kept in `fresh` by their number. */
export function instantiate(type: Type, fresh: TypeVariable[]): Type {
	switch (type.kind) {
		case "variable": {
			const known = fresh[type.index];
			if (known !== undefined) return known;
			const variable = newVariable(type.isKey);
			fresh[type.index] = variable;
			return variable;
		}
		case "list":
		case "optional":
			return { kind: type.kind, element: instantiate(type.element, fresh) };
		case "map":
			return {
				kind: "map",
				key: instantiate(type.key, fresh),
				value: instantiate(type.value, fresh),
			};
		default:
			return type;
	}
}
