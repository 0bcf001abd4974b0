/** Macros, as the comprehensions that they were expanded to. Called by `check.ts`. */
import { OPTIONAL_TARGET } from "../parse/expand.ts";
import type { ComprehensionNode, Node } from "../tree/syntax.ts";
import type { Scope } from "./scope.ts";
import { DYN, ERROR, INT, resolve, type Type, typeName } from "./types.ts";

type CheckNode = (scope: Scope, node: Node) => Node;

export function checkComprehension(
	scope: Scope,
	node: Node,
	parts: ComprehensionNode,
	checkNode: CheckNode,
): Node {
	parts.iterRange = checkNode(scope, parts.iterRange);
	parts.accuInit = checkNode(scope, parts.accuInit);
	if (parts.accuVar === OPTIONAL_TARGET) refuseOther(scope, parts.accuInit);
	const accumulated = typeOf(parts.accuInit);
	const [first, second] = loopTypes(scope, parts);
	scope.enter(parts.accuVar, accumulated);
	scope.enter(parts.iterVar, first);
	if (parts.iterVar2 !== "") scope.enter(parts.iterVar2, second);
	parts.loopCondition = checkNode(scope, parts.loopCondition);
	parts.loopStep = checkNode(scope, parts.loopStep);
	scope.leave(parts.iterVar2 === "" ? 1 : 2);
	const stepped = typeOf(parts.loopStep);
	if (!scope.unifier.unify(accumulated, stepped)) {
		const message = `yields ${typeName(stepped)}, where ${typeName(accumulated)} is needed`;
		scope.refuse(node, "expression_type", message);
	}
	parts.result = checkNode(scope, parts.result);
	scope.leave();
	node.type = typeOf(parts.result);
	return node;
}

/** What the loop variables hold: elements of a list behind their index, keys of a map and values. */
function loopTypes(
	scope: Scope,
	{ iterRange, iterVar2 }: ComprehensionNode,
): readonly [Type, Type] {
	const type = resolve(typeOf(iterRange));
	switch (type.kind) {
		case "list":
			return iterVar2 === "" ? [type.element, DYN] : [INT, type.element];
		case "map":
			return [type.key, type.value];
		case "variable":
			scope.unifier.unify(type, DYN);
			return [DYN, DYN];
		case "dyn":
			return [DYN, DYN];
		case "error":
			return [ERROR, ERROR];
		default: {
			const message = `a macro runs over a list or a map, not over ${typeName(type)}`;
			scope.refuse(iterRange, "expression_type", message);
			return [ERROR, ERROR];
		}
	}
}

function refuseOther(scope: Scope, target: Node): void {
	const type = resolve(typeOf(target));
	if (["dyn", "error", "optional", "variable"].includes(type.kind)) return;
	const message = `only optionals have optMap() and optFlatMap(), not ${typeName(type)}`;
	scope.refuse(target, "expression_type", message);
}

const typeOf = (node: Node): Type => node.type ?? DYN;
