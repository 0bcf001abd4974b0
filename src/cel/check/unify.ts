/**
 * Makes two types agree by binding type variables, and takes the bindings back where they don't. The
 * checker uses it for overloads, literals and comprehensions.
 */
import {
	isDynamic,
	isNullable,
	newVariable,
	resolve,
	type Type,
	type TypeVariable,
} from "../types.ts";

export class Unifier {
	/** variables bound so far and what they were bound to before, newest last */
	readonly #trail: { readonly variable: TypeVariable; readonly before: Type | undefined }[] = [];

	/** Are the types assignable? If so their variables stay bound; if not nothing has changed. */
	unify(expected: Type, given: Type): boolean {
		const mark = this.#trail.length;
		if (this.assign(expected, given)) return true;
		this.undo(mark);
		return false;
	}

	/** For `undo`: what is bound after it can be taken back. */
	get mark(): number {
		return this.#trail.length;
	}

	undo(mark: number): void {
		while (this.#trail.length > mark) {
			const step = this.#trail.pop();
			if (step !== undefined) step.variable.bound = step.before;
		}
	}

	/** As `unify`, but what it bound before it failed stays bound; for several in a row between mark and undo. */
	assign(left: Type, right: Type): boolean {
		if (left === right) return true;
		if (right.kind === "variable") return this.#assignVariable(right, left);
		if (left.kind === "variable") return this.#assignVariable(left, right);
		if (isDynamic(left) || isDynamic(right)) return true;
		switch (left.kind) {
			case "null_type":
				return right.kind === "null_type" || isNullable(right);
			case "list":
				return right.kind === "list" && this.assign(left.element, right.element);
			case "map":
				return (
					right.kind === "map" &&
					this.assign(left.key, right.key) &&
					this.assign(left.value, right.value)
				);
			case "optional":
				if (right.kind === "optional") return this.assign(left.element, right.element);
				return right.kind === "null_type";
			case "record":
				if (right.kind === "record") return left.name === right.name;
				return right.kind === "null_type";
			default:
				return left.kind === right.kind || (right.kind === "null_type" && isNullable(left));
		}
	}

	#bind(variable: TypeVariable, type: Type): void {
		this.#trail.push({ variable, before: variable.bound });
		variable.bound = type;
	}

	#assignVariable(variable: TypeVariable, type: Type): boolean {
		const other = resolve(type);
		const known = resolve(variable);
		if (known === other) return true;
		if (known.kind === "variable") {
			if (mentions(other, known)) return false;
			this.#bind(known, other);
			return true;
		}
		if (!this.assign(known, other)) return false;
		// `c ? 1 : dyn('a')` may be either: the parameter takes the more general of the two
		if (isLessSpecific(other, known) && !mentions(other, variable)) {
			this.#bind(lastOf(variable), other);
		}
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
	const known = resolve(type);
	if (known === resolve(variable)) return true;
	switch (known.kind) {
		case "list":
		case "optional":
			return mentions(known.element, variable);
		case "map":
			return mentions(known.key, variable) || mentions(known.value, variable);
		default:
			return false;
	}
}

/** Is `type` the same as `other` or more general, as `list<dyn>` is than `list<int>`? */
export function isLessSpecific(type: Type, other: Type): boolean {
	const a = resolve(type);
	const b = resolve(other);
	if (isDynamic(a) || a.kind === "variable") return true;
	if (isDynamic(b) || b.kind === "variable") return false;
	switch (a.kind) {
		case "list":
			if (b.kind === "list") return isLessSpecific(a.element, b.element);
			break;
		case "optional":
			if (b.kind === "optional") return isLessSpecific(a.element, b.element);
			break;
		case "map":
			if (b.kind === "map") {
				return isLessSpecific(a.key, b.key) && isLessSpecific(a.value, b.value);
			}
			break;
	}
	// a timestamp that may be null is a timestamp to the checker
	return a.kind === b.kind || b.kind === "null_type";
}

/** `type` with its parameters replaced by fresh variables, which are kept in `fresh` by their number. */
export function instantiate(type: Type, fresh: TypeVariable[]): Type {
	switch (type.kind) {
		case "variable": {
			const known = fresh[type.index];
			if (known !== undefined) return known;
			const variable = newVariable();
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
