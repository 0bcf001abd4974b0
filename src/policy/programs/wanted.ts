/**
 * Finds the texts of a document that take so long to compile that another thread had better do it. Asked by
 * `rules/compile.ts` before it compiles anything. An action that has texts is prepared once in vain, with a compiler
 * that only notes the texts.
 */
import type { Pattern, Phase, Predicate, Template, ValueTemplate } from "../../cel/expression.ts";
import { ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { actionOf, EVERY_TYPE } from "../actions/table.ts";
import type { PolicyDocument, RuleDocument } from "../document/schema.ts";
import { Compiler } from "./compiler.ts";
import type { WantedProgram } from "./program.ts";

/**
 * Of a document that `hasLongTexts`: each text once. There may be many actions, so it pauses after each that has texts.
 */
export function* wantedPrograms(
	document: PolicyDocument,
): Generator<undefined, readonly WantedProgram[], unknown> {
	const collector = new Collector();
	yield* collect(document.inbound, "inbound", collector);
	yield* collect(document.outbound, "outbound", collector);
	return [...collector.wanted.values()];
}

type Kind = WantedProgram["kind"];

/** Of each type of action its fields that hold texts, put together once for all policies. */
const TEXT_FIELDS: ReadonlyMap<string, readonly (readonly [field: string, kind: Kind])[]> = new Map(
	EVERY_TYPE.map((type) => [
		type,
		Object.entries(actionOf(type).texts).map(([field, kind]) => [
			field,
			kind === "pattern" ? "pattern" : "template",
		]),
	]),
);

/** Whether there may be anything to be found: most documents have none. */
export const hasLongTexts = ({ inbound, outbound }: PolicyDocument): boolean =>
	hasLongText(inbound) || hasLongText(outbound);

function hasLongText(rules: readonly RuleDocument[]): boolean {
	for (const { expressions, actions } of rules) {
		for (const source of expressions) {
			if (isLong("predicate", source)) return true;
		}
		for (const { type, config } of actions) {
			const values: Readonly<Record<string, unknown>> = config;
			for (const [field, kind] of TEXT_FIELDS.get(type) ?? []) {
				if (mayBeLong(kind, values[field])) return true;
			}
		}
	}
	return false;
}

/** Any text in the value, when the action has made of it what it compiles: with braces, or as a part of a pattern. */
function mayBeLong(kind: Kind, value: unknown): boolean {
	if (typeof value === "string") {
		return value.length * 2 > LIMITS.patternHereCharacters && isLong(kind, value + value);
	}
	if (typeof value !== "object" || value === null) return false;
	for (const [key, each] of Object.entries(value)) {
		if (mayBeLong(kind, key) || mayBeLong(kind, each)) return true;
	}
	return false;
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
const hasPattern = (kind: Kind, source: string): boolean =>
	kind === "pattern" || source.includes("matches");

/** Most are short however they are read, which is told without looking at them. */
const isLong = (kind: Kind, source: string): boolean =>
	source.length > LIMITS.patternHereCharacters &&
	(source.length > LIMITS.compileHereCharacters || hasPattern(kind, source));

/** A compiler that compiles nothing and notes the texts that it is given. */
class Collector extends Compiler {
	readonly wanted = new Map<string, WantedProgram>();

	want(kind: Kind, source: string, phase: Phase): void {
		if (!isLong(kind, source)) return;
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
