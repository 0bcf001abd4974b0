/**
 * The parts of an expression that are the same for every request: they read no variable and ask for no
 * chance, so `assemble.ts` evaluates them when the expression is compiled.
 */
import { asksForChance } from "../library/table.ts";
import type { Comprehension, Expr } from "../tree/syntax.ts";
import { callOf, childrenOf, variableOf } from "./nodes.ts";

/** What a part needs of its surroundings: that of the exchange, or nothing. */
const EXCHANGE = -1;
const NOTHING = Number.POSITIVE_INFINITY;

/** The largest closed parts that are more than a literal or a name. */
export function closedParts(expr: Expr): ReadonlySet<Expr> {
	const search = new Search();
	if (search.need(expr) === NOTHING && !isLeaf(expr)) search.closed.add(expr);
	return search.closed;
}

const isLeaf = ({ exprKind }: Expr): boolean =>
	exprKind.case === "constExpr" || exprKind.case === "identExpr";

class Search {
	readonly closed = new Set<Expr>();
	/** names of the loops around the node, the innermost last */
	readonly #names: string[] = [];

	/**
	 * The outermost loop variable that a node refers to, as its place in `#names`; `EXCHANGE` or `NOTHING`.
	 * Notes the children that are closed where the node itself is not.
	 */
	need(node: Expr): number {
		const { exprKind } = node;
		if (exprKind.case === "constExpr") return NOTHING;
		if (exprKind.case === "identExpr") {
			if (variableOf(node) !== undefined) return EXCHANGE;
			const at = this.#names.lastIndexOf(exprKind.value.name);
			return at < 0 ? NOTHING : at;
		}
		const isChance = asksForChance(callOf(node)?.function ?? "");
		const around = this.#names.length;
		const loop = exprKind.case === "comprehensionExpr" ? exprKind.value : undefined;
		let lowest = isChance ? EXCHANGE : NOTHING;
		const candidates: Expr[] = [];
		for (const child of childrenOf(node)) {
			const need = loop === undefined ? this.need(child) : this.#needWithin(child, loop);
			if (need === NOTHING && !isLeaf(child)) candidates.push(child);
			// what the loop itself brings along is nobody else's concern
			if (need < around) lowest = Math.min(lowest, need);
		}
		if (lowest !== NOTHING) for (const child of candidates) this.closed.add(child);
		return lowest;
	}

	#needWithin(child: Expr, loop: Comprehension): number {
		if (child === loop.iterRange || child === loop.accuInit) return this.need(child);
		const around = this.#names.length;
		this.#names.push(loop.iterVar, loop.iterVar2, loop.accuVar);
		const need = this.need(child);
		this.#names.length = around;
		return need;
	}
}
