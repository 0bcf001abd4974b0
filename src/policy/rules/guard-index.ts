/**
 * Finds the rules of a phase that may apply to a request at all, by the guards of their expressions: one look-up each
 * for method, host and path instead of one evaluation for every rule. Made by `prepare.ts`. `evaluate.ts` asks it for
 * each request, and again after actions ran, since a url-rewrite changes the path.
 *
 * The rules that an attribute admits are a set of bits; the sets of all attributes are joined by AND.
 */
import type { Attributes } from "../../cel/attributes.ts";
import type { Guard, Predicate } from "../../cel/expression.ts";
import { bothOf, type Guards, NO_GUARDS } from "../../cel/guard/algebra.ts";
import { AttributeIndex } from "./attribute-index.ts";
import type { RuleFusion } from "./fusion.ts";

/** The attributes that rules are selected by. */
type Selecting = Pick<Attributes, "method" | "host"> & {
	readonly url: Pick<Attributes["url"], "path">;
};

/**
 * From so many guarded rules on, one look-up is quicker than asking each rule: a look-up takes 40 to 170 ns, a rule
 * asked in vain at least 7 ns (AMD EPYC, Node 20.20; `npm run bench:rules`).
 */
const PAYS_FROM = 8;

export class GuardIndex {
	/** of fewer rules `pays` is false */
	static readonly paysFrom = PAYS_FROM;
	readonly #method: AttributeIndex | undefined;
	readonly #host: AttributeIndex | undefined;
	readonly #path: AttributeIndex | undefined;
	/** a bit for each rule */
	readonly #selected: Uint32Array;
	readonly #everyRule: Uint32Array;
	/** rules without guards that can be asked in one call */
	readonly #fusion: RuleFusion | undefined;

	/**
	 * @param guards of each rule, in order, as `ruleGuards` gives them; a rule without guards is always selected
	 * @param fusion asks rules without guards, so that `next` passes over those that don't apply
	 */
	constructor(guards: readonly Guards[], fusion?: RuleFusion) {
		this.#fusion = fusion;
		const index = (attribute: Guard["attribute"]): AttributeIndex | undefined => {
			const own = guards.map((all) => all.find((guard) => guard.attribute === attribute));
			return own.every((guard) => guard === undefined) ? undefined : new AttributeIndex(own);
		};
		this.#method = index("method");
		this.#host = index("host");
		this.#path = index("path");
		this.#everyRule = new Uint32Array(Math.ceil(guards.length / 32));
		for (let rule = 0; rule < guards.length; rule++) {
			this.#everyRule[rule >>> 5] = (this.#everyRule[rule >>> 5] ?? 0) | (1 << (rule & 31));
		}
		this.#selected = this.#everyRule.slice();
	}

	/** Are there so many rules with guards that the index is quicker than asking each rule? */
	static pays(guards: readonly Guards[]): boolean {
		return guards.filter((all) => all.length > 0).length >= PAYS_FROM;
	}

	/** Hot. Call it before `next`, once for each exchange and again after its URL changed. */
	select(exchange: Selecting): void {
		this.#selected.set(this.#everyRule);
		const selected = this.#selected;
		if (this.#method?.narrow(selected, exchange.method) === false) return;
		if (this.#host?.narrow(selected, exchange.host) === false) return;
		this.#path?.narrow(selected, exchange.url.path);
	}

	/** Hot. The first selected rule at or after `from` that may apply; -1 if there is none. */
	next(from: number, exchange: Attributes): number {
		const words = this.#selected.length;
		let from32 = -1 << (from & 31);
		for (let word = from >>> 5; word < words; word++) {
			let bits = (this.#selected[word] ?? 0) & from32;
			if (bits !== 0 && this.#fusion !== undefined) bits &= this.#fusion.mask(word, exchange);
			if (bits !== 0) return (word << 5) + 31 - Math.clz32(bits & -bits);
			from32 = -1;
		}
		return -1;
	}
}

/**
 * The guards that must hold if a rule is to apply. An expression behind one that can fail is left out: the failure is
 * the rule's, whatever comes after it.
 */
export function ruleGuards(predicates: readonly Pick<Predicate, "canFail" | "guards">[]): Guards {
	let guards = NO_GUARDS;
	for (const predicate of predicates) {
		guards = bothOf(guards, predicate.guards);
		if (predicate.canFail) break;
	}
	return guards;
}
