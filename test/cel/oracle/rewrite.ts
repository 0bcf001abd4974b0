/**
 * From the library's syntax tree to one that its planner understands: variables under one name each,
 * macros and functions that the library lacks as calls of ours. Called by `evaluate.ts`.
 */
import { ENVIRONMENT } from "./environment.ts";
import {
	newName,
	optionalMap,
	optionalOr,
	optionalOrValue,
	sortBy,
	twoVariables,
} from "./macros.ts";
import { bind, call, type Expr, list, name, node, text } from "./tree.ts";
import { READS } from "./variables.ts";

/** Variables of macros, by the names under which the planner finds them. */
type Locals = ReadonlyMap<string, string>;

/** No identifier is written like it, and it holds no dot, which the planner would take apart. */
export const flatName = (variable: string): string => `@${variable.replaceAll(".", ":")}`;

export function rewrite(expr: Expr, locals: Locals = new Map()): Expr {
	const { exprKind } = expr;
	const inside = (below: Expr | undefined, ...more: string[]): Expr => {
		if (below === undefined) throw new Error("a part of the tree is missing");
		return rewrite(below, plus(locals, ...more.map((each) => [each, each] as const)));
	};
	switch (exprKind.case) {
		case "identExpr": {
			const local = locals.get(exprKind.value.name);
			if (local !== undefined) return name(local);
			const variable = exprKind.value.name;
			return READS.has(variable) ? name(flatName(variable)) : expr;
		}
		case "selectExpr": {
			const { operand, field, testOnly } = exprKind.value;
			const variable = testOnly ? undefined : variableOf(expr, locals);
			if (variable !== undefined) return name(variable);
			return call(testOnly ? "@has" : "@select", inside(operand), text(field));
		}
		case "callExpr":
			return rewriteCall(exprKind.value, locals);
		case "listExpr":
			return list(...exprKind.value.elements.map((each) => inside(each)));
		case "structExpr":
			return call(
				"@map",
				...exprKind.value.entries.flatMap(({ keyKind, value }) => {
					if (keyKind.case !== "mapKey") throw new Error("a message");
					return [inside(keyKind.value), inside(value)];
				}),
			);
		case "comprehensionExpr": {
			const { iterVar, accuVar } = exprKind.value;
			return node({
				case: "comprehensionExpr",
				value: {
					...exprKind.value,
					iterRange: inside(exprKind.value.iterRange),
					accuInit: inside(exprKind.value.accuInit),
					loopCondition: inside(exprKind.value.loopCondition, iterVar, accuVar),
					loopStep: inside(exprKind.value.loopStep, iterVar, accuVar),
					result: inside(exprKind.value.result, accuVar),
				},
			});
		}
		default:
			return expr;
	}
}

const plus = (locals: Locals, ...more: readonly (readonly [string, string])[]): Locals =>
	more.length === 0 ? locals : new Map([...locals, ...more]);

function dotted(expr: Expr): string | undefined {
	const { exprKind } = expr;
	if (exprKind.case === "identExpr") return exprKind.value.name;
	if (exprKind.case !== "selectExpr" || exprKind.value.testOnly) return undefined;
	const { operand, field } = exprKind.value;
	const start = operand && dotted(operand);
	return start === undefined ? undefined : `${start}.${field}`;
}

/** The planner's name for a variable or a type with dots. */
function variableOf(expr: Expr, locals: Locals): string | undefined {
	const whole = dotted(expr);
	if (whole === undefined || locals.has(whole.split(".")[0] ?? "")) return undefined;
	if (READS.has(whole)) return flatName(whole);
	return whole.startsWith("google.protobuf.") ? whole : undefined;
}

type Call = Extract<Expr["exprKind"], { case: "callExpr" }>["value"];

/** Functions that stand for a variable, with the one that they are called on. */
const SHORT_CUTS: Readonly<Record<string, readonly [variable: string, wrapper?: string]>> = {
	ReqHeader: ["req.headers"],
	ReqCookie: ["req.cookies", "@firstCookie"],
	QueryParam: ["req.url.query_params"],
	ResHeader: ["res.headers"],
	ResCookie: ["res.cookies", "@firstSetCookie"],
};

/** What a syntax of the specification is written as for the library's parser. */
const SYNTAX: Readonly<Record<string, string>> = {
	"_[_]": "@index",
	"@in": "@contained",
	__optionalSelect: "@optionalSelect",
	__optionalIndex: "@optionalIndex",
	__optionalList: "@optionalList",
	__optionalMap: "@optionalMap",
};

function rewriteCall({ function: called, target, args }: Call, locals: Locals): Expr {
	const operands = args.map((each) => () => rewrite(each, locals));
	if (target === undefined) {
		const [, verb, noun] = /^(get|has)(\w+)$/.exec(called) ?? [];
		const shortCut = SHORT_CUTS[noun ?? ""];
		const key = operands[0];
		if (verb !== undefined && shortCut !== undefined && key !== undefined) {
			const variable = name(flatName(shortCut[0]));
			if (verb === "has") return call("@contained", key(), variable);
			const found = call("@index", variable, key());
			return shortCut[1] === undefined ? found : call(shortCut[1], found);
		}
		return call(SYNTAX[called] ?? called, ...operands.map((each) => each()));
	}
	const qualified = `${dotted(target)}.${called}`;
	if (qualified === "cel.bind") return rewriteBind(args, locals);
	if (ENVIRONMENT.funcs.find(qualified) !== undefined) {
		return call(qualified, ...operands.map((each) => each()));
	}
	return (
		rewriteMacro(called, rewrite(target, locals), args, locals) ??
		node({
			case: "callExpr",
			value: {
				$typeName: "cel.expr.Expr.Call",
				function: called,
				target: rewrite(target, locals),
				args: operands.map((each) => each()),
			},
		})
	);
}

const identifier = (expr: Expr | undefined): string =>
	expr?.exprKind.case === "identExpr" ? expr.exprKind.value.name : "";

function rewriteBind([variable, value, body]: readonly Expr[], locals: Locals): Expr {
	const bound = identifier(variable);
	if (value === undefined || body === undefined || bound === "") throw new Error("cel.bind");
	const unique = newName();
	return bind(unique, rewrite(value, locals), rewrite(body, plus(locals, [bound, unique])));
}

function rewriteMacro(
	macro: string,
	target: Expr,
	args: readonly Expr[],
	locals: Locals,
): Expr | undefined {
	const [first, second] = [identifier(args[0]), identifier(args[1])];
	const [only, other] = args;
	if (macro === "or" && only !== undefined) return optionalOr(target, rewrite(only, locals));
	if (macro === "orValue" && only !== undefined) {
		return optionalOrValue(target, rewrite(only, locals));
	}
	if (first !== "" && other !== undefined && args.length === 2) {
		const unique = newName();
		const body = (): Expr => rewrite(other, plus(locals, [first, unique]));
		if (macro === "optMap") return optionalMap(target, unique, body(), false);
		if (macro === "optFlatMap") return optionalMap(target, unique, body(), true);
		if (macro === "sortBy") return sortBy(target, unique, body());
	}
	if (first === "" || second === "" || args.length < 3) return undefined;
	const unique = [newName(), newName()] as const;
	const inner = plus(locals, [first, unique[0]], [second, unique[1]]);
	const operands = args.slice(2).map((each) => rewrite(each, inner));
	return twoVariables(macro, target, unique, operands);
}
