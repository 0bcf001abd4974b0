/**
 * Several predicates in one function: for policies of many rules, of which most don't apply. A function each
 * costs some 25 ns where there are hundreds, most of it for coming to another function; here it is the
 * comparison alone, and what one rule has read of the request the next one need not read again. Called by
 * `program.ts`.
 */

import type { Attributes } from "../attributes.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import { type Code, variables } from "./code.ts";
import { openConstant } from "./constants.ts";
import { RUNTIME } from "./runtime.ts";

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
		'"use strict";',
		fusion.declarations(),
		// in brackets, as the engine compiles at once what looks like being called at once
		"return (function (a) {",
		variables([...fusion.shared.values()]),
		"let bits = 0;",
		...statements,
		"return bits;",
		"});",
	].join("\n");
	const make = new Function("k", "f", "r", text);
	return make(
		fusion.codes.flatMap(({ constants }) => constants.map(openConstant)),
		fusion.codes.flatMap(({ functions }) =>
			functions.map((signature) => IMPLEMENTATIONS.get(signature)?.call),
		),
		RUNTIME,
	);
}

/** Names in code that each expression counts from 0: constants, functions, shared reads. */
const OWN_NAMES = /\b(?:([kf])(\d+)|(s_\d+))\b/g;

class Fusion {
	readonly codes: Code[] = [];
	/** by what they hold */
	readonly shared = new Map<string, string>();
	readonly #names = new Set<string>();
	#constants = 0;
	#functions = 0;

	rule(codes: readonly Code[] | undefined, at: number): string {
		const applies = `bits |= ${1 << at};`;
		if (codes === undefined) return applies;
		const steps = codes.map((code) => {
			const rename = this.#renaming(code);
			return `{ ${rename(code.body)} if (!(${rename(code.result)})) break rule_${at}; }`;
		});
		return `rule_${at}: { ${steps.join(" ")} ${applies} }`;
	}

	declarations(): string {
		const each = (letter: string, count: number): string =>
			Array.from({ length: count }, (_, at) => `const ${letter}${at} = ${letter}[${at}];`).join("");
		const names = this.#names.size > 0 ? `const {${[...this.#names].join(",")}} = r;` : "";
		return each("k", this.#constants) + each("f", this.#functions) + names;
	}

	#renaming(code: Code): (text: string) => string {
		const first = { k: this.#constants, f: this.#functions };
		this.codes.push(code);
		this.#constants += code.constants.length;
		this.#functions += code.functions.length;
		for (const name of code.names) this.#names.add(name);
		const shared = new Map(code.shared.map(([key, variable]) => [variable, this.#variable(key)]));
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
