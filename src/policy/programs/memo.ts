/** The texts of one kind that a document's compiler has compiled. Used by `compiler.ts`. */
import type { ExpressionProblem, Phase } from "../../cel/expression.ts";
import type { Result } from "../../errors.ts";

export type Compiled<T> = Result<T, readonly ExpressionProblem[]>;

/** Most documents are small, and of few texts one is found sooner by looking at each than by what all of them hash to. */
const FEW = 8;

interface Entry<T> {
	readonly phase: Phase;
	readonly source: string;
	readonly compiled: Compiled<T>;
}

/** What holds nothing is not made: most documents have texts of one kind. */
export class Memo<T> {
	#few: Entry<T>[] | undefined;
	/** all of them, once they are more */
	#many: Readonly<Record<Phase, Map<string, Compiled<T>>>> | undefined;

	get(phase: Phase, source: string): Compiled<T> | undefined {
		if (this.#many !== undefined) return this.#many[phase].get(source);
		const few = this.#few;
		if (few === undefined) return undefined;
		for (let at = 0; at < few.length; at++) {
			const each = few[at] as Entry<T>;
			if (each.source === source && each.phase === phase) return each.compiled;
		}
		return undefined;
	}

	/** Of a text that is not there. */
	set(phase: Phase, source: string, compiled: Compiled<T>): void {
		if (this.#many !== undefined) {
			this.#many[phase].set(source, compiled);
			return;
		}
		this.#few ??= [];
		this.#few.push({ phase, source, compiled });
		if (this.#few.length <= FEW) return;
		this.#many = { inbound: new Map(), outbound: new Map() };
		for (const each of this.#few) this.#many[each.phase].set(each.source, each.compiled);
	}
}
