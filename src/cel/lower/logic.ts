/**
 * Lowers `&&`, `||`, `!` and `?:` (CEL specification, "Logical Operators"). In `&&` and `||` an operand that
 * decides absorbs the failure of another operand, whichever comes first. So the code asks operands that can't
 * fail first, and keeps a failure for later only where two or more operands can fail. Called by `lower.ts`.
 */

import { BOOL, resolve, type Type } from "../check/types.ts";
import { isPlain } from "../guard/plain.ts";
import type { BinaryNode, ConditionalNode, Node } from "../tree/node.ts";
import { chainOf } from "../tree/parts.ts";
import { boxed, fits, kindOf, type Lowered } from "./lowered.ts";
import type { Captured, Lowering } from "./lowering.ts";
import { membershipOf } from "./membership.ts";

/** Makes sure of a bool: the code tests a value of type dyn when it is evaluated. */
export function truthOf(lowering: Lowering, lowered: Lowered): Lowered {
	if (kindOf(lowered) === "bool") return lowered;
	return { code: `${lowering.runtime("truth")}(${boxed(lowered)})`, type: BOOL, fails: true };
}

export const booleanConstant = (value: boolean): Lowered => ({
	code: String(value),
	type: BOOL,
	fails: false,
	constant: { value },
});

export function lowerNot(lowering: Lowering, operand: Node): Lowered {
	const { code, fails, constant } = truthOf(lowering, lowering.lower(operand));
	if (constant !== undefined) return booleanConstant(constant.value === false);
	return { code: `!${code}`, type: BOOL, fails };
}

/** Of `&&` and `||`. */
export function lowerLogical(lowering: Lowering, node: BinaryNode): Lowered {
	/** the operand's value that settles the whole */
	const decisive = node.operator === "_||_";
	const chain = chainOf(node, node.operator);
	const operands =
		decisive && lowering.joins
			? membershipOf(lowering, chain)
			: plainFirst(chain).map((each) => () => lowering.lower(each));
	const parts = operands.map((operand) => lowering.captured(() => truthOf(lowering, operand())));
	if (parts.some(({ lowered }) => lowered.constant?.value === decisive)) {
		return booleanConstant(decisive);
	}
	const open = parts.filter(({ lowered }) => lowered.constant === undefined);
	const [only] = open;
	if (only === undefined) return booleanConstant(!decisive);
	const sure = loopsLast(open.filter(({ lowered }) => !lowered.fails));
	const failing = open.filter(({ lowered }) => lowered.fails);
	const ordered = [...sure, ...failing];
	const fails = failing.length > 0;
	if (failing.length < 2 && ordered.slice(1).every(({ lines }) => lines.length === 0)) {
		for (const line of ordered[0]?.lines ?? []) lowering.line(line);
		const code = ordered.map(({ lowered }) => lowered.code).join(decisive ? " || " : " && ");
		return { code: ordered.length === 1 ? code : `(${code})`, type: BOOL, fails };
	}
	return { code: inSteps(lowering, sure, failing, decisive), type: BOOL, fails };
}

/** What guards are made of comes before all else (`guard/plain.ts`). */
const plainFirst = (chain: readonly Node[]): readonly Node[] => [
	...chain.filter(isPlain),
	...chain.filter((each) => !isPlain(each)),
];

/** Operands that need statements are mostly more work, so they come last. */
const loopsLast = (parts: readonly Captured[]): readonly Captured[] => [
	...parts.filter(({ lines }) => lines.length === 0),
	...parts.filter(({ lines }) => lines.length > 0),
];

/** One statement for each operand, each under the condition that none before decided. */
function inSteps(
	lowering: Lowering,
	sure: readonly Captured[],
	failing: readonly Captured[],
	decisive: boolean,
): string {
	const result = lowering.name();
	const undecided = decisive ? `!${result}` : result;
	lowering.line(`let ${result} = ${!decisive};`);
	for (const part of runsOf(sure, decisive)) {
		lowering.line(`if (${undecided}) { ${part.lines.join(" ")} ${result} = ${part.code}; }`);
	}
	const last = failing.at(-1);
	if (last === undefined) return result;
	const kept = failing.length > 1 ? lowering.name("e") : undefined;
	if (kept !== undefined) lowering.line(`let ${kept};`);
	for (const part of failing) {
		const step = `${part.lines.join(" ")} ${result} = ${part.lowered.code};`;
		if (part === last) lowering.line(`if (${undecided}) { ${step} }`);
		else {
			const absorb = `${kept} = ${lowering.runtime("absorbed")}(x); ${result} = ${!decisive};`;
			lowering.line(`if (${undecided}) { try { ${step} } catch (x) { ${absorb} } }`);
		}
	}
	if (kept !== undefined)
		lowering.line(`if (${undecided} && ${kept} !== undefined) throw ${kept};`);
	return result;
}

/** Neighbours that are mere expressions, joined. */
function runsOf(
	parts: readonly Captured[],
	decisive: boolean,
): readonly { readonly lines: readonly string[]; readonly code: string }[] {
	const runs: { lines: readonly string[]; code: string }[] = [];
	for (const { lines, lowered } of parts) {
		const before = runs.at(-1);
		if (before === undefined || lines.length > 0) runs.push({ lines, code: lowered.code });
		else before.code += `${decisive ? " || " : " && "}${lowered.code}`;
	}
	return runs;
}

export function lowerConditional(
	lowering: Lowering,
	{ condition, whenTrue, whenFalse }: ConditionalNode,
	type: Type,
): Lowered {
	const test = truthOf(lowering, lowering.lower(condition));
	if (test.constant !== undefined) {
		// the branch's own type may be narrower than the whole's, which tells nobody anything wrong
		return lowering.lower(test.constant.value === true ? whenTrue : whenFalse);
	}
	const yes = lowering.captured(() => lowering.lower(whenTrue));
	const no = lowering.captured(() => lowering.lower(whenFalse));
	const { codes, range } = alike(yes.lowered, no.lowered, type);
	const fails = test.fails || yes.lowered.fails || no.lowered.fails;
	if (yes.lines.length + no.lines.length === 0) {
		return { code: `(${test.code} ? ${codes[0]} : ${codes[1]})`, type, range, fails };
	}
	const result = lowering.name();
	lowering.line(
		`let ${result}; if (${test.code}) { ${yes.lines.join(" ")} ${result} = ${codes[0]}; } else { ${no.lines.join(" ")} ${result} = ${codes[1]}; }`,
	);
	return { code: result, type, range, fails };
}

/** Both branches in one form: as numbers only where both are and the whole is an int. */
function alike(
	yes: Lowered,
	no: Lowered,
	type: Type,
): { readonly codes: readonly [string, string]; readonly range: Lowered["range"] } {
	if (yes.range !== undefined && no.range !== undefined && resolve(type).kind === "int") {
		const range = {
			min: Math.min(yes.range.min, no.range.min),
			max: Math.max(yes.range.max, no.range.max),
		};
		if (fits(range)) return { codes: [yes.code, no.code], range };
	}
	return { codes: [boxed(yes), boxed(no)], range: undefined };
}
