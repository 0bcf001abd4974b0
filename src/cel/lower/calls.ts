/**
 * Lowers calls of functions: with patterns and address ranges prepared when they are literals, directly to the
 * library's implementation where types decide the overload, else to a choice at run time. Called by `lower.ts`.
 */

import type { Overload } from "../check/signatures.ts";
import { BOOL, INT, resolve, type Type } from "../check/types.ts";
import { DISPATCH } from "../cost/table.ts";
import { baseCost, type Preparation } from "../library/definition.ts";
import type { Operand } from "../library/operator-failures.ts";
import { operatorNamed } from "../library/operators.ts";
import { FUNCTIONS, IMPLEMENTATIONS } from "../library/table.ts";
import { isPatternFault } from "../pattern/pattern.ts";
import type { CallNode, Node } from "../tree/node.ts";
import { childrenOf, operationOf, textLiteral, variableOf } from "../tree/parts.ts";
import { isListMap } from "./header-reads.ts";
import { asNumber, boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";
import { readOf } from "./reads.ts";

export function lowerFunction(lowering: Lowering, node: CallNode, type: Type): Lowered {
	const { name, overloads } = node;
	const operands = childrenOf(node);
	const preparation = FUNCTIONS.get(name)?.prepared;
	const prepared = preparation && PREPARED[preparation](lowering, operands);
	if (prepared !== undefined) return prepared;
	const lowered = operands.map((operand) => lowering.lower(operand));
	const [overload] = overloads;
	if (name === "dyn" && lowered[0] !== undefined) {
		return { code: boxed(lowered[0]), type, fails: lowered[0].fails };
	}
	const isSure = operands.every((operand, at) => !isNullable(lowered[at]) || isNeverNull(operand));
	if (isSure && overload !== undefined && overloads.length === 1 && isDecided(overload, lowered)) {
		return direct(lowering, overload, lowered, type);
	}
	return chosenLater(lowering, name, overloads, lowered, type);
}

/** Does each operand have the kind that the overload wants, so that nothing is left to look at? */
const isDecided = ({ parameters }: Overload, operands: readonly Lowered[]): boolean =>
	parameters.every((parameter, at) => {
		const wanted = resolve(parameter).kind;
		const operand = operands[at];
		return wanted === "variable" || wanted === "dyn" || (operand && kindOf(operand) === wanted);
	});

/** Types whose values may be null all the same (`check/types.ts`), if they come out of lists, branches and the like. */
const isNullable = (lowered: Lowered | undefined): boolean =>
	lowered !== undefined && NULLABLE.has(kindOf(lowered));

/** What is known of an operand, for operators (`library/operators.ts`). */
export const operandOf = (lowered: Lowered, node: Node): Operand => ({
	kind: kindOf(lowered),
	mayBeNull: isNullable(lowered) && !isNeverNull(node),
	hasEveryName: isListMap(node),
});

const NULLABLE: ReadonlySet<string> = new Set(["duration", "optional", "record", "timestamp"]);

export const isNeverNull = (node: Node): boolean => {
	if (node.kind === "variable") return true;
	const name = node.kind === "optionalSelect" ? "_?._" : (operationOf(node)?.name ?? "");
	return (FUNCTIONS.get(name) ?? operatorNamed(name))?.neverNull === true;
};

function direct(
	lowering: Lowering,
	{ signature, parameters, result }: Overload,
	operands: readonly Lowered[],
	type: Type,
): Lowered {
	const implementation = IMPLEMENTATIONS.get(signature);
	if (implementation === undefined) throw new Error(`nothing implements ${signature}`);
	const { smallInts, resultMax, fails } = implementation;
	// what grows with operands the function charges itself
	lowering.spends(baseCost(implementation, operands.length));
	const args = operands.map((operand, at) => {
		const parameter = parameters[at];
		const isSmall = smallInts === true && parameter && resolve(parameter).kind === "int";
		return isSmall ? asNumber(operand) : boxed(operand);
	});
	const code = `${lowering.libraryFunction(signature)}(${args.join(", ")})`;
	const isNumber = smallInts === true && resolve(result).kind === "int";
	return {
		code,
		type,
		range: isNumber ? { min: -1, max: resultMax ?? Number.MAX_SAFE_INTEGER } : undefined,
		fails: fails || operands.some((operand) => operand.fails),
	};
}

function chosenLater(
	lowering: Lowering,
	name: string,
	overloads: readonly Overload[],
	operands: readonly Lowered[],
	type: Type,
): Lowered {
	lowering.spends(DISPATCH);
	const signatures = overloads.map(({ signature }) => signature);
	const chosen = lowering.constant({ kind: "overloads", name, signatures });
	const values = operands.map(boxed).join(", ");
	return { code: `${lowering.runtime("dispatched")}(${chosen}, [${values}])`, type, fails: true };
}

/** Undefined where the operands do not allow it. */
type Prepare = (lowering: Lowering, operands: readonly Node[]) => Lowered | undefined;

const isText = (lowering: Lowering, node: Node | undefined): node is Node =>
	node !== undefined && resolve(lowering.scope.typeOf(node)).kind === "string";

const matches: Prepare = (lowering, [text, pattern]) => {
	const source = pattern === undefined ? undefined : textLiteral(pattern);
	if (source === undefined || !isText(lowering, text)) return undefined;
	const subject = lowering.lower(text);
	const program = lowering.scope.pattern(source);
	if (isPatternFault(program)) throw new Error("the checker lets no bad pattern through");
	const constant = lowering.constant({ kind: "pattern", program });
	const { fails } = subject;
	if (!lowering.isMetered) return { code: `${constant}.test(${subject.code})`, type: BOOL, fails };
	const charged = lowering.constant({ kind: "pattern_program", program });
	const code = `${lowering.runtime("matchesCharged")}(${constant}, ${charged}, ${subject.code})`;
	return { code, type: BOOL, fails };
};

const inRanges: Prepare = (lowering, [address, ranges]) => {
	if (ranges === undefined || !isText(lowering, address)) return undefined;
	const elements = ranges.kind === "list" ? ranges.elements : [ranges];
	const texts = elements.map(textLiteral).filter((text) => text !== undefined);
	if (texts.length < elements.length) return undefined;
	const subject = lowering.lower(address);
	const constant = lowering.constant({ kind: "ranges", texts });
	const test = lowering.isMetered ? "inRangesCharged" : "inPreparedRanges";
	const code = `${lowering.runtime(test)}(${subject.code}, ${constant})`;
	const variable = variableOf(address);
	const isAddress = variable !== undefined && readOf(variable).isAddress;
	return { code, type: BOOL, fails: !isAddress };
};

const firstCookie =
	(name: "firstCookie" | "firstSetCookie"): Prepare =>
	(lowering, [list]) => {
		if (list === undefined) return undefined;
		const { code, fails } = lowering.lower(list);
		const type = lowering.scope.typeOf(list);
		const known = resolve(type);
		const element = known.kind === "list" ? known.element : type;
		return { code: `${lowering.runtime(name)}(${code})`, type: element, fails };
	};

/** Texts are found in texts by the engine itself, where nothing is counted. */
const plainText =
	(method: "includes" | "startsWith" | "endsWith"): Prepare =>
	(lowering, operands) => {
		const [first, second] = operands;
		if (lowering.isMetered || !isText(lowering, first) || !isText(lowering, second)) {
			return undefined;
		}
		const text = lowering.lower(first);
		const part = lowering.lower(second);
		return {
			code: `${text.code}.${method}(${part.code})`,
			type: BOOL,
			fails: text.fails || part.fails,
		};
	};

/** Lists know their length, maps their size; characters of a text have to be counted. */
const length: Prepare = (lowering, [operand]) => {
	const kind = operand === undefined ? undefined : resolve(lowering.scope.typeOf(operand)).kind;
	if (operand === undefined || !["bytes", "list", "map"].includes(kind ?? "")) return undefined;
	const { code, fails } = lowering.lower(operand);
	const member = kind === "map" ? "size" : "length";
	return { code: `${code}.${member}`, type: INT, range: { min: 0, max: 2 ** 32 }, fails };
};

const PREPARED: Readonly<Record<Preparation, Prepare>> = {
	first_cookie: firstCookie("firstCookie"),
	first_set_cookie: firstCookie("firstSetCookie"),
	length,
	pattern: matches,
	ranges: inRanges,
	text_ends: plainText("endsWith"),
	text_includes: plainText("includes"),
	text_starts: plainText("startsWith"),
};
