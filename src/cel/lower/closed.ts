/**
 * Finds the closed parts of an expression: they read no variable and ask for no chance, so they have the same
 * value for every request, and `assemble.ts` evaluates them when the expression is compiled.
 */
import { asksForChance } from "../library/table.ts";
import type { Node } from "../tree/node.ts";
import { childrenOf, perTurn } from "../tree/parts.ts";

/** Where a part takes its value from, if not from a loop: from the exchange (or chance), or from nowhere. */
const EXCHANGE = -1;
const NOTHING = Number.POSITIVE_INFINITY;

/** The largest closed parts that are more than a literal or a name. */
export function closedParts(expr: Node): ReadonlySet<Node> {
	const search = new Search();
	if (search.need(expr) === NOTHING && !isLeaf(expr)) search.close(expr);
	return search.closed ?? NONE;
}

const NONE: ReadonlySet<Node> = new Set();

const LEAVES: ReadonlySet<Node["kind"]> = new Set([
	"constant",
	"identifier",
	"variable",
	"typeName",
]);

const isLeaf = ({ kind }: Node): boolean => LEAVES.has(kind);

class Search {
	/** most expressions have none */
	closed: Set<Node> | undefined;
	/** variables of the macros around the node, the innermost last */
	readonly #names: string[] = [];

	close(node: Node): void {
		this.closed ??= new Set();
		this.closed.add(node);
	}

	/**
	 * The outermost variable of a macro that a node refers to, as its place in `#names`; `EXCHANGE` or `NOTHING`.
	 * Notes the children that are closed where the node itself is not.
	 */
	need(node: Node): number {
		switch (node.kind) {
			case "constant":
			case "typeName":
				return NOTHING;
			case "variable":
				return EXCHANGE;
			case "identifier":
				return this.#names.lastIndexOf(node.name);
			case "bind":
				return this.#need(node, [node.value], [node.variable], [node.body]);
			case "quantifier":
			case "listMacro":
			case "mapMacro":
				return this.#need(node, [node.range], node.variables, perTurn(node));
			default:
				return this.#need(node, childrenOf(node), [], []);
		}
	}

	/** @param inner children that know `names` besides */
	#need(
		node: Node,
		outer: readonly Node[],
		names: readonly (string | undefined)[],
		inner: readonly Node[],
	): number {
		const around = this.#names.length;
		const isChance = node.kind === "call" && asksForChance(node.name);
		let lowest = isChance ? EXCHANGE : NOTHING;
		const candidates: Node[] = [];
		const look = (child: Node): boolean => {
			const need = this.need(child);
			// the node's own variables are nobody else's concern
			if (need < around) lowest = Math.min(lowest, need);
			return need === NOTHING && !isLeaf(child);
		};
		for (const child of outer) if (look(child)) candidates.push(child);
		for (const name of names) if (name !== undefined) this.#names.push(name);
		for (const child of inner) {
			if (!look(child)) continue;
			// a closed macro may take too long to be evaluated beforehand; then what its turns repeat is
			if (node.kind === "bind") candidates.push(child);
			else this.close(child);
		}
		this.#names.length = around;
		if (lowest !== NOTHING) for (const child of candidates) this.close(child);
		return lowest;
	}
}
