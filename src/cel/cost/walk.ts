/**
 * Walks a checked tree and adds up, from the leaves, what each node takes and how large its value can be.
 * Made by `cost.ts` for one expression.
 */

import type { Scope } from "../check/scope.ts";
import { resolve } from "../check/types.ts";
import { operatorNamed } from "../library/operators.ts";
import { FUNCTIONS } from "../library/table.ts";
import { textLiteral, variableOf } from "../lower/nodes.ts";
import { macroBody } from "../tree/macros.ts";
import type { ComprehensionNode, Node } from "../tree/syntax.ts";
import { type Bound, sum, summedUp } from "./bound.ts";
import { failsItself, failureCost, macroFails, quantifierFailure } from "./failing.ts";
import { functionCall, patternCost } from "./functions.ts";
import type { Inputs } from "./input-sizes.ts";
import { CostLocals } from "./locals.ts";
import { madeBy, turnCost } from "./loops.ts";
import { conditional, literalMembership, lookUp } from "./operators.ts";
import type { Part } from "./part.ts";
import { merged, oneOf, SCALAR, type Size, sized, text, turnOf } from "./size.ts";
import { ELEMENT, ENTRY, FAILURE, LIST, NODE } from "./table.ts";

/**
 * Loop variables within each other whose elements are told apart, in expressions of few nodes and of many:
 * more would take long, and change nothing for what is out of reach anyway.
 */
const FOLLOWED_VARIABLES = 4;
const FOLLOWED_IN_LARGE = 2;
const LARGE = 600;

export interface Found {
	/** once, in quantities of the loops around it */
	readonly cost: Bound;
	readonly below: readonly Node[];
	/** of a loop */
	readonly turns: Bound | undefined;
}

export class CostWalk {
	readonly #scope: Scope;
	readonly #inputs: Inputs;
	readonly #followed: number;
	/** by node, what was found: to tell what makes the whole expensive */
	readonly found = new Map<Node, Found>();
	/** those looked at so far that may fail */
	readonly failing = new Set<Node>();
	/** the nodes below the one that is being looked at */
	#below: Node[] = [];
	readonly #locals = new CostLocals();
	/** of the loop that has just been left */
	#turns: Bound | undefined;
	readonly #read = new Set<string>();
	#reading = 0;

	constructor(scope: Scope, inputs: Inputs) {
		this.#scope = scope;
		this.#inputs = inputs;
		this.#followed = scope.tree.size > LARGE ? FOLLOWED_IN_LARGE : FOLLOWED_VARIABLES;
	}

	/** Nanoseconds to make the variables that the nodes so far read; they are made once. */
	get reading(): number {
		return this.#reading;
	}

