/**
 * Walks a checked tree from the leaves up, and finds for each node how long it takes and how large its value can
 * be. `cost.ts` makes one for each expression.
 */

import type { Scope } from "../check/scope.ts";
import { resolve } from "../check/types.ts";
import { operatorNamed } from "../library/operators.ts";
import { FUNCTIONS } from "../library/table.ts";
import type { BinaryNode, BindNode, CallNode, LoopNode, Node, UnaryNode } from "../tree/node.ts";
import { childrenOf, intLiteral, textLiteral } from "../tree/parts.ts";
import { type Bound, sum, summedUp } from "./bound.ts";
import { failsItself, failureCost, macroFails, quantifierFailure } from "./failing.ts";
import { functionCall, patternCost } from "./functions.ts";
import type { Inputs } from "./input-sizes.ts";
import { CostLocals } from "./locals.ts";
import { costsOf, madeBy, madeEachTurn, turnCost } from "./loops.ts";
import { conditional, literalMembership, lookUp, optionalIndex } from "./operators.ts";
import type { Part } from "./part.ts";
import { merged, oneOf, SCALAR, type Size, sized, text, turnOf } from "./size.ts";
import { ELEMENT, ENTRY, FAILURE, LIST, NODE } from "./table.ts";

/**
 * How many nested loop variables the bounds tell apart, in expressions of few nodes and of many. More would take
 * long, and would change nothing: an expression with more nested loops is refused anyway.
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
	/** the results by node, from which `cost.ts` tells which part makes the whole expensive */
	readonly found = new Map<Node, Found>();
	/** the nodes so far that may fail */
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
		return (
			failsItself(this.#scope, node) ||
			this.#below.some((each) => this.failing.has(each)) ||
			(node.kind === "identifier" && this.#locals.find(node.name)?.fails === true)
		);
	}

	#partOf(node: Node): Part {
		switch (node.kind) {
			case "constant": {
				const { value } = node;
				const isText = typeof value === "string" || value instanceof Uint8Array;
				return { cost: NODE, size: isText ? text(value.length) : SCALAR };
			}
			case "identifier":
				return { cost: NODE, size: this.#locals.find(node.name)?.size ?? SCALAR };
			case "variable":
				return { cost: NODE, size: this.#sizeOfVariable(node.name) };
			case "typeName":
				return { cost: NODE, size: SCALAR };
			case "select":
			case "has": {
				const { cost, size } = this.part(node.operand);
				const whole = sum(cost, lookUp(text(node.field.length)));
				return { cost: whole, size: node.kind === "has" ? SCALAR : oneOf(size.element) };
			}
			case "optionalSelect": {
				const { cost, size } = this.part(node.operand);
				const own = optionalIndex(size, text(node.field.length));
				return { cost: sum(cost, NODE, own.cost), size: own.size };
			}
			case "unary":
				return this.#unary(node);
			case "binary":
				return this.#binary(node);
			case "conditional": {
				const condition = this.part(node.condition);
				return conditional(condition, this.part(node.whenTrue), this.part(node.whenFalse));
			}
			case "call":
				return this.#call(node);
			case "list":
				return this.#gathered(node.elements, [], ELEMENT, LIST);
			case "map": {
				const keys = node.entries.map(({ key }) => key);
				const values = node.entries.map(({ value }) => value);
				return this.#gathered(values, keys, ENTRY);
			}
			case "bind":
				return this.#bind(node);
			case "quantifier":
			case "listMacro":
			case "mapMacro":
				return this.#loop(node);
		}
	}

	#sizeOfVariable(name: string): Size {
		if (!this.#read.has(name)) this.#reading += this.#inputs.readingCost(name);
		this.#read.add(name);
		return this.#inputs.sizeOf(name);
	}

	#unary({ operand }: UnaryNode): Part {
		return { cost: sum(this.part(operand).cost, NODE), size: SCALAR };
	}

	#binary(node: BinaryNode): Part {
		const { operator, left, right } = node;
		const [first, second] = [this.part(left), this.part(right)];
		const before = sum(first.cost, second.cost);
		const estimate = operatorNamed(operator)?.estimate;
		if (estimate === undefined) {
			// `&&` and `||`: what they take depends on which operands may fail
			return { cost: sum(before, NODE + failureCost([left, right], this.failing)), size: SCALAR };
		}
		const own = this.#entryOf(node, first.size, second.size) ?? estimate(first.size, second.size);
		const cost = operator === "@in" ? this.#membership(right, first.size, second.size) : undefined;
		return { cost: sum(before, cost ?? own.cost), size: own.size };
	}

	/** What `in` takes where it is no walk through a list. */
	#membership(container: Node, element: Size, size: Size): Bound | undefined {
		if (resolve(this.#scope.typeOf(container)).kind === "map") return lookUp(element);
		return isLiteralList(container) ? literalMembership(element, size) : undefined;
	}

	/** `map[key]` in a loop over the keys of the same map: each entry is looked at once. */
	#entryOf({ operator, right }: BinaryNode, map: Size, key: Size): Part | undefined {
		if (operator !== "_[_]" || right.kind !== "identifier") return undefined;
		const keyOf = this.#locals.find(right.name)?.keyOf;
		return keyOf?.map === map ? { cost: lookUp(key), size: keyOf.value } : undefined;
	}

	#call(node: CallNode): Part {
		const operands = childrenOf(node);
		const parts = operands.map((operand) => this.part(operand));
		const sizes = parts.map(({ size }) => size);
		const before = sum(...parts.map(({ cost }) => cost));
		const [, operand] = operands;
		const [text] = sizes;
		const isSearch = FUNCTIONS.get(node.name)?.prepared === "pattern";
		const pattern = isSearch ? operand && textLiteral(operand) : undefined;
		if (pattern !== undefined && text !== undefined) {
			const cost = sum(before, patternCost(this.#scope.pattern(pattern), text));
			return { cost, size: SCALAR };
		}
		const type = this.#scope.typeOf(node);
		const own = functionCall(node.name, node.overloads, sizes, type, operands.map(intLiteral));
		return { cost: sum(before, own.cost), size: own.size };
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

	#loop(node: LoopNode): Part {
		const range = this.part(node.range);
		const turn = turnOf(range.size, this.#locals.count < this.#followed);
		const { kind } = resolve(this.#scope.typeOf(node.range));
		const entered = this.#locals.enterLoop(node.variables, range.size, turn, kind === "map");
		const made = madeEachTurn(node, (part) => this.part(part));
		this.#locals.leave(entered);
		if (macroFails(this.#scope, node)) this.failing.add(node);
		const failure = quantifierFailure(this.#scope, node, this.failing);
		this.#turns = turn.turns;
		// with two variables each turn looks up the value of the key that it has in hand
		const isLookUp = node.variables[1] !== undefined && turn.key !== undefined;
		const value = isLookUp ? lookUp(oneOf(turn.key)) : 0;
		const once = sum(failure, value, turnCost(node, made), ...costsOf(made));
		return {
			cost: sum(ENTRY, range.cost, summedUp(once, turn.quantities, turn.turns)),
			size: madeBy(node, turn, made),
		};
	}

	#bind(node: BindNode): Part {
		const value = this.part(node.value);
		const fails = this.failing.has(node.value);
		this.#locals.bind(node.variable, value.size, fails);
		const body = this.part(node.body);
		this.#locals.leave(1);
		return { cost: sum(value.cost, body.cost, NODE + (fails ? FAILURE : 0)), size: body.size };
	}
}

const inside = (parts: readonly Part[]): Size | undefined => {
	let size: Size | undefined;
	for (const part of parts) size = size === undefined ? part.size : merged(size, part.size, sum);
	return size;
};

const isLiteralList = (node: Node): boolean =>
	node.kind === "list" && node.elements.every(({ kind }) => kind === "constant");
