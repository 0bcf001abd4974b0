/**
 * Whether a checked expression yields the same bool for every request although it reads some of it
 * (contract 3, lint): `x || true`, `x && false`, `x == 'a' && x == 'b'`. CEL's absorption of errors makes
 * these certain whatever `x` does. Called by `compile.ts`; what it doesn't see is merely not told.
 */
import type { CallExpr, Expr } from "../tree/syntax.ts";

/** @param evaluate the value of an expression of constants and operators alone */
export function certainTruth(expr: Expr, evaluate: (closed: Expr) => unknown): boolean | undefined {
	const call = callOf(expr);
	switch (call?.function) {
		case "_||_":
			return joined(call.args, true, evaluate);
		case "_&&_":
			return joined(call.args, false, evaluate) ?? (contradicts(expr) ? false : undefined);
		case "!_": {
			const [operand] = call.args;
			const truth = operand === undefined ? undefined : certainTruth(operand, evaluate);
			return truth === undefined ? undefined : !truth;
		}
		default: {
			const value = isClosed(expr) ? evaluate(expr) : undefined;
			return typeof value === "boolean" ? value : undefined;
		}
	}
}

/** @param decisive the truth of one operand that settles the whole */
function joined(
	operands: readonly Expr[],
	decisive: boolean,
	evaluate: (closed: Expr) => unknown,
): boolean | undefined {
	const truths = operands.map((operand) => certainTruth(operand, evaluate));
	if (truths.includes(decisive)) return decisive;
	return truths.every((truth) => truth === !decisive) ? !decisive : undefined;
}

/** A conjunction that wants one variable to equal two different constants. */
function contradicts(conjunction: Expr): boolean {
	const wanted = new Map<string, unknown>();
	const holds = (expr: Expr): boolean => {
		const call = callOf(expr);
		if (call?.function === "_&&_") return call.args.every(holds);
		const equality = call?.function === "_==_" ? equalityOf(call) : undefined;
		if (equality === undefined) return true;
		const before = wanted.get(equality.name);
		wanted.set(equality.name, equality.value);
		return before === undefined || before === equality.value;
	};
	return !holds(conjunction);
}

/** Of a variable and a string or whole number, on either side. */
function equalityOf({ args }: CallExpr): { name: string; value: string | bigint } | undefined {
	let name: string | undefined;
	let value: string | bigint | undefined;
	for (const { exprKind } of args) {
		if (exprKind.case === "identExpr") name = exprKind.value.name;
		if (exprKind.case !== "constExpr") continue;
		const { constantKind } = exprKind.value;
		if (constantKind.case === "stringValue" || constantKind.case === "int64Value")
			value = constantKind.value;
	}
	return name === undefined || value === undefined ? undefined : { name, value };
}

/** Constants under operators; functions are left out, some ask for chance. */
function isClosed(expr: Expr): boolean {
	if (expr.exprKind.case === "constExpr") return true;
	if (expr.exprKind.case === "listExpr") return expr.exprKind.value.elements.every(isClosed);
	const call = callOf(expr);
	if (call === undefined || call.target !== undefined) return false;
	return /^(?:_|-_|@in)/.test(call.function) && call.args.every(isClosed);
}

const callOf = ({ exprKind }: Expr): CallExpr | undefined =>
	exprKind.case === "callExpr" ? exprKind.value : undefined;
