/**
 * What is told of a phase's rules, and what is seldom asked: names, places, and expressions to be asked by themselves. All
 * that deciding about a request takes is in the row (`rule-row.ts`); expressions that are in it whole are kept as texts,
 * and compiled again should one be asked by itself, which takes a request that has used up its time; heavy ones, which short
 * of that may run out of theirs, are kept as they are. Made by
 * `prepare.ts` and `listed-phase.ts`, shared by all routes with the policy.
 */
import type { Phase, Predicate } from "../../cel/expression.ts";
import type { CountedRules } from "../../telemetry/traffic/rule-counts.ts";
import type { Place } from "../exchange.ts";
import type { Compiler } from "../programs/compiler.ts";

/** A rule as it is compiled. */
export interface ToldRule {
	/** in the document */
	readonly index: number;
	readonly name: string;
	/** all must be true; expressions that are always true are left out; texts are compiled when they are asked for */
	readonly predicates: readonly Predicate[] | readonly string[];
	/** where in the rule each predicate stands; undefined: all expressions are there, in their order */
	readonly expressionIndexes: readonly number[] | undefined;
	/** its actions only report, and an expression that fails means that it does not apply */
	readonly reportsOnly: boolean;
}

type Compile = Pick<Compiler, "predicate">;
type Special = Pick<ToldRule, "index" | "expressionIndexes" | "reportsOnly">;

const NONE: readonly never[] = Object.freeze([]);

export class PhaseRules implements CountedRules {
	readonly #phase: Phase;
	/** of each rule its name, then its expressions, a single text by itself: there may be 100,000 policies */
	readonly #cells: unknown[];
	/** of rules that don't stand where they are in the document, or have anything else to them */
	readonly #special: ReadonlyMap<number, Special> | undefined;
	readonly #compiler: () => Compile;

	/** @param compiler makes one for a rule whose expressions are asked for after all */
	constructor(phase: Phase, rules: readonly ToldRule[], compiler: () => Compile) {
		this.#phase = phase;
		this.#compiler = compiler;
		this.#cells = new Array(rules.length * 2);
		let special: Map<number, Special> | undefined;
		for (const [at, rule] of rules.entries()) {
			const { index, name, predicates, expressionIndexes, reportsOnly } = rule;
			this.#cells[at * 2] = name;
			const [only] = predicates;
			const isText = predicates.length === 1 && typeof only === "string";
			this.#cells[at * 2 + 1] = predicates.length === 0 ? NONE : isText ? only : predicates.slice();
			if (index === at && expressionIndexes === undefined && !reportsOnly) continue;
			special ??= new Map();
			special.set(at, { index, expressionIndexes, reportsOnly });
		}
		this.#special = special;
	}

	get length(): number {
		return this.#cells.length / 2;
	}

	indexOf(rule: number): number {
		return this.#special?.get(rule)?.index ?? rule;
	}

	nameOf(rule: number): string {
		return this.#cells[rule * 2] as string;
	}

	reportsOnly(rule: number): boolean {
		return this.#special?.get(rule)?.reportsOnly === true;
	}

	/** The texts of its predicates. */
	sourcesOf(rule: number): readonly string[] {
		const kept = this.#kept(rule);
		return areTexts(kept) ? kept : kept.map(({ source }) => source);
	}

	predicatesOf(rule: number): readonly Predicate[] {
		const sources = this.#kept(rule);
		if (!areTexts(sources)) return sources;
		const compiler = this.#compiler();
		const made = sources.map((source) => {
			const compiled = compiler.predicate(source, this.#phase);
			if (!compiled.ok) throw new Error(`an expression that was compiled is refused: ${source}`);
			return compiled.value;
		});
		this.#cells[rule * 2 + 1] = made;
		return made;
	}

	#kept(rule: number): readonly string[] | readonly Predicate[] {
		const kept = this.#cells[rule * 2 + 1] as string | readonly string[] | readonly Predicate[];
		return typeof kept === "string" ? [kept] : kept;
	}

	/** Made when it is told. @param predicate of the rule's */
	placeOf(rule: number, predicate: number): Place {
		const expressionIndex = this.#special?.get(rule)?.expressionIndexes?.[predicate] ?? predicate;
		return this.#place(rule, expressionIndex, -1);
	}

	actionPlace(rule: number, action: number): Place {
		return this.#place(rule, -1, action);
	}

	get phase(): Phase {
		return this.#phase;
	}

	#place(rule: number, expressionIndex: number, actionIndex: number): Place {
		const [phase, ruleIndex, ruleName] = [this.#phase, this.indexOf(rule), this.nameOf(rule)];
		return { phase, ruleIndex, ruleName, expressionIndex, actionIndex };
	}
}

/** Of a rule's first action. Read from the rules when it is told, which is seldom, for they are seldom at hand. */
export class EndPlace implements Place {
	readonly #of: { readonly rules: PhaseRules };
	readonly #rule: number;

	/** Hot. @param of the phase that has the rules */
	constructor(of: { readonly rules: PhaseRules }, rule: number) {
		this.#of = of;
		this.#rule = rule;
	}

	get phase(): Phase {
		return this.#of.rules.phase;
	}
	get ruleIndex(): number {
		return this.#of.rules.indexOf(this.#rule);
	}
	get ruleName(): string {
		return this.#of.rules.nameOf(this.#rule);
	}
	get expressionIndex(): number {
		return -1;
	}
	get actionIndex(): number {
		return 0;
	}
}

const areTexts = (list: readonly string[] | readonly Predicate[]): list is readonly string[] =>
	typeof list[0] === "string";
