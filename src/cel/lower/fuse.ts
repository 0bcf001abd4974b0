/**
 * Puts the predicates of several rules into one function, for policies of many rules of which most don't apply.
 * With hundreds of rules a function for each costs some 25 ns, most of it for the call. In one function only the
 * comparisons remain, and a value that one rule has read from the request is not read again for the next. Called
 * by `program.ts`.
 */
import type { Attributes } from "../attributes.ts";
import type { Code, Constant } from "./code.ts";
import { made, prelude, type References, variables } from "./open.ts";

/** rules that one function asks: as many as a number has bits */
export const FUSED_RULES = 32;

/** Hot. A bit for each rule, the first the lowest: does it apply? */
export type FusedRun = (attributes: Attributes) => number;

/**
 * @param rules for each the code of its predicates, which yield bools and never fail; undefined: not asked,
 * its bit is set
 */
export function fuse(rules: readonly (readonly Code[] | undefined)[]): FusedRun {
	const fusion = new Fusion();
	const statements = rules.map((codes, at) => fusion.rule(codes, at));
	const text = [
		prelude(fusion),
		// in brackets, as the engine compiles at once what looks like being called at once
		"return (function (a) {",
		variables([...fusion.shared.values()]),
		"let bits = 0;",
		...statements,
		"return bits;",
		"});",
	].join("\n");
	return made(text, fusion);
}

/** Names in code that each expression counts from 0: constants, functions, shared reads. */
const OWN_NAMES = /\b(?:([kf])(\d+)|(s_\d+))\b/g;

class Fusion implements References {
	readonly constants: Constant[] = [];
	readonly functions: string[] = [];
	/** by the keys of their values, as in `Code.shared` */
	readonly shared = new Map<string, string>();
	readonly #names = new Set<string>();

	get names(): readonly string[] {
		return [...this.#names];
	}

	rule(codes: readonly Code[] | undefined, at: number): string {
		const applies = `bits |= ${1 << at};`;
		if (codes === undefined) return applies;
		const steps = codes.map((code) => {
			const rename = this.#renaming(code);
			return `{ ${rename(code.shape.body)} if (!(${rename(code.shape.result)})) break rule_${at}; }`;
		});
		return `rule_${at}: { ${steps.join(" ")} ${applies} }`;
	}

	#renaming({ shape, constants }: Code): (text: string) => string {
		const first = { k: this.constants.length, f: this.functions.length };
		this.constants.push(...constants);
		this.functions.push(...shape.functions);
		for (const name of shape.names) this.#names.add(name);
		const shared = new Map(shape.shared.map(([key, variable]) => [variable, this.#variable(key)]));
		return (text) =>
			text.replace(OWN_NAMES, (name, letter: "k" | "f" | undefined, index: string) =>
				letter === undefined
					? (shared.get(name) ?? name)
					: `${letter}${first[letter] + Number(index)}`,
			);
	}

	#variable(key: string): string {
		const variable = this.shared.get(key) ?? `h_${this.shared.size}`;
		this.shared.set(key, variable);
		return variable;
	}
}
