/**
 * The parser's lower half: literals, names, calls, brackets, and the selections and indices behind them.
 * `parse.ts` builds the operators on top.
 */

import { expandMacro, MACRO_ARGUMENTS } from "../macros.ts";
import type { Expr, MapEntry } from "../syntax.ts";
import { Cursor, OPERATOR_WORDS } from "./cursor.ts";
import { INT_MIN_MAGNITUDE, type Token } from "./lexer.ts";
import { isReserved } from "./reserved.ts";

export abstract class MemberParser extends Cursor {
	/** a whole expression, as brackets and arguments hold it */
	protected abstract expression(): Expr;

	protected member(): Expr {
		return this.selectors(this.primary());
	}

	/** `.name`, `.name(…)` and `[…]` behind an operand. */
	protected selectors(primary: Expr): Expr {
		let operand = primary;
		for (;;) {
			const opened = this.token;
			if (this.takeSymbol(".")) {
				operand = this.#selector(operand);
			} else if (this.takeSymbol("[")) {
				const index = this.expression();
				this.expectSymbol("]", opened);
				operand = this.tree.call(opened.start, "_[_]", [operand, index]);
			} else {
				return operand;
			}
			operand = this.bounded(operand);
		}
	}

	#selector(operand: Expr): Expr {
		const { kind, text, start } = this.token;
		if (kind !== "identifier" && kind !== "quoted") return this.unexpected("a name");
		if (kind === "identifier" && ["true", "false", "null", "in"].includes(text)) {
			return this.fail(start, `"${text}" is a keyword and cannot be a name`);
		}
		this.take();
		if (kind === "quoted" || !this.isSymbol("(")) return this.tree.select(start, operand, text);
		return this.#methodCall(operand, text, start, this.argumentList());
	}

	#methodCall(target: Expr, name: string, start: number, args: Expr[]): Expr {
		const counts = MACRO_ARGUMENTS.get(name);
		const [first, second, third] = args;
		if (!counts?.includes(args.length) || first === undefined || second === undefined) {
			return this.tree.call(start, name, args, target);
		}
		if (first.exprKind.case !== "identExpr" || first.exprKind.value.name.startsWith(".")) {
			const message = `the first argument of ${name}() names the loop variable, as in list.${name}(x, …)`;
			return this.fail(this.tree.offsetOf(first), message);
		}
		const variable = first.exprKind.value.name;
		const rest = third === undefined ? ([second] as const) : ([second, third] as const);
		const call = { tree: this.tree, offset: start, target, variable, rest };
		return expandMacro(name, call) ?? this.tree.call(start, name, args, target);
	}

	protected argumentList(): Expr[] {
		const opened = this.take();
		return this.elements(opened, ")", false, () => this.expression());
	}

	/** Elements up to the closing bracket, separated by commas. */
	protected elements<T>(
		opened: Token,
		close: string,
		trailingComma: boolean,
		element: () => T,
	): T[] {
		const elements: T[] = [];
		if (!this.isSymbol(close)) {
			do {
				if (trailingComma && elements.length > 0 && this.isSymbol(close)) break;
				elements.push(element());
			} while (this.takeSymbol(","));
		}
		this.expectSymbol(close, opened);
		return elements;
	}

	protected primary(): Expr {
		const { kind, text, value, start } = this.token;
		switch (kind) {
			case "identifier":
				return this.#name("", start);
			case "symbol":
				return this.#bracketed();
			case "int":
				this.take();
				if (value === INT_MIN_MAGNITUDE)
					return this.fail(start, `${text} does not fit into an int`);
				return this.tree.constant(start, { case: "int64Value", value: value as bigint });
			case "uint":
				this.take();
				return this.tree.constant(start, { case: "uint64Value", value: value as bigint });
			case "double":
				this.take();
				return this.tree.constant(start, { case: "doubleValue", value: value as number });
			case "string":
				this.take();
				return this.tree.constant(start, { case: "stringValue", value: value as string });
			case "bytes":
				this.take();
				return this.tree.constant(start, { case: "bytesValue", value: value as Uint8Array });
			default:
				return this.unexpected("a value");
		}
	}

	#bracketed(): Expr {
		const opened = this.token;
		switch (opened.text) {
			case ".": {
				this.take();
				if (this.token.kind !== "identifier") return this.unexpected("a name");
				return this.#name(".", opened.start);
			}
			case "(": {
				this.take();
				const inner = this.expression();
				this.expectSymbol(")", opened);
				return inner;
			}
			case "[": {
				this.take();
				const elements = this.elements(opened, "]", true, () => this.expression());
				return this.bounded(this.tree.list(opened.start, elements));
			}
			case "{": {
				this.take();
				const entries = this.elements(opened, "}", true, () => this.#mapEntry());
				return this.bounded(this.tree.map(opened.start, entries));
			}
			default:
				return this.unexpected("a value");
		}
	}

	#mapEntry(): MapEntry {
		const key = this.expression();
		this.expectSymbol(":");
		return [key, this.expression()];
	}

	/** An identifier, a keyword's value, or the call of a global function. */
	#name(dot: string, offset: number): Expr {
		const { text, start } = this.take();
		if (dot === "" && (text === "true" || text === "false")) {
			return this.tree.boolean(offset, text === "true");
		}
		if (dot === "" && text === "null") {
			return this.tree.constant(offset, { case: "nullValue", value: 0 });
		}
		if (this.isSymbol("(") && !isReserved(text)) {
			return this.#globalCall(dot + text, offset, this.argumentList());
		}
		const word = OPERATOR_WORDS.get(text);
		const next = this.token.kind;
		if (word === "!" && next !== "end" && next !== "symbol") {
			return this.fail(start, `unexpected "not"; "not" is written "!"`);
		}
		if (isReserved(text)) return this.fail(start, `"${text}" is reserved and cannot be a name`);
		return this.tree.identifier(offset, dot + text);
	}

	#globalCall(name: string, offset: number, args: Expr[]): Expr {
		if (name !== "has" || this.fault !== undefined) {
			return this.bounded(this.tree.call(offset, name, args));
		}
		const [field] = args;
		if (args.length !== 1 || field?.exprKind.case !== "selectExpr") {
			const message = "has() takes one field selection, as in has(req.headers.accept)";
			return this.fail(offset, message);
		}
		const { operand, field: name_ } = field.exprKind.value;
		return operand === undefined ? field : this.tree.select(offset, operand, name_, true);
	}
}
