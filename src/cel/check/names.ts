/**
 * Resolves names: loop variables, the variables of the table (whose dotted names may be strings and
 * groups at once, as `req.url` is), type names, and selections behind them. Called by `check.ts`.
 */
import { nearest, quoted } from "../../documents/nearest.ts";
import type { Node, SelectNode } from "../tree/syntax.ts";
import { selectField } from "./fields.ts";
import { todaysName } from "./old-names.ts";
import type { Scope } from "./scope.ts";
import { TYPE } from "./types.ts";
import { flatName, NAMESPACES, VARIABLES, type Variable } from "./variables.ts";

type CheckNode = (scope: Scope, node: Node) => Node;

/** The variables as a tree by the parts of their names. */
interface NamePart {
	variable: Variable | undefined;
	readonly below: Map<string, NamePart>;
}

const NAMES: NamePart = { variable: undefined, below: new Map() };
for (const variable of VARIABLES.values()) {
	let part = NAMES;
	for (const word of variable.name.split(".")) {
		const next = part.below.get(word) ?? { variable: undefined, below: new Map() };
		part.below.set(word, next);
		part = next;
	}
	part.variable = variable;
}

const TYPE_NAMES: ReadonlySet<string> = new Set([
	"bool",
	"bytes",
	"double",
	"google.protobuf.Duration",
	"google.protobuf.Timestamp",
	"int",
	"list",
	"map",
	"null_type",
	"optional_type",
	"string",
	"type",
	"uint",
]);

export function checkName(scope: Scope, node: Node, name: string): Node {
	const local = scope.local(name);
	if (local === undefined) return checkChain(scope, [node]);
	node.type = local;
	return node;
}

export function checkSelect(
	scope: Scope,
	node: Node,
	select: SelectNode,
	checkNode: CheckNode,
): Node {
	const chain = chainOf(scope, node);
	if (chain !== undefined) return checkChain(scope, chain);
	select.operand = checkNode(scope, select.operand);
	return selectField(scope, node, select);
}

/** The nodes of `a`, `a.b`, `a.b.c`; undefined if anything but names is in it, or `a` is a loop variable. */
function chainOf(scope: Scope, last: Node): Node[] | undefined {
	const nodes: Node[] = [];
	let node = last;
	while (node.exprKind.case === "selectExpr") {
		if (node.exprKind.value.testOnly) return undefined;
		nodes.push(node);
		node = node.exprKind.value.operand;
	}
	if (node.exprKind.case !== "identExpr") return undefined;
	if (scope.local(node.exprKind.value.name) !== undefined) return undefined;
	nodes.push(node);
	return nodes.reverse();
}

/** What a node of a chain adds to the name. */
function wordOf({ exprKind }: Node): string {
	if (exprKind.case === "selectExpr") return exprKind.value.field;
	return exprKind.case === "identExpr" ? exprKind.value.name.replace(/^\./, "") : "";
}

function checkChain(scope: Scope, chain: readonly Node[]): Node {
	const [root] = chain;
	if (root === undefined) throw new Error("a chain has at least one part");
	let variable: Variable | undefined;
	let length = 0;
	let part: NamePart | undefined = NAMES;
	for (let at = 0; at < chain.length && part !== undefined; at++) {
		const node = chain[at];
		part = node === undefined ? undefined : part.below.get(wordOf(node));
		if (part?.variable === undefined) continue;
		variable = part.variable;
		length = at + 1;
	}
	if (variable === undefined) return checkOtherName(scope, root, chain.map(wordOf));
	if (length < chain.length && NAMESPACES.has(variable.name)) {
		return unknownMember(scope, root, chain.map(wordOf), length);
	}
	let read = readVariable(scope, root, variable.name);
	for (let at = length; at < chain.length; at++) {
		const node = chain[at];
		if (node?.exprKind.case !== "selectExpr") throw new Error("a chain is made of selections");
		node.exprKind.value.operand = read;
		read = selectField(scope, node, node.exprKind.value);
	}
	return read;
}

function checkOtherName(scope: Scope, root: Node, parts: readonly string[]): Node {
	const whole = parts.join(".");
	if (TYPE_NAMES.has(whole)) {
		const node = scope.tree.identifier(root.offset, whole);
		node.type = TYPE;
		return node;
	}
	const members = NAMESPACES.get(whole);
	if (members === undefined) return unknownVariable(scope, root, parts);
	const message = `${quoted(whole)} is no value; it has ${members.map((m) => `.${m}`).join(" ")}`;
	return scope.refuse(root, "unknown_variable", message);
}

/** The variable as a node of its own; also for functions that stand for one, such as `getReqHeader`. */
export function readVariable(scope: Scope, at: Node, name: string): Node {
	const variable = VARIABLES.get(name);
	if (variable === undefined) throw new Error(`no variable ${name}`);
	scope.varies = true;
	if (variable.outboundOnly && scope.phase === "inbound") {
		scope.refuse(at, "wrong_phase", `"${name}" exists in outbound rules only`);
	}
	const node = scope.tree.identifier(at.offset, flatName(name));
	node.type = variable.type;
	return node;
}

/** A group is known, but nothing of this name is in it. */
function unknownMember(scope: Scope, at: Node, parts: readonly string[], count: number): Node {
	const group = parts.slice(0, count).join(".");
	const member = parts[count] ?? "";
	const members = NAMESPACES.get(group) ?? [];
	const near = nearest(member, members);
	const hint =
		near === undefined
			? `; ${quoted(group)} has ${members.map((each) => `.${each}`).join(" ")}`
			: `; did you mean "${group}.${near}"?`;
	const message = `unknown variable ${quoted(`${group}.${member}`)}${hint}`;
	return scope.refuse(at, "unknown_variable", message);
}

function unknownVariable(scope: Scope, at: Node, parts: readonly string[]): Node {
	if (scope.isFull) return scope.refuse(at, "unknown_variable", "");
	const suggestion = todaysName(parts);
	const unknown = quoted(parts.slice(0, suggestion?.parts ?? parts.length).join("."));
	if (suggestion === undefined) {
		return scope.refuse(at, "unknown_variable", `unknown variable ${unknown}`);
	}
	const { name, certain } = suggestion;
	const hint = certain ? `; today it is "${name}"` : `; did you mean "${name}"?`;
	return scope.refuse(at, "unknown_variable", `unknown variable ${unknown}${hint}`);
}
