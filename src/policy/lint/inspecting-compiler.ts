/**
 * A compiler that shows every expression to lint while compiling it, so that no expression is parsed and checked twice.
 * Made by `document/validate.ts`, asked by `lint.ts`.
 */
import type { Inspect } from "../../cel/compile.ts";
import type { Phase, Template, ValueTemplate } from "../../cel/expression.ts";
import type { Result } from "../../errors.ts";
import { type ActionDocument, actionOf } from "../actions/table.ts";
import { Compiler } from "../programs/compiler.ts";
import { braced, type FieldProblem } from "../programs/problem.ts";
import type { Surroundings } from "./empty-variables.ts";
import { type Inspection, inspect } from "./expression.ts";

export interface InspectedField {
	/** within the action's config */
	readonly path: readonly PropertyKey[];
	readonly inspections: readonly Inspection[];
}

export class InspectingCompiler extends Compiler {
	readonly #around: Surroundings | undefined;
	readonly #inspections = new Map<string, readonly Inspection[]>();
	#fields: InspectedField[] = [];

	constructor(around: Surroundings | undefined) {
		super();
		this.#around = around;
	}

	protected override inspector(kind: "predicate" | "template" | "value", source: string): Inspect {
		const inspections: Inspection[] = [];
		this.#inspections.set(`${kind} ${source}`, inspections);
		return (expr) => inspections.push(inspect(expr, this.#around, kind === "value"));
	}

	/** The inspection of a rule's expression; undefined if the expression was refused. */
	ofPredicate(source: string): Inspection | undefined {
		return this.#inspections.get(`predicate ${source}`)?.[0];
	}

	/** The inspections of all texts of an action that hold expressions. Preparing the action again finds them. */
	ofAction({ type, config }: ActionDocument, phase: Phase): readonly InspectedField[] {
		this.#fields = [];
		actionOf(type).prepare(config, phase, this);
		return this.#fields;
	}

	override field(
		source: string,
		phase: Phase,
		path: readonly PropertyKey[],
	): Result<Template, readonly FieldProblem[]> {
		const compiled = super.field(source, phase, path);
		this.#noteField(`template ${source}`, path);
		return compiled;
	}

	override valueField(
		source: string,
		phase: Phase,
		path: readonly PropertyKey[],
	): Result<ValueTemplate, readonly FieldProblem[]> {
		const compiled = super.valueField(source, phase, path);
		this.#noteField(`value ${source}`, path);
		return compiled;
	}

	override expressionField(
		source: string,
		phase: Phase,
		path: readonly PropertyKey[],
	): Result<ValueTemplate, readonly FieldProblem[]> {
		const compiled = super.expressionField(source, phase, path);
		this.#noteField(`value ${braced(source)}`, path);
		return compiled;
	}

	#noteField(key: string, path: readonly PropertyKey[]): void {
		const inspections = this.#inspections.get(key) ?? [];
		if (inspections.length > 0) this.#fields.push({ path, inspections });
	}
}
