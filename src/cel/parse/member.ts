/**
 * The parser's lower half: literals, names, calls, brackets, and the selections and indices behind them.
 * `parse.ts` builds the operators on top.
 */

import type { MapEntry, Node } from "../tree/syntax.ts";
import { Cursor, OPERATOR_WORDS } from "./cursor.ts";
import { extreme, MACRO_FORMS, type MacroForm } from "./expand.ts";
import { bind } from "./folds.ts";
import { INT_MIN_MAGNITUDE } from "./number.ts";
import { isReserved } from "./reserved.ts";
import type { Token } from "./token.ts";

export abstract class MemberParser extends Cursor {
	/** a whole expression, as brackets and arguments hold it */
	protected abstract expression(): Node;

	protected member(): Node {
		return this.selectors(this.primary());
	}

	/** `.name`, `.name(…)` and `[…]` behind an operand. */
	protected selectors(primary: Node): Node {
		let operand = primary;
		for (;;) {
			const opened = this.token;
			if (this.takeSymbol(".")) {
				operand = this.#selector(operand);
			} else if (this.takeSymbol("[")) {
				const name = this.takeSymbol("?") ? "_[?_]" : "_[_]";
				const index = this.expression();
				this.expectSymbol("]", opened);
				operand = this.tree.call(opened.start, name, [operand, index]);
			} else {
				return operand;
			}
			operand = this.bounded(operand);
		}
	}

	#selector(operand: Node): Node {
		const isOptional = this.takeSymbol("?");
		const { kind, text, start } = this.token;
		if (kind !== "identifier" && kind !== "quoted") return this.unexpected("a name");
		if (kind === "identifier" && KEYWORDS.has(text)) {
			return this.fail(start, `"${text}" is a keyword and cannot be a name`);
		}
		this.take();
		if (isOptional) {
			return this.tree.call(start, "_?._", [operand, this.tree.string(start, text)]);
		}
		if (kind === "quoted" || !this.isSymbol("(")) return this.tree.select(start, operand, text);
		return this.#methodCall(operand, text, start, this.argumentList());
	}

	#methodCall(target: Node, name: string, start: number, args: Node[]): Node {
		const form = MACRO_FORMS.get(name)?.find(
			({ variables, expressions }) => variables + expressions === args.length,
		);
		if (form !== undefined) return this.#macro(form, target, name, start, args);
		const { exprKind } = target;
		const namespace = exprKind.case === "identExpr" ? exprKind.value.name : undefined;
		if (namespace === "cel" && name === "bind" && args.length === 3) {
			return this.#bind(start, args);
		}
		const isExtreme = name === "greatest" || name === "least";
		if (namespace === "math" && isExtreme && args.length > 0) {
			return extreme(this.tree, start, name, args);
		}
		return this.tree.call(start, name, args, target);
	}

	#macro(form: MacroForm, target: Node, name: string, start: number, args: Node[]): Node {
		const variables: string[] = [];
		for (const arg of args.slice(0, form.variables)) {
			const variable = variableIn(arg);
			if (variable === undefined) {
				const which = variables.length === 0 ? "first" : "second";
				const message = `the ${which} argument of ${name}() names the loop variable, as in ${form.example}`;
				return this.fail(arg.offset, message);
			}
			if (variables.includes(variable)) {
				return this.fail(arg.offset, `both loop variables of ${name}() are called "${variable}"`);
			}
			variables.push(variable);
		}
		const rest = args.slice(form.variables);
		return form.expand({ tree: this.tree, offset: start, target, variables, rest });
	}

	#bind(start: number, [name, init, expression]: readonly Node[]): Node {
		if (name === undefined || init === undefined || expression === undefined) {
			throw new Error("cel.bind takes three arguments");
		}
		const variable = variableIn(name);
		if (variable !== undefined) return bind(this.tree, start, variable, init, expression);
		const message = "the first argument of cel.bind() names the variable, as in cel.bind(x, …, …)";
		return this.fail(name.offset, message);
	}

	protected argumentList(): Node[] {
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

	protected primary(): Node {
		const { kind, start } = this.token;
		if (kind === "identifier") return this.#name("", start);
		if (kind === "symbol") return this.#bracketed();
		return this.#literal(this.token) ?? this.unexpected("a value");
	}

	#literal(token: Token): Node | undefined {
		const { kind, value, start } = token;
		if (kind === "end" || kind === "quoted") return undefined;
		if (value === INT_MIN_MAGNITUDE && kind === "int") {
			return this.fail(start, `${this.written(token)} does not fit into an int`);
		}
		this.take();
		switch (typeof value) {
			case "number":
				return this.tree.constant(start, { case: "doubleValue", value });
			case "string":
				return this.tree.string(start, value);
			case "bigint":
				return kind === "uint"
					? this.tree.constant(start, { case: "uint64Value", value })
					: this.tree.int(start, value);
			default:
				return this.tree.constant(start, { case: "bytesValue", value });
		}
	}

	#bracketed(): Node {
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
				return this.#list(opened);
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

	#list(opened: Token): Node {
		const optionalIndices: number[] = [];
		let count = 0;
		const elements = this.elements(opened, "]", true, () => {
			if (this.takeSymbol("?")) optionalIndices.push(count);
			count++;
			return this.expression();
		});
		const optional = optionalIndices.length === 0 ? undefined : optionalIndices;
		return this.bounded(this.tree.list(opened.start, elements, optional));
	}

	#mapEntry(): MapEntry {
		const isOptional = this.takeSymbol("?");
		const key = this.expression();
		this.expectSymbol(":");
		return this.tree.entry(key, this.expression(), isOptional);
	}

	/** An identifier, a keyword's value, or the call of a global function. */
	#name(dot: string, offset: number): Node {
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

	#globalCall(name: string, offset: number, args: Node[]): Node {
		if (name !== "has" || this.fault !== undefined) {
			return this.bounded(this.tree.call(offset, name, args));
		}
		const [field] = args;
		if (args.length !== 1 || field?.exprKind.case !== "selectExpr") {
			const message = "has() takes one field selection, as in has(req.headers.accept)";
			return this.fail(offset, message);
		}
		const { operand, field: name_ } = field.exprKind.value;
		return this.tree.select(offset, operand, name_, true);
	}
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

/** The name, if the argument of a macro is one and nothing more. */
function variableIn({ exprKind }: Node): string | undefined {
	if (exprKind.case !== "identExpr" || exprKind.value.name.startsWith(".")) return undefined;
	return exprKind.value.name;
}
