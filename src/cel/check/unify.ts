/**
 * Makes two types agree by binding type variables, and takes the bindings back where they don't. The
 * checker uses it for overloads, literals and comprehensions.
 */
import { isDynamic, newVariable, resolve, type Type, type TypeVariable } from "../types.ts";

export class Unifier {
	/** variables bound so far and what they were bound to before, newest last */
	readonly #trail: { readonly variable: TypeVariable; readonly before: Type | undefined }[] = [];

	/** Are the types assignable? If so their variables stay bound; if not nothing has changed. */
	unify(expected: readonly Type[], given: readonly Type[]): boolean {
		const mark = this.#trail.length;
		const agreed = expected.every((type, index) => {
			const other = given[index];
			return other !== undefined && this.#assign(type, other);
		});
		if (!agreed) this.#undo(mark);
		return agreed;
	}

	/** Binds nothing for good, whatever the outcome. */
	agree(expected: Type, given: Type): boolean {
		const mark = this.#trail.length;
		const agreed = this.#assign(expected, given);
		this.#undo(mark);
		return agreed;
	}

	#undo(mark: number): void {
		while (this.#trail.length > mark) {
			const step = this.#trail.pop();
			if (step !== undefined) step.variable.bound = step.before;
		}
	}

	#bind(variable: TypeVariable, type: Type): void {
		this.#trail.push({ variable, before: variable.bound });
		variable.bound = type;
	}

	#assign(left: Type, right: Type): boolean {
		if (left === right) return true;
		if (right.kind === "variable") return this.#assignVariable(right, left);
		if (left.kind === "variable") return this.#assignVariable(left, right);
		if (isDynamic(left) || isDynamic(right)) return true;
		if (left.kind === "null_type") return right.kind === "null_type" || isNullable(right);
		if (right.kind === "null_type") return isNullable(left);
		if (left.kind === "list") return right.kind === "list" && this.#assignElement(left, right);
		if (left.kind === "map") {
			return (
				right.kind === "map" &&
				this.#assign(left.key, right.key) &&
				this.#assign(left.value, right.value)
			);
		}
		if (left.kind === "record") return right.kind === "record" && left.name === right.name;
		return left.kind === right.kind;
	}

	#assignElement(left: { readonly element: Type }, right: { readonly element: Type }): boolean {
		return this.#assign(left.element, right.element);
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
		if (!this.#assign(known, other)) return false;
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

const isNullable = (type: Type): boolean =>
	type.kind === "timestamp" || type.kind === "duration" || type.kind === "record";

/** Does `type` contain `variable`? Binding it would make a type without end. */
function mentions(type: Type, variable: TypeVariable): boolean {
	const known = resolve(type);
	if (known === resolve(variable)) return true;
	if (known.kind === "list") return mentions(known.element, variable);
	if (known.kind === "map") {
		return mentions(known.key, variable) || mentions(known.value, variable);
	}
	return false;
}

/** Is `type` the same as `other` or more general, as `list<dyn>` is than `list<int>`? */
export function isLessSpecific(type: Type, other: Type): boolean {
	const a = resolve(type);
	const b = resolve(other);
	if (isDynamic(a) || a.kind === "variable") return true;
	if (isDynamic(b) || b.kind === "variable") return false;
	if (a.kind === "list" && b.kind === "list") return isLessSpecific(a.element, b.element);
	if (a.kind === "map" && b.kind === "map") {
		return isLessSpecific(a.key, b.key) && isLessSpecific(a.value, b.value);
	}
	// a timestamp that may be null is a timestamp to the checker
	if (b.kind === "null_type") return true;
	return a.kind === b.kind;
}

/** `type` with its named parameters replaced by fresh variables, the same name by the same variable. */
export function instantiate(type: Type, parameters: Map<TypeVariable, TypeVariable>): Type {
	switch (type.kind) {
		case "variable": {
			const fresh = parameters.get(type) ?? newVariable();
			parameters.set(type, fresh);
			return fresh;
		}
		case "list":
			return { kind: "list", element: instantiate(type.element, parameters) };
		case "map":
			return {
				kind: "map",
				key: instantiate(type.key, parameters),
				value: instantiate(type.value, parameters),
			};
		default:
			return type;
	}
}
