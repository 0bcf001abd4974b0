/**
 * Estimates how long one evaluation of an expression can take at most, before there is a request: from the
 * largest sizes of all variables (`input-sizes.ts`), through every operator, function and loop. `compile.ts`
 * asks. An expression that is cheap for every request runs uncounted, others run within a budget, and an
 * expression that could take days is refused when it is written.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Scope } from "../check/scope.ts";
import { resolve } from "../check/types.ts";
import type { Fault } from "../problem.ts";
import type { Node } from "../tree/node.ts";
import { largest, sum } from "./bound.ts";
import { INPUTS, type Inputs } from "./input-sizes.ts";
import { walkCost } from "./part.ts";
import { AS_JSON } from "./table.ts";
import { CostWalk } from "./walk.ts";

/** Nanoseconds, the value's change to text as templates need it included. */
export function estimateCost(scope: Scope, checked: Node, inputs = INPUTS): number {
	return estimated(scope, checked, inputs).cost;
}

/** As `estimateCost`, of a tree that may have been another one when it was asked for. */
export function costAnew(scope: Scope, checked: Node): number {
	latest = undefined;
	return estimated(scope, checked, INPUTS).cost;
}

/** The expression is the one being compiled; its cost is worked out if somebody wants to know it. */
export function expectCost(scope: Scope, checked: Node): void {
	latest = undefined;
	expected = { scope, node: checked };
}

/** Of the expression that was asked for last, which is the one being compiled; 0 for any other. */
export function knownCost(checked: Node): number {
	if (latest?.node === checked) return latest.estimated.cost;
	return expected?.node === checked ? costAnew(expected.scope, checked) : 0;
}

let expected: { readonly scope: Scope; readonly node: Node } | undefined;

/** What becomes of an expression by its cost: it is cheap, counted, expensive, or refused. */
export function costClassOf(cost: number): number {
	const { countedAboveNanoseconds, heavyAboveNanoseconds, refusedAboveNanoseconds } = LIMITS;
	const bounds = [countedAboveNanoseconds, heavyAboveNanoseconds, refusedAboveNanoseconds];
	return bounds.filter((bound) => cost > bound).length;
}

interface Estimated {
	readonly walk: CostWalk;
	readonly cost: number;
}

/**
 * The latest one, since an expression is asked for its fault and then for its cost. Not all in a WeakMap: each collection
 * of garbage would look through it.
 */
let latest: { readonly node: Node; readonly estimated: Estimated } | undefined;

function estimated(scope: Scope, node: Node, inputs: Inputs): Estimated {
	if (inputs === INPUTS && latest?.node === node) return latest.estimated;
	const walk = new CostWalk(scope, inputs);
	const { cost, size } = walk.part(node);
	const isPlain = PLAIN.has(resolve(scope.typeOf(node)).kind);
	const asText = isPlain ? 0 : sum(AS_JSON.element, walkCost(size, AS_JSON));
	const found = { walk, cost: walk.reading + largest(sum(cost, asText)) };
	if (inputs === INPUTS) latest = { node, estimated: found };
	return found;
}

const PLAIN: ReadonlySet<string> = new Set(["bool", "int", "string"]);

/** The fault of an expression that could take too long; undefined for all others. */
export function costFault(scope: Scope, root: Node): Fault | undefined {
	const { walk, cost } = estimated(scope, root, INPUTS);
	if (cost <= LIMITS.refusedAboveNanoseconds) return undefined;
	const { node, turns } = mostExpensive(walk, root);
	const loops = turns.length === 1 ? "a loop" : `${turns.length} loops within each other`;
	const counts = turns.map((count) => Math.round(count).toLocaleString("en")).join(", ");
	const why = turns.length === 0 ? "" : `: ${loops} over up to ${counts} elements`;
	const message = `the expression could take ${duration(cost)} for one request${why}`;
	return { offset: node.offset, code: "expression_too_complex", message };
}

const DAY = 86_400e9;

const duration = (nanoseconds: number): string =>
	nanoseconds > 1000 * DAY ? "more than 1000 days" : `${Math.ceil(nanoseconds / DAY)} days`;

/** nanoseconds; a node below a loop that takes less is not looked into any further */
const WORTH_A_LOOK = 1000;
/** The search goes down from a node to a child that takes at least this part of the node's time. */
const MOST = 0.1;

/** The innermost node that most of the time goes into, and the turns of the loops around it and of its own. */
function mostExpensive(
	walk: CostWalk,
	root: Node,
): { readonly node: Node; readonly turns: readonly number[] } {
	const costOf = (node: Node): number => largest(walk.found.get(node)?.cost ?? 0);
	const turns: number[] = [];
	let node = root;
	for (;;) {
		const found = walk.found.get(node);
		let below = found?.below ?? [];
		const loops = found?.turns;
		const [range] = below;
		if (loops !== undefined && range !== undefined && costOf(range) < MOST * costOf(node)) {
			turns.push(largest(loops));
			below = below.slice(1);
		} else if (loops !== undefined) {
			below = below.slice(0, 1);
		}
		const next = below.toSorted((one, other) => costOf(other) - costOf(one))[0];
		const share = loops === undefined ? MOST * costOf(node) : WORTH_A_LOOK;
		if (next === undefined || costOf(next) < share) return { node, turns };
		node = next;
	}
}
