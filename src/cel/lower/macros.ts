/**
 * Macros as plain loops (CEL specification, "Macros"; two-variable comprehensions and bindings extensions):
 * `exists` and `all` stop at the first element that decides and absorb failures of others; the rest fail
 * with the first that fails.
 */

import { BOOL, DYN, INT, resolve, type Type } from "../check/types.ts";
import { ENTRY, LOOK_UP, LOOP_TURN } from "../cost/table.ts";
import { type Macro, macroBody } from "../tree/macros.ts";
import type { Comprehension, Expr } from "../tree/syntax.ts";
import { booleanConstant, truthOf } from "./logic.ts";
import { boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

const LENGTH_MAX = 2 ** 32;

interface Loop {
	readonly comprehension: Comprehension;
	readonly range: Lowered;
	readonly body: ReturnType<typeof macroBody>;
	readonly type: Type;
}

export function lowerComprehension(
	lowering: Lowering,
	comprehension: Comprehension,
	macro: Macro,
	type: Type,
): Lowered {
	const body = macroBody(macro, comprehension);
	if (macro === "bind") return lowerBind(lowering, comprehension, body.init, type);
	const { iterRange } = comprehension;
	if (iterRange === undefined) throw new Error("a macro has a range");
	const loop: Loop = { comprehension, range: lowering.lower(iterRange), body, type };
	switch (macro) {
		case "all":
			return lowerQuantifier(lowering, loop, false);
		case "exists":
			return lowerQuantifier(lowering, loop, true);
		case "exists_one":
			return lowerExistsOne(lowering, loop);
		case "filter":
		case "map":
		case "map_filter":
		case "transform_list":
		case "transform_list_filter":
			return lowerCollect(lowering, loop);
		default:
			return lowerTransformMap(lowering, loop, macro.startsWith("transform_map_entry"));
	}
}

const required = (node: Expr | undefined): Expr => {
	if (node === undefined) throw new Error("a macro lacks a part");
	return node;
};

/**
 * Writes the loop around what `turn` writes.
 * @returns whether the range itself may fail
 */
function loopOver(lowering: Lowering, loop: Loop, turn: () => void): boolean {
	const { comprehension, range } = loop;
	lowering.spends(ENTRY);
	const { iterVar, iterVar2 } = comprehension;
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
			if (iterVar2 === "") {
				lowering.withLocal(iterVar, first, turn);
			} else {
				const [key, value] = bothVariables(lowering, range, whole, at, element);
				lowering.withLocal(iterVar, key, () => lowering.withLocal(iterVar2, value, turn));
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

/** @param decisive what the condition must be for the loop to stop: true for `exists` */
function lowerQuantifier(lowering: Lowering, loop: Loop, decisive: boolean): Lowered {
	const result = lowering.name();
	const kept = lowering.name("e");
	let absorbs = false;
	const { lines, lowered: rangeFails } = lowering.captured(() => {
		const fails = loopOver(lowering, loop, () => {
			const condition = lowering.captured(() =>
				truthOf(lowering, lowering.lower(required(loop.body.condition))),
			);
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

function lowerExistsOne(lowering: Lowering, loop: Loop): Lowered {
	const found = lowering.name();
	lowering.line(`let ${found} = 0;`);
	let fails = false;
	const rangeFails = loopOver(lowering, loop, () => {
		const condition = truthOf(lowering, lowering.lower(required(loop.body.condition)));
		fails = condition.fails;
		lowering.line(`if (${condition.code}) ${found}++;`);
	});
	return { code: `(${found} === 1)`, type: BOOL, fails: fails || rangeFails };
}

function lowerCollect(lowering: Lowering, loop: Loop): Lowered {
	const list = lowering.name();
	lowering.line(`const ${list} = [];`);
	let fails = false;
	const rangeFails = loopOver(lowering, loop, () => {
		const { condition } = loop.body;
		const test = condition && truthOf(lowering, lowering.lower(condition));
		const added = lowering.captured(() => lowering.lower(required(loop.body.element)));
		fails = added.lowered.fails || test?.fails === true;
		const step = `${added.lines.join(" ")} ${list}.push(${boxed(added.lowered)});`;
		lowering.line(test === undefined ? step : `if (${test.code}) { ${step} }`);
	});
	return { code: list, type: loop.type, fails: fails || rangeFails };
}

/** `transformMap` keeps the keys; `transformMapEntry` makes a map of one or more entries each turn. */
function lowerTransformMap(lowering: Lowering, loop: Loop, makesEntries: boolean): Lowered {
	const builder = lowering.name();
	lowering.line(`const ${builder} = ${lowering.runtime("mapBuilder")}();`);
	loopOver(lowering, loop, () => {
		const { condition, key, element } = loop.body;
		const test = condition && truthOf(lowering, lowering.lower(condition));
		const added = lowering.captured(() => lowering.lower(required(element)));
		const value = boxed(added.lowered);
		const step = makesEntries
			? `${lowering.runtime("addEntries")}(${builder}, ${value});`
			: `${builder}.put(${boxed(lowering.lower(required(key)))}, ${value});`;
		const all = `${added.lines.join(" ")} ${step}`;
		lowering.line(test === undefined ? all : `if (${test.code}) { ${all} }`);
	});
	return { code: `${builder}.build()`, type: loop.type, fails: true };
}

/** `cel.bind(name, init, result)`: a failure of `init` fails those who use the name only. */
function lowerBind(
	lowering: Lowering,
	{ accuVar, result }: Comprehension,
	init: Expr | undefined,
	type: Type,
): Lowered {
	const { lines, lowered } = lowering.captured(() => lowering.lower(required(init)));
	const body = (local: Lowered): Lowered => ({
		...lowering.withLocal(accuVar, local, () => lowering.lower(required(result))),
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
