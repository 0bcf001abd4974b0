/**
 * Compiles the CEL of one document, each distinct text once: documents repeat expressions, and the same compiler
 * serves validation and lint. Made for each document by `document/validate.ts` and `rules/compile.ts`, then dropped.
 */
import type { Declared } from "../../cel/check/declared.ts";
import { type Inspect, placedFaults, predicateProgram, problemsOf } from "../../cel/compile.ts";
import type {
	ExpressionProblem,
	Pattern,
	Phase,
	Predicate,
	Template,
	ValueTemplate,
} from "../../cel/expression.ts";
import type { ExpressionProgram } from "../../cel/expression-program.ts";
import { compilePattern, openPattern } from "../../cel/pattern/pattern.ts";
import { openPredicate, type PredicateProgram } from "../../cel/program.ts";
import {
	openTemplate,
	openValue,
	placedProblems,
	type TemplateProgram,
	templateProgram,
} from "../../cel/template.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type Compiled, Memo } from "./memo.ts";
import { atField, braced, type FieldProblem, unbraced } from "./problem.ts";
import type { MadeProgram } from "./program.ts";

/** as long as the longest URL that a pattern may be searched in */
const LONGEST_URL = "/".repeat(LIMITS.rewrittenUrlCharacters);

const NO_RESULTS: ReadonlySet<string> = new Set();

/** What the part of a document before a text leaves for it. `document/left-behind.ts` tells it. */
interface Before {
	readonly declared: Declared;
	assigned(name: string, type: string): void;
}

export class Compiler {
	readonly #predicates = new Memo<Predicate>();
	readonly #templates = new Memo<Template>();
	readonly #values = new Memo<ValueTemplate>();
	// Made when there is something for them, since most documents have nothing.
	#patterns: Map<string, Result<Pattern, ExpressionProblem>> | undefined;
	/** of texts that read what actions leave: what else is wrong with them where they stand */
	#placed: Map<object, (declared: Declared) => readonly ExpressionProblem[]> | undefined;
	#results: Set<string> | undefined;

	#mayWait = false;
	#before: Before | undefined;

	/** Can any expression or pattern that was compiled so far suspend a request? */
	get mayWait(): boolean {
		return this.#mayWait;
	}

	/** What the expressions that were compiled so far read of what actions leave: `actions.rate_limit`, `vars.tier`, … */
	get results(): ReadonlySet<string> {
		return this.#results ?? NO_RESULTS;
	}

	/** Texts are judged also by what comes before them, which changes as a document is walked through. */
	placedBehind(before: Before | undefined): void {
		this.#before = before;
	}

	/** A set-vars sets a variable. @param type as signatures write it */
	assigned(name: string, type: string): void {
		this.#before?.assigned(name, type);
	}

	predicate(source: string, phase: Phase): Compiled<Predicate> {
		const known = this.#predicates.get(phase, source);
		if (known !== undefined) return this.#inPlace(known);
		const made = predicateProgram(source, phase, this.inspector("predicate", source));
		const compiled = made.ok ? ok(this.#openPredicate(made.value)) : made;
		this.#predicates.set(phase, source, compiled);
		if (made.ok && made.value.results !== undefined) {
			this.#place(compiled, (declared) =>
				problemsOf(source, placedFaults(source, made.value, declared)),
			);
		}
		return this.#inPlace(compiled);
	}

