/**
 * Compiles the CEL of one document, each distinct text once: documents repeat expressions, and the same
 * compiler serves validation and lint. Made per document by `validate.ts` and `compile.ts`, then dropped.
 */
import { compilePredicate } from "../cel/compile.ts";
import type { ExpressionProblem, Pattern, Phase, Predicate, Template } from "../cel/expression.ts";
import { compilePattern } from "../cel/pattern.ts";
import { compileTemplate } from "../cel/template.ts";
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits.ts";

/** A problem of one field; `path` is relative to the action's config. */
export interface FieldProblem {
	readonly path: readonly PropertyKey[];
	readonly code: string;
	readonly message: string;
}

type Compiled<T> = Result<T, readonly ExpressionProblem[]>;

export class Compiler {
	readonly #predicates = { inbound: new Map(), outbound: new Map() } as Memo<Predicate>;
	readonly #templates = { inbound: new Map(), outbound: new Map() } as Memo<Template>;
	readonly #patterns = new Map<string, Result<Pattern, ExpressionProblem>>();

	predicate(source: string, phase: Phase): Compiled<Predicate> {
		return remembered(this.#predicates[phase], source, phase, compilePredicate);
	}

	template(source: string, phase: Phase): Compiled<Template> {
		return remembered(this.#templates[phase], source, phase, compileTemplate);
	}

	/** Why a template is refused, as problems of the field at `path`. */
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
		return compiled.ok ? ok(compiled.value) : fail([atField(compiled.error, ["from"])]);
	}
}

type Memo<T> = Readonly<Record<Phase, Map<string, Compiled<T>>>>;

function remembered<T>(
	memo: Map<string, Compiled<T>>,
	source: string,
	phase: Phase,
	compile: (source: string, phase: Phase) => Compiled<T>,
): Compiled<T> {
	let compiled = memo.get(source);
	if (compiled === undefined) {
		compiled = compile(source, phase);
		memo.set(source, compiled);
	}
	return compiled;
}

export function atField(problem: ExpressionProblem, path: readonly PropertyKey[]): FieldProblem {
	return { path, code: problem.code, message: explained(problem) };
}

/** Message, place inside the expression, and the line with its caret (contract 3). */
export function explained({ message, line, column, excerpt }: ExpressionProblem): string {
	const most = LIMITS.problemMessageCharacters;
	const sentence = message.length > most ? `${message.slice(0, most)}…` : message;
	return `${sentence} (line ${line}, column ${column})\n${shortened(excerpt, column)}`;
}

/** A window of the excerpt around the caret: an expression of 16 KiB on one line is no help. */
function shortened(excerpt: string, column: number): string {
	const width = LIMITS.excerptCharacters;
	const start = Math.max(0, column - 1 - Math.floor(width / 2));
	return excerpt
		.split("\n")
		.map((line) => line.slice(start, start + width))
		.join("\n");
}
