/**
 * The lower half of the parser: literals, names, calls, brackets, and the selections and indices behind them.
 * `parse.ts` extends it by the operators.
 */

import type { LoopVariables, MapEntry, Node } from "../tree/node.ts";
import { Uint } from "../values/value.ts";
import { Cursor, OPERATOR_WORDS } from "./cursor.ts";
import { extreme, MACRO_FORMS, type MacroForm } from "./macros.ts";
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
				operand = this.tree.binary(opened.start, name, operand, index);
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
			return this.tree.optionalSelect(start, operand, text);
		}
		if (kind === "quoted" || !this.isSymbol("(")) return this.tree.select(start, operand, text);
		return this.#methodCall(operand, text, start, this.argumentList());
	}

	#methodCall(target: Node, name: string, start: number, args: Node[]): Node {
		const form = MACRO_FORMS.get(name)?.find(
			({ variables, expressions }) => variables + expressions === args.length,
		);
		if (form !== undefined) return this.#macro(form, target, name, start, args);
		const namespace = target.kind === "identifier" ? target.name : undefined;
		if (namespace === "cel" && name === "bind") {
			const [variable, value, body] = args;
			if (variable && value && body && args.length === 3) {
				return this.#bind(start, variable, value, body);
			}
		}
		const isExtreme = name === "greatest" || name === "least";
		if (namespace === "math" && isExtreme && args.length > 0) {
			return extreme(this.tree, start, name, args);
		}
		return this.tree.call(start, name, args, target);
	}

	#macro(form: MacroForm, target: Node, name: string, start: number, args: Node[]): Node {
		const variables = this.#loopVariables(form, name, args);
		const body = args.at(-1);
		if (variables === undefined || body === undefined) return target;
		const condition = form.expressions === 2 ? args.at(-2) : undefined;
		return form.make({ tree: this.tree, offset: start, target, variables }, condition, body);
	}

	/** Undefined if the arguments in their place name none: that is noted as a mistake. */
	#loopVariables(form: MacroForm, name: string, args: readonly Node[]): LoopVariables | undefined {
		const names: string[] = [];
		for (const arg of args.slice(0, form.variables)) {
			const variable = variableIn(arg);
			if (variable === undefined) {
				const which = names.length === 0 ? "first" : "second";
				const message = `the ${which} argument of ${name}() names the loop variable, as in ${form.example}`;
				this.fail(arg.offset, message);
				return undefined;
			}
			if (names.includes(variable)) {
				this.fail(arg.offset, `both loop variables of ${name}() are called "${variable}"`);
				return undefined;
			}
			names.push(variable);
		}
		const [first, second] = names;
		if (first === undefined) return undefined;
		return second === undefined ? [first] : [first, second];
	}

	#bind(start: number, name: Node, value: Node, body: Node): Node {
		const variable = variableIn(name);
		if (variable !== undefined) return this.tree.bind(start, variable, value, body);
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
		const isUint = kind === "uint" && typeof value === "bigint";
		return this.tree.constant(start, isUint ? new Uint(value) : value);
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
		return { key, value: this.expression(), isOptional };
	}

	/** An identifier, a keyword's value, or the call of a global function. */
	#name(dot: string, offset: number): Node {
		const { text, start } = this.take();
		if (dot === "" && (text === "true" || text === "false")) {
			return this.tree.constant(offset, text === "true");
		}
		if (dot === "" && text === "null") {
			return this.tree.constant(offset, null);
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
		if (args.length !== 1 || (field?.kind !== "select" && field?.kind !== "has")) {
			const message = "has() takes one field selection, as in has(req.headers.accept)";
			return this.fail(offset, message);
		}
		return this.tree.has(offset, field.operand, field.field);
	}
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

/** The name, if the argument of a macro is one and nothing more. */
const variableIn = (argument: Node): string | undefined =>
	argument.kind === "identifier" && !argument.name.startsWith(".") ? argument.name : undefined;
