/**
 * Resolves names: loop variables, the variables of the table (whose dotted names may be strings and groups
 * at once, as `req.url` is), names of types, and selections behind all of these. Called by `check.ts`.
 */
import { nearest, quoted } from "../../documents/nearest.ts";
import type { IdentifierNode, Node, SelectNode } from "../tree/node.ts";
import { selectField } from "./fields.ts";
import { todaysName } from "./old-names.ts";
import type { Scope } from "./scope.ts";
import { TYPE } from "./types.ts";
import { NAMESPACES, VARIABLES, type Variable } from "./variables.ts";

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

/** `a`, `a.b`, `a.b.c`: a name, and the selections behind it in the order in which they are written. */
interface Chain {
	readonly root: IdentifierNode;
	readonly selections: readonly SelectNode[];
}

const NO_SELECTIONS: readonly SelectNode[] = [];

export function checkName(scope: Scope, node: IdentifierNode): Node {
	const local = scope.local(node.name);
	if (local === undefined) return checkChain(scope, { root: node, selections: NO_SELECTIONS });
	node.type = local;
	return node;
}

export function checkSelect(scope: Scope, node: SelectNode, checkNode: CheckNode): Node {
	const chain = chainTo(scope, node);
	if (chain !== undefined) return checkChain(scope, chain);
	node.operand = checkNode(scope, node.operand);
	return selectField(scope, node);
}

/** Undefined if anything but names is in it, or if it begins with a loop variable. */
function chainTo(scope: Scope, last: SelectNode): Chain | undefined {
	const selections: SelectNode[] = [];
	let node: Node = last;
	while (node.kind === "select") {
		selections.push(node);
		node = node.operand;
	}
	if (node.kind !== "identifier" || scope.local(node.name) !== undefined) return undefined;
	return { root: node, selections: selections.reverse() };
}

/** What each node of a chain adds to the name. */
const wordsOf = ({ root, selections }: Chain): readonly string[] => [
	root.name.replace(/^\./, ""),
	...selections.map(({ field }) => field),
];

function checkChain(scope: Scope, chain: Chain): Node {
	const { root, selections } = chain;
	const words = wordsOf(chain);
	let variable: Variable | undefined;
	let length = 0;
	let part: NamePart | undefined = NAMES;
	for (const [at, word] of words.entries()) {
		part = part.below.get(word);
		if (part === undefined) break;
		if (part.variable === undefined) continue;
		variable = part.variable;
		length = at + 1;
	}
	if (variable === undefined) return checkOtherName(scope, root, words);
	if (length < words.length && NAMESPACES.has(variable.name)) {
		return unknownMember(scope, root, words, length);
	}
	let read: Node = readVariable(scope, root, variable);
	for (const selection of selections.slice(length - 1)) {
		selection.operand = read;
		read = selectField(scope, selection);
	}
	return read;
}

function checkOtherName(scope: Scope, root: Node, parts: readonly string[]): Node {
	const whole = parts.join(".");
	if (TYPE_NAMES.has(whole)) {
		const node = scope.tree.typeName(root.offset, whole);
		node.type = TYPE;
		return node;
	}
	const members = NAMESPACES.get(whole);
	if (members === undefined) return unknownVariable(scope, root, parts);
	const message = `${quoted(whole)} is no value; it has ${members.map((m) => `.${m}`).join(" ")}`;
	return scope.refuse(root, "unknown_variable", message);
}

/** The variable as a node of its own; also for functions that stand for one, such as `getReqHeader`. */
export function readVariable(scope: Scope, at: Node, variable: Variable): Node {
	scope.varies = true;
	if (variable.outboundOnly && scope.phase === "inbound") {
		scope.refuse(at, "wrong_phase", `"${variable.name}" exists in outbound rules only`);
	}
	if (variable.isResult) scope.readsResults = true;
	const node = scope.tree.variable(at.offset, variable.name);
	node.type = scope.declared?.get(variable.name) ?? variable.type;
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
