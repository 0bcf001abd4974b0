/**
 * Compiles the CEL of one document, each distinct text once: documents repeat expressions, and the same compiler
 * serves validation and lint. Made for each document by `document/validate.ts` and `rules/compile.ts`, then dropped.
 */
import { type Inspect, predicateProgram } from "../../cel/compile.ts";
import type {
	ExpressionProblem,
	Pattern,
	Phase,
	Predicate,
	Template,
} from "../../cel/expression.ts";
import { compilePattern, openPattern } from "../../cel/pattern/pattern.ts";
import { openPredicate, type PredicateProgram } from "../../cel/program.ts";
import { openTemplate, type TemplateProgram, templateProgram } from "../../cel/template.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { atField, type FieldProblem } from "./problem.ts";
import type { MadeProgram } from "./program.ts";

/** as long as the longest URL that a pattern may be searched in */
const LONGEST_URL = "/".repeat(LIMITS.rewrittenUrlCharacters);

type Compiled<T> = Result<T, readonly ExpressionProblem[]>;

export class Compiler {
	readonly #predicates = { inbound: new Map(), outbound: new Map() } as Memo<Predicate>;
	readonly #templates = { inbound: new Map(), outbound: new Map() } as Memo<Template>;
	readonly #patterns = new Map<string, Result<Pattern, ExpressionProblem>>();

	#mayWait = false;

	/** Can any expression or pattern that was compiled so far suspend a request? */
	get mayWait(): boolean {
		return this.#mayWait;
	}

	predicate(source: string, phase: Phase): Compiled<Predicate> {
		const known = this.#predicates[phase].get(source);
		if (known !== undefined) return known;
		const made = predicateProgram(source, phase, this.inspector("predicate", source));
		const compiled = made.ok ? ok(this.#openPredicate(made.value)) : made;
		this.#predicates[phase].set(source, compiled);
		return compiled;
	}

	template(source: string, phase: Phase): Compiled<Template> {
		const known = this.#templates[phase].get(source);
		if (known !== undefined) return known;
		const made = templateProgram(source, phase, this.inspector("template", source));
		const compiled = made.ok ? ok(this.#openTemplate(made.value)) : made;
		this.#templates[phase].set(source, compiled);
		return compiled;
	}

	/** Is shown the expressions of a text before they are compiled. `lint/inspecting-compiler.ts` has one. */
	protected inspector(_kind: "predicate" | "template", _source: string): Inspect | undefined {
		return undefined;
	}

	/** Takes over a text that another thread has compiled. */
	adopt(made: MadeProgram): void {
		if (made.kind === "predicate") {
			this.#predicates[made.phase].set(made.source, ok(this.#openPredicate(made.program)));
		} else if (made.kind === "template") {
			this.#templates[made.phase].set(made.source, ok(this.#openTemplate(made.program)));
		} else {
			this.#patterns.set(made.source, ok(openPattern(made.program)));
		}
	}

	#openPredicate(program: PredicateProgram): Predicate {
		if (program.isHeavy) this.#mayWait = true;
		return openPredicate(program);
	}

	#openTemplate(program: TemplateProgram): Template {
		if (program.parts.some((part) => typeof part !== "string" && part.isHeavy)) {
			this.#mayWait = true;
		}
		return openTemplate(program);
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

	pattern(source: string): Result<Pattern, readonly FieldProblem[]> {
		const compiled = this.#patterns.get(source) ?? compilePattern(source);
		this.#patterns.set(source, compiled);
		if (compiled.ok && compiled.value.replaceCost(LONGEST_URL) > LIMITS.heavyInlineNanoseconds) {
			this.#mayWait = true;
		}
		return compiled.ok ? ok(compiled.value) : fail([atField(compiled.error, ["from"])]);
	}
}

type Memo<T> = Readonly<Record<Phase, Map<string, Compiled<T>>>>;
