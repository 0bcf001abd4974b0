/**
 * The state of lowering one expression: the code written so far, and the constants and functions that it
 * refers to. `assemble.ts` makes one for each expression; all functions of this folder take it along.
 *
 * A node becomes a JavaScript expression where that will do. What needs a loop, a `try` or a name of its own
 * becomes statements, written into the block that is open, and the JavaScript expression refers to their
 * result. An operand that is evaluated only under a condition is lowered by `captured`, which collects its
 * statements in a block of their own; the caller puts this block behind the condition.
 */
import type { Scope } from "../check/scope.ts";
import type { Node } from "../tree/node.ts";
import type { DeriveName } from "../variables/table.ts";
import type { Constant } from "./code.ts";
import { isSimple, type Lowered } from "./lowered.ts";
import { readOf } from "./reads.ts";
import type { RUNTIME } from "./runtime.ts";

export interface Captured {
	/** statements that come before `lowered.code` */
	readonly lines: readonly string[];
	readonly lowered: Lowered;
}

/** What `assemble.ts` hands in, so that files of this folder need not import each other in circles. */
export interface LoweringSteps {
	/** a part that is the same for every request, evaluated */
	folded(lowering: Lowering, node: Node): Lowered | undefined;
	node(lowering: Lowering, node: Node): Lowered;
	/** may comparisons of one variable be made one test? Not where each is to be looked at. */
	readonly joins: boolean;
}

export class Lowering {
	readonly scope: Scope;
	/** does the code charge its work to the budget? */
	readonly isMetered: boolean;
	readonly constants: Constant[] = [];
	/** signatures of the library functions that the code calls */
	readonly functions: string[] = [];
	readonly reads = new Set<string>();
	readonly runtimeNames = new Set<string>();
	/** JavaScript variables that keep values read from the attributes, by a key for the value */
	readonly shared = new Map<string, string>();
	#texts: Map<string, string> | undefined;
	readonly #steps: LoweringSteps;
	readonly #locals: { readonly name: string; readonly lowered: Lowered }[] = [];
	#block: string[] = [];
	#spent = 0;
	#names = 0;

	constructor(scope: Scope, isMetered: boolean, steps: LoweringSteps) {
		this.scope = scope;
		this.isMetered = isMetered;
		this.#steps = steps;
	}

	get joins(): boolean {
		return this.#steps.joins;
	}

	lower(node: Node): Lowered {
		return this.#steps.folded(this, node) ?? this.#steps.node(this, node);
	}

	/** The statements written since the last `captured` began; the whole body in the end. */
	get lines(): readonly string[] {
		return this.#block;
	}

	line(code: string): void {
		this.#block.push(code);
	}

	/** Lowers with a block of its own. */
	captured(make: () => Lowered): Captured {
		const outer = this.#block;
		this.#block = [];
		const lowered = make();
		const lines = this.#block;
		this.#block = outer;
		return { lines, lowered };
	}

	/** A name that nothing else has. */
	name(prefix = "t"): string {
		return `${prefix}_${this.#names++}`;
	}

	/** The same value under a name, where the code would be too much to repeat. */
	bound(code: string): string {
		if (isSimple(code)) return code;
		const name = this.name();
		this.line(`const ${name} = ${code};`);
		return name;
	}

	constant(constant: Constant): string {
		return `k${this.constants.push(constant) - 1}`;
	}

	/** The same text is one constant. */
	text(value: string): string {
		const known = this.#texts?.get(value);
		if (known !== undefined) return known;
		const name = this.constant({ kind: "value", value });
		this.#texts ??= new Map();
		this.#texts.set(value, name);
		return name;
	}

	/** The name of a function of `runtime.ts`. */
	runtime(name: keyof typeof RUNTIME | DeriveName): string {
		this.runtimeNames.add(name);
		return name;
	}

	libraryFunction(signature: string): string {
		const known = this.functions.indexOf(signature);
		return `f${known < 0 ? this.functions.push(signature) - 1 : known}`;
	}

	/** Code that reads an attribute, at the first place that the evaluation comes to; it is kept for all others. */
	read(key: string, code: string, paths: readonly string[]): string {
		for (const path of paths) this.reads.add(path);
		const name = this.shared.get(key) ?? this.name("s");
		this.shared.set(key, name);
		return `(${name} ??= ${code})`;
	}

	readVariable(variable: string): string {
		const { code, derive, reads } = readOf(variable);
		if (derive !== undefined) this.runtime(derive);
		return this.read(variable, code, reads);
	}

	/** Of the variable of a macro: the checker leaves no other identifiers. */
	local(name: string): Lowered {
		const local = this.#locals.findLast((each) => each.name === name);
		if (local === undefined) throw new Error(`nothing is called ${name}`);
		return local.lowered;
	}

	withLocal<T>(name: string, lowered: Lowered, make: () => T): T {
		this.#locals.push({ name, lowered });
		const made = make();
		this.#locals.pop();
		return made;
	}

	/** Notes nanoseconds of work that doesn't depend on operands; the loop around charges them at each turn. */
	spends(nanoseconds: number): void {
		this.#spent += nanoseconds;
	}

	/** What `make` notes, and that it is noted no further: loops charge for themselves. */
	spentIn(make: () => void): number {
		const before = this.#spent;
		this.#spent = 0;
		make();
		const spent = this.#spent;
		this.#spent = before;
		return spent;
	}
}
