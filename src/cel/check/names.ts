/**
 * Resolves names: loop variables, the variables of the table (whose dotted names may be strings and
 * groups at once, as `req.url` is), type names, and fields of maps and records. Called by `check.ts`.
 */
import { nearest, quoted } from "../../nearest.ts";
import type { Checked, Scope } from "../scope.ts";
import type { Expr } from "../syntax.ts";
import { BOOL, DYN, ERROR, resolve, STRING, TYPE, type Type, typeName } from "../types.ts";
import { flatName, NAMESPACES, VARIABLES } from "../variables.ts";
import { todaysName } from "./old-names.ts";

/** `a.b.c` as a name, with the node of each of its beginnings: `a`, `a.b`, `a.b.c`. */
export interface Chain {
	readonly parts: readonly string[];
	readonly nodes: readonly Expr[];
}

/** Undefined if anything but names is in it, or if it starts with a loop variable. */
export function chainOf(scope: Scope, expr: Expr): Chain | undefined {
	const parts: string[] = [];
	const nodes: Expr[] = [];
	let node = expr;
	while (node.exprKind.case === "selectExpr") {
		const { operand, field, testOnly } = node.exprKind.value;
		if (operand === undefined || testOnly) return undefined;
		parts.unshift(field);
		nodes.unshift(node);
		node = operand;
	}
	if (node.exprKind.case !== "identExpr") return undefined;
	const { name } = node.exprKind.value;
	if (scope.local(name) !== undefined) return undefined;
	parts.unshift(name.replace(/^\./, ""));
	nodes.unshift(node);
	return { parts, nodes };
}

export function checkName(scope: Scope, expr: Expr, name: string): Checked {
	const local = scope.local(name);
	if (local !== undefined) return { type: local, expr };
	return checkChain(scope, { parts: [name.replace(/^\./, "")], nodes: [expr] });
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
	"string",
	"type",
	"uint",
]);

export function checkChain(scope: Scope, chain: Chain): Checked {
	const { parts, nodes } = chain;
	const whole = parts.join(".");
	const last = nodes.at(-1) ?? nodes[0];
	const root = nodes[0];
	if (root === undefined || last === undefined) throw new Error("a chain has at least one part");
	for (let count = parts.length; count > 0; count--) {
		const variable = VARIABLES.get(parts.slice(0, count).join("."));
		if (variable === undefined) continue;
		const isGroupToo = NAMESPACES.has(variable.name);
		if (isGroupToo && count < parts.length) return unknownMember(scope, root, parts, count);
		const read = readVariable(scope, root, variable.name);
		return parts
			.slice(count)
			.reduce(
				(operand, field, at) => selectField(scope, nodes[count + at] ?? last, operand, field),
				read,
			);
	}
	if (TYPE_NAMES.has(whole)) {
		return { type: TYPE, expr: scope.tree.identifier(scope.tree.offsetOf(root), whole) };
	}
	const members = NAMESPACES.get(whole);
	if (members !== undefined) {
		const message = `${quoted(whole)} is no value; it has ${members.map((m) => `.${m}`).join(" ")}`;
		return scope.refuse(root, "unknown_variable", message);
	}
	return unknownVariable(scope, root, parts);
}

function readVariable(scope: Scope, at: Expr, name: string): Checked {
	const variable = VARIABLES.get(name);
	if (variable === undefined) throw new Error(`no variable ${name}`);
	scope.varies = true;
	if (variable.outboundOnly && scope.phase === "inbound") {
		scope.refuse(at, "wrong_phase", `"${name}" exists in outbound rules only`);
	}
	const expr = scope.tree.identifier(scope.tree.offsetOf(at), flatName(name));
	return { type: variable.type, expr };
}

/** The variable as a node of its own, for functions that stand for one, such as `getReqHeader`. */
export const variableFor = (scope: Scope, at: Expr, name: string): Expr =>
	readVariable(scope, at, name).expr;

/** A group is known, but nothing of this name is in it. */
function unknownMember(scope: Scope, at: Expr, parts: readonly string[], count: number): Checked {
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

function unknownVariable(scope: Scope, at: Expr, parts: readonly string[]): Checked {
	if (scope.isFull) return { type: ERROR, expr: at };
	const suggestion = todaysName(parts);
	const unknown = quoted(parts.slice(0, suggestion?.parts ?? parts.length).join("."));
	if (suggestion === undefined) {
		return scope.refuse(at, "unknown_variable", `unknown variable ${unknown}`);
	}
	const { name, certain } = suggestion;
	const hint = certain ? `; today it is "${name}"` : `; did you mean "${name}"?`;
	return scope.refuse(at, "unknown_variable", `unknown variable ${unknown}${hint}`);
}

/** `operand.field`, and with `testOnly` `has(operand.field)`. */
export function selectField(
	scope: Scope,
	at: Expr,
	operand: Checked,
	field: string,
	testOnly = false,
): Checked {
	const type = fieldType(scope, at, resolve(operand.type), field);
	const { tree } = scope;
	const offset = tree.offsetOf(at);
	if (!testOnly) return { type, expr: tree.select(offset, operand.expr, field) };
	// the library's own test takes a field whose value is null for missing
	const name = tree.constant(offset, { case: "stringValue", value: field });
	return { type: BOOL, expr: tree.call(offset, "@in", [name, operand.expr]) };
}

function fieldType(scope: Scope, at: Expr, type: Type, field: string): Type {
	switch (type.kind) {
		case "dyn":
		case "variable":
			return DYN;
		case "error":
			return ERROR;
		case "map":
			if (scope.unifier.unify([type.key], [STRING])) return type.value;
			return scope.refuse(
				at,
				"expression_type",
				`the keys of ${typeName(type)} are no strings; write […] instead of .${field}`,
			).type;
		case "record": {
			const found = type.fields.get(field);
			if (found !== undefined) return found;
			const near = nearest(field, type.fields.keys());
			const hint = near === undefined ? "" : `; did you mean "${near}"?`;
			const message = `a ${typeName(type)} has no field ${quoted(field)}${hint}`;
			return scope.refuse(at, "expression_type", message).type;
		}
		default: {
			const message = `${typeName(type)} has no field ${quoted(field)}; only maps and records have fields`;
			return scope.refuse(at, "expression_type", message).type;
		}
	}
}
