/**
 * Finds the texts of a document that take so long to compile that another thread had better do it. Asked by
 * `rules/compile.ts` before it compiles anything. An action that has texts is prepared once in vain, with a compiler
 * that only notes the texts.
 */
import type { Pattern, Phase, Predicate, Template, ValueTemplate } from "../../cel/expression.ts";
import { ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { actionOf } from "../actions/table.ts";
import type { PolicyDocument, RuleDocument } from "../document/schema.ts";
import { Compiler } from "./compiler.ts";
import type { WantedProgram } from "./program.ts";

/** Lists each text once. A document may have many actions, so it pauses after each. */
export function* wantedPrograms(
	document: PolicyDocument,
): Generator<undefined, readonly WantedProgram[], unknown> {
	const collector = new Collector();
	yield* collect(document.inbound, "inbound", collector);
	yield* collect(document.outbound, "outbound", collector);
	return [...collector.wanted.values()];
}

function* collect(
	rules: readonly RuleDocument[],
	phase: Phase,
	collector: Collector,
): Generator<undefined, void, unknown> {
	for (const { expressions, actions } of rules) {
		for (const source of expressions) collector.want("predicate", source, phase);
		for (const { type, config } of actions) {
			const { texts, prepare } = actionOf(type);
			if (!Object.keys(texts).some((field) => Object.hasOwn(config, field))) continue;
			prepare(config, phase, collector);
			yield;
		}
	}
}

const NO_TEXT: Template = { literal: "", render: () => "" };
const NO_VALUE: ValueTemplate = { literal: "", type: undefined, evaluate: () => "" };
const NO_PREDICATE: Predicate = {
	source: "",
	constant: undefined,
	isSteady: true,
	canFail: false,
	guards: [],
	evaluate: () => false,
};
const ANY_PATTERN: Pattern = {
	groupCount: Number.POSITIVE_INFINITY,
	groupNames: new Map(),
	test: () => false,
	replace: (text) => text,
	replaceCost: () => 0,
	findAll: () => [],
};

/** Patterns take longer to compile than any other text of their length. */
const hasPattern = (kind: WantedProgram["kind"], source: string): boolean =>
	kind === "pattern" || source.includes("matches");

/** A compiler that compiles nothing and notes the texts that it is given. */
class Collector extends Compiler {
	readonly wanted = new Map<string, WantedProgram>();

	want(kind: WantedProgram["kind"], source: string, phase: Phase): void {
		if (
			source.length <=
			(hasPattern(kind, source) ? LIMITS.patternHereCharacters : LIMITS.compileHereCharacters)
		)
			return;
		this.wanted.set(`${kind} ${phase} ${source}`, { kind, source, phase });
	}

	override predicate(source: string, phase: Phase): Result<Predicate, never> {
		this.want("predicate", source, phase);
		return ok(NO_PREDICATE);
	}

	override template(source: string, phase: Phase): Result<Template, never> {
		if (source.includes("${")) this.want("template", source, phase);
		return ok(NO_TEXT);
	}

	override value(source: string, phase: Phase): Result<ValueTemplate, never> {
		if (source.includes("${")) this.want("value", source, phase);
		return ok(NO_VALUE);
	}

	override pattern(source: string): Result<Pattern, never> {
		this.want("pattern", source, "inbound");
		return ok(ANY_PATTERN);
	}
}
