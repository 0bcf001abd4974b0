/**
 * Lowers macros to plain loops (CEL specification, "Macros"; two-variable comprehensions and bindings extensions).
 * `exists` and `all` stop at the first element that decides, and then absorb the failures of other elements. The
 * other macros fail with the first element that fails. Called by `lower.ts`.
 */

import { BOOL, DYN, INT, resolve, type Type } from "../check/types.ts";
import { ENTRY, LOOK_UP, LOOP_TURN } from "../cost/table.ts";
import type {
	BindNode,
	ListMacroNode,
	LoopNode,
	MapMacroNode,
	QuantifierNode,
} from "../tree/node.ts";
import { booleanConstant, truthOf } from "./logic.ts";
import { boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

const LENGTH_MAX = 2 ** 32;

/**
 * Writes the loop around what `turn` writes.
 * @returns whether the range itself may fail
 */
function loopOver(
	lowering: Lowering,
	{ variables }: LoopNode,
	range: Lowered,
	turn: () => void,
): boolean {
	lowering.spends(ENTRY);
	const [firstName, secondName] = variables;
	const kind = kindOf(range);
	const isSure = kind === "list" || kind === "map";
	const source = boxed(range);
	const whole = lowering.bound(source);
	const elements = kind === "list" ? whole : lowering.name();
	if (kind === "map") lowering.line(`const ${elements} = ${whole}.keys();`);
	if (!isSure) lowering.line(`const ${elements} = ${lowering.runtime("elementsOf")}(${whole});`);
	const at = lowering.name("i");
	const element = lowering.name("v");
	let spent = 0;
	const { lines } = lowering.captured(() => {
		lowering.line(`const ${element} = ${elements}[${at}];`);
		const first = { code: element, type: firstType(range), fails: false };
		spent = lowering.spentIn(() => {
			if (secondName === undefined) {
				lowering.withLocal(firstName, first, turn);
			} else {
				const [key, value] = bothVariables(lowering, range, whole, at, element);
				lowering.withLocal(firstName, key, () => lowering.withLocal(secondName, value, turn));
			}
		});
		return first;
	});
	const charge = lowering.isMetered ? `${lowering.runtime("charge")}(${LOOP_TURN + spent});` : "";
	const body = `${charge} ${lines.join(" ")}`;
	lowering.line(`for (let ${at} = 0; ${at} < ${elements}.length; ${at}++) { ${body} }`);
	return range.fails || !isSure;
}

function firstType({ type }: Lowered): Type {
	const known = resolve(type);
	if (known.kind === "list") return known.element;
	return known.kind === "map" ? known.key : DYN;
}

/** Of a list index and element, of a map key and value. */
function bothVariables(
	lowering: Lowering,
	range: Lowered,
	whole: string,
	at: string,
	element: string,
): readonly [Lowered, Lowered] {
	const known = resolve(range.type);
	if (known.kind === "list") {
		const index = { code: at, type: INT, range: { min: 0, max: LENGTH_MAX }, fails: false };
		return [index, { code: element, type: known.element, fails: false }];
	}
	if (known.kind === "map") {
		lowering.spends(LOOK_UP);
		const value = lowering.bound(`${whole}.get(${element})`);
		return [
			{ code: element, type: known.key, fails: false },
			{ code: value, type: known.value, fails: false },
		];
	}
	lowering.spends(LOOK_UP);
	const isList = `Array.isArray(${whole})`;
	const key = lowering.bound(`${isList} ? BigInt(${at}) : ${element}`);
	const value = lowering.bound(`${isList} ? ${element} : ${whole}.get(${element})`);
	return [
		{ code: key, type: DYN, fails: false },
		{ code: value, type: DYN, fails: false },
	];
}

export function lowerQuantifier(lowering: Lowering, node: QuantifierNode): Lowered {
	const range = lowering.lower(node.range);
	return node.macro === "exists_one"
		? lowerExistsOne(lowering, node, range)
		: lowerExists(lowering, node, range, node.macro === "exists");
}

/** @param decisive what the condition must be for the loop to stop: true for `exists`, false for `all` */
function lowerExists(
	lowering: Lowering,
	node: QuantifierNode,
	range: Lowered,
	decisive: boolean,
): Lowered {
	const result = lowering.name();
	const kept = lowering.name("e");
	let absorbs = false;
	const { lines, lowered: rangeFails } = lowering.captured(() => {
		const fails = loopOver(lowering, node, range, () => {
			const condition = lowering.captured(() => truthOf(lowering, lowering.lower(node.condition)));
			const { code } = condition.lowered;
			const test = `if (${decisive ? code : `!${code}`}) { ${result} = ${decisive}; break; }`;
			const step = [...condition.lines, test].join(" ");
			if (!condition.lowered.fails) {
				lowering.line(step);
				return;
			}
			absorbs = true;
			const absorb = `${kept} = ${lowering.runtime("absorbed")}(x);`;
			lowering.line(`try { ${step} } catch (x) { ${absorb} }`);
		});
		return { ...booleanConstant(decisive), fails };
	});
	lowering.line(`let ${result} = ${!decisive};`);
	if (absorbs) lowering.line(`let ${kept};`);
	for (const line of lines) lowering.line(line);
	if (absorbs) {
		lowering.line(`if (${result} !== ${decisive} && ${kept} !== undefined) throw ${kept};`);
	}
	return { code: result, type: BOOL, fails: absorbs || rangeFails.fails };
}

function lowerExistsOne(lowering: Lowering, node: QuantifierNode, range: Lowered): Lowered {
	const found = lowering.name();
	lowering.line(`let ${found} = 0;`);
	let fails = false;
	const rangeFails = loopOver(lowering, node, range, () => {
		const condition = truthOf(lowering, lowering.lower(node.condition));
		fails = condition.fails;
		lowering.line(`if (${condition.code}) ${found}++;`);
	});
	return { code: `(${found} === 1)`, type: BOOL, fails: fails || rangeFails };
}

export function lowerListMacro(lowering: Lowering, node: ListMacroNode, type: Type): Lowered {
	const range = lowering.lower(node.range);
	const list = lowering.name();
	lowering.line(`const ${list} = [];`);
	let fails = false;
	const rangeFails = loopOver(lowering, node, range, () => {
		const test = node.condition && truthOf(lowering, lowering.lower(node.condition));
		const added = lowering.captured(() => lowering.lower(node.element));
		fails = added.lowered.fails || test?.fails === true;
		const step = `${added.lines.join(" ")} ${list}.push(${boxed(added.lowered)});`;
		lowering.line(test === undefined ? step : `if (${test.code}) { ${step} }`);
	});
	return { code: list, type, fails: fails || rangeFails };
}

/** `transformMap` keeps the keys; `transformMapEntry` makes a map of one or more entries each turn. */
export function lowerMapMacro(lowering: Lowering, node: MapMacroNode, type: Type): Lowered {
	const range = lowering.lower(node.range);
	const builder = lowering.name();
	lowering.line(`const ${builder} = ${lowering.runtime("mapBuilder")}();`);
	loopOver(lowering, node, range, () => {
		const test = node.condition && truthOf(lowering, lowering.lower(node.condition));
		const added = lowering.captured(() => lowering.lower(node.element));
		const value = boxed(added.lowered);
		const step =
			node.macro === "transform_map"
				? `${builder}.put(${boxed(lowering.lower(node.key))}, ${value});`
				: `${lowering.runtime("addEntries")}(${builder}, ${value});`;
		const all = `${added.lines.join(" ")} ${step}`;
		lowering.line(test === undefined ? all : `if (${test.code}) { ${all} }`);
	});
	return { code: `${builder}.build()`, type, fails: true };
}

/** `cel.bind(variable, value, body)`: a failure of the value fails the body where it uses the variable only. */
export function lowerBind(lowering: Lowering, node: BindNode, type: Type): Lowered {
	const { lines, lowered } = lowering.captured(() => lowering.lower(node.value));
	const body = (local: Lowered): Lowered => ({
		...lowering.withLocal(node.variable, local, () => lowering.lower(node.body)),
		type,
	});
	if (!lowered.fails) {
		for (const line of lines) lowering.line(line);
		return body({ ...lowered, code: lowering.bound(lowered.code) });
	}
	const value = lowering.name();
	const kept = lowering.name("e");
	const absorb = `${kept} = ${lowering.runtime("absorbed")}(x);`;
	lowering.line(
		`let ${value}, ${kept}; try { ${lines.join(" ")} ${value} = ${lowered.code}; } catch (x) { ${absorb} }`,
	);
	const code = `${lowering.runtime("unlessFailed")}(${value}, ${kept})`;
	return body({ ...lowered, constant: undefined, code });
}