	template(source: string, phase: Phase): Compiled<Template> {
		return this.#text(source, phase, "template", this.#templates, (program) =>
			this.#openTemplate(program),
		);
	}

	/** A text that is one expression and nothing else keeps the type of the expression's value. */
	value(source: string, phase: Phase): Compiled<ValueTemplate> {
		return this.#text(source, phase, "value", this.#values, (program) => this.#openValue(program));
	}

	#text<T>(
		source: string,
		phase: Phase,
		kind: "template" | "value",
		memo: Memo<T>,
		open: (program: TemplateProgram) => T,
	): Compiled<T> {
		const known = memo.get(phase, source);
		if (known !== undefined) return this.#inPlace(known);
		const wants = kind === "value" ? "value" : "text";
		const made = templateProgram(source, phase, this.inspector(kind, source), wants);
		const compiled: Compiled<T> = made.ok ? ok(open(made.value)) : made;
		memo.set(phase, source, compiled);
		if (made.ok && readsResults(made.value)) {
			this.#place(compiled, (declared) => placedProblems(source, made.value, declared));
		}
		return this.#inPlace(compiled);
	}

	#place(compiled: object, problems: (declared: Declared) => readonly ExpressionProblem[]): void {
		this.#placed ??= new Map();
		this.#placed.set(compiled, problems);
	}

	#inPlace<T>(compiled: Compiled<T>): Compiled<T> {
		const placed = this.#before && this.#placed?.get(compiled);
		const problems = this.#before && placed?.(this.#before.declared);
		return problems === undefined || problems.length === 0 ? compiled : fail(problems);
	}

	/** Is shown the expressions of a text before they are compiled. `lint/inspecting-compiler.ts` has one. */
	protected inspector(
		_kind: "predicate" | "template" | "value",
		_source: string,
	): Inspect | undefined {
		return undefined;
	}

	/** Takes over a text that another thread has compiled. */
	adopt(made: MadeProgram): void {
		if (made.kind === "predicate") {
			this.#predicates.set(made.phase, made.source, ok(this.#openPredicate(made.program)));
		} else if (made.kind === "template") {
			this.#templates.set(made.phase, made.source, ok(this.#openTemplate(made.program)));
		} else if (made.kind === "value") {
			this.#values.set(made.phase, made.source, ok(this.#openValue(made.program)));
		} else if (made.kind === "pattern") {
			this.#keepPattern(made.source, ok(openPattern(made.program)));
		}
	}

	#openPredicate(program: PredicateProgram): Predicate {
		this.#note(program);
		return openPredicate(program);
	}

	#openTemplate(program: TemplateProgram): Template {
		for (const part of program.parts) this.#note(part);
		return openTemplate(program);
	}

	#openValue(program: TemplateProgram): ValueTemplate {
		for (const part of program.parts) this.#note(part);
		return openValue(program);
	}

	#note(part: string | ExpressionProgram): void {
		if (typeof part === "string") return;
		if (part.isHeavy) this.#mayWait = true;
		if (part.results === undefined) return;
		this.#results ??= new Set();
		for (const name of part.results) this.#results.add(name);
	}

	/** Like `template`, with the reasons for a refusal as problems of the field at `path`. */
	field(
		source: string,
		phase: Phase,
		path: readonly PropertyKey[],
	): Result<Template, readonly FieldProblem[]> {
		const compiled = this.template(source, phase);
		return compiled.ok ? compiled : fail(compiled.error.map((problem) => atField(problem, path)));
	}

	/** As `field`, of a text that stands for a value. */
	valueField(
		source: string,
		phase: Phase,
		path: readonly PropertyKey[],
	): Result<ValueTemplate, readonly FieldProblem[]> {
		const compiled = this.value(source, phase);
		return compiled.ok ? compiled : fail(compiled.error.map((problem) => atField(problem, path)));
	}

	/** Something that another thread settles for every request was prepared. */
	noteWaiting(): void {
		this.#mayWait = true;
	}

	/** A text that is an expression as a whole, which yields any value; as `valueField`. */
	expressionField(
		source: string,
		phase: Phase,
		path: readonly PropertyKey[],
	): Result<ValueTemplate, readonly FieldProblem[]> {
		const compiled = this.value(braced(source), phase);
		if (!compiled.ok) {
			return fail(compiled.error.map((problem) => atField(unbraced(problem), path)));
		}
		if (compiled.value.literal !== undefined || compiled.value.type !== undefined) return compiled;
		const message = 'this is no single expression: a "}" in it closes nothing';
		return fail([{ path, code: "expression_syntax", message }]);
	}

	#keepPattern(source: string, compiled: Result<Pattern, ExpressionProblem>): void {
		this.#patterns ??= new Map();
		this.#patterns.set(source, compiled);
	}

	pattern(source: string): Result<Pattern, readonly FieldProblem[]> {
		const compiled = this.#patterns?.get(source) ?? compilePattern(source);
		this.#keepPattern(source, compiled);
		if (compiled.ok && compiled.value.replaceCost(LONGEST_URL) > LIMITS.heavyInlineNanoseconds) {
			this.#mayWait = true;
		}
		return compiled.ok ? ok(compiled.value) : fail([atField(compiled.error, ["from"])]);
	}
}

const readsResults = ({ parts }: TemplateProgram): boolean =>
	parts.some((part) => typeof part !== "string" && part.results !== undefined);