	part(node: Node): Part {
		const beside = this.#below;
		this.#below = [];
		const part = this.#partOf(node);
		if (this.#fails(node)) this.failing.add(node);
		this.found.set(node, { cost: part.cost, below: this.#below, turns: this.#turns });
		this.#turns = undefined;
		this.#below = beside;
		beside.push(node);
		return part;
	}

	#fails(node: Node): boolean {
		const { exprKind } = node;
		const name = exprKind.case === "identExpr" ? exprKind.value.name : undefined;
		return (
			failsItself(this.#scope, node) ||
			this.#below.some((each) => this.failing.has(each)) ||
			(name !== undefined && this.#locals.find(name)?.fails === true)
		);
	}

	#partOf(node: Node): Part {
		const { exprKind } = node;
		switch (exprKind.case) {
			case "constExpr": {
				const { constantKind } = exprKind.value;
				const { value } = constantKind;
				const isText = typeof value === "string" || value instanceof Uint8Array;
				return { cost: NODE, size: isText ? text(value.length) : SCALAR };
			}
			case "identExpr":
				return { cost: NODE, size: this.#sizeOfName(node, exprKind.value.name) };
			case "selectExpr": {
				const { operand, field, testOnly } = exprKind.value;
				const { cost, size } = this.part(operand);
				const whole = sum(cost, lookUp(text(field.length)));
				return { cost: whole, size: testOnly ? SCALAR : oneOf(size.element) };
			}
			case "callExpr":
				return this.#call(node, exprKind.value);
			case "listExpr":
				return this.#gathered(exprKind.value.elements, [], ELEMENT, LIST);
			case "structExpr": {
				const { entries } = exprKind.value;
				const keys = entries.map(({ keyKind }) => keyKind.value);
				const values = entries.map(({ value }) => value);
				return this.#gathered(values, keys, ENTRY);
			}
			case "comprehensionExpr":
				return this.#comprehension(node, exprKind.value);
		}
	}

	#sizeOfName(node: Node, name: string): Size {
		const local = this.#locals.find(name);
		if (local !== undefined) return local.size;
		const variable = variableOf(node);
		if (variable === undefined) return SCALAR;
		if (!this.#read.has(variable)) this.#reading += this.#inputs.readingCost(variable);
		this.#read.add(variable);
		return this.#inputs.sizeOf(variable);
	}

	#call(node: Node, call: { readonly function: string; target?: Node; args: Node[] }): Part {
		const { function: name, target, args } = call;
		const operands = target === undefined ? args : [target, ...args];
		const parts = operands.map((operand) => this.part(operand));
		const [first, second] = parts;
		const sizes = parts.map(({ size }) => size);
		if (name === "_?_:_") return conditional(parts);
		const before = sum(...parts.map(({ cost }) => cost));
		const operator = operatorNamed(name)?.estimate;
		if (operator !== undefined && first !== undefined && second !== undefined) {
			const own = this.#entryOf(name, operands, sizes) ?? operator(first.size, second.size);
			const cost = name === "@in" ? this.#membership(operands, first.size, second.size) : undefined;
			return { cost: sum(before, cost ?? own.cost), size: own.size };
		}
		if (LOGICAL.has(name)) {
			const failures = failureCost(operands, this.failing);
			return { cost: sum(before, NODE + failures), size: SCALAR };
		}
		const [, operand] = operands;
		const isSearch = FUNCTIONS.get(name)?.prepared === "pattern";
		const pattern = isSearch ? operand && textLiteral(operand) : undefined;
		if (pattern !== undefined && first !== undefined) {
			return {
				cost: sum(before, patternCost(this.#scope.pattern(pattern), first.size)),
				size: SCALAR,
			};
		}
		const overloads = this.#scope.overloadsOf(node);
		const own = functionCall(name, overloads, sizes, this.#scope.typeOf(node));
		return { cost: sum(before, own.cost), size: own.size };
	}

	/** What `in` takes where it is no walk through a list. */
	#membership([, container]: readonly Node[], element: Size, size: Size): Bound | undefined {
		if (container === undefined) return undefined;
		if (resolve(this.#scope.typeOf(container)).kind === "map") return lookUp(element);
		return isLiteralList(container) ? literalMembership(element, size) : undefined;
	}

	/** `map[key]` in a loop over the keys of the same map: each entry is looked at once. */
	#entryOf(name: string, operands: readonly Node[], sizes: readonly Size[]): Part | undefined {
		const [, key] = operands;
		const [map, keySize] = sizes;
		if (name !== "_[_]" || key?.exprKind.case !== "identExpr" || !map || !keySize) return undefined;
		const keyOf = this.#locals.find(key.exprKind.value.name)?.keyOf;
		return keyOf?.map === map ? { cost: lookUp(keySize), size: keyOf.value } : undefined;
	}

	/** A list or map of these. */
	#gathered(elements: readonly Node[], keys: readonly Node[], perElement: number, once = 0): Part {
		const of = (nodes: readonly Node[]): readonly Part[] => nodes.map((node) => this.part(node));
		const [values, names] = [of(elements), of(keys)];
		const count = elements.length;
		return {
			cost: sum(
				NODE + once,
				perElement * elements.length,
				...names.map(({ size }) => lookUp(size)),
				...[...values, ...names].map(({ cost }) => cost),
			),
			size: sized(count, inside(values) ?? SCALAR, inside(names)),
		};
	}

	#comprehension(node: Node, comprehension: ComprehensionNode): Part {
		const macro = this.#scope.tree.macroOf(node);
		if (macro === undefined) throw new Error("comprehensions come of macros only");
		const body = macroBody(macro, comprehension);
		if (macro === "bind") return this.#bind(comprehension.accuVar, body);
		const range = this.part(comprehension.iterRange);
		const turn = turnOf(range.size, this.#locals.count < this.#followed);
		const { kind } = resolve(this.#scope.typeOf(comprehension.iterRange));
		const entered = this.#locals.enterLoop(comprehension, range.size, turn, kind === "map");
		const condition = body.condition && this.part(body.condition);
		const key = body.key && this.part(body.key);
		const element = body.element && this.part(body.element);
		this.#locals.leave(entered);
		if (macroFails(this.#scope, macro, comprehension.iterRange, body.condition)) {
			this.failing.add(node);
		}
		const failure = quantifierFailure(this.#scope, macro, body.condition, this.failing);
		this.#turns = turn.turns;
		const parts = [condition, key, element].map((part) => part?.cost ?? 0);
		// with two variables each turn looks up the value of the key that it has in hand
		const isLookUp = comprehension.iterVar2 !== "" && turn.key !== undefined;
		const value = isLookUp ? lookUp(oneOf(turn.key)) : 0;
		const once = sum(failure, value, turnCost(macro, key?.size, element?.size), ...parts);
		return {
			cost: sum(ENTRY, range.cost, summedUp(once, turn.quantities, turn.turns)),
			size: madeBy(macro, turn, key?.size, element?.size),
		};
	}

	#bind(name: string, body: { readonly init?: Node; readonly element?: Node }): Part {
		if (body.init === undefined || body.element === undefined)
			throw new Error("bind has its parts");
		const init = this.part(body.init);
		const fails = this.failing.has(body.init);
		this.#locals.bind(name, init.size, fails);
		const result = this.part(body.element);
		this.#locals.leave(1);
		return { cost: sum(init.cost, result.cost, NODE + (fails ? FAILURE : 0)), size: result.size };
	}
}

const LOGICAL: ReadonlySet<string> = new Set(["_&&_", "_||_", "!_", "-_"]);

const inside = (parts: readonly Part[]): Size | undefined => {
	let size: Size | undefined;
	for (const part of parts) size = size === undefined ? part.size : merged(size, part.size, sum);
	return size;
};

const isLiteralList = ({ exprKind }: Node): boolean =>
	exprKind.case === "listExpr" &&
	exprKind.value.elements.every((element) => element.exprKind.case === "constExpr");
