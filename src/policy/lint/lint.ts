/**
 * Warnings about valid documents (contract 3 "Lint"): text that is allowed but most likely does not do what its
 * author meant, each with its remedy. Lint never refuses; `document/validate.ts` adds the warnings to its result, the
 * API sends them beside the answer, `weir check` lists them. Lints of one expression are in the table of
 * `expression.ts`, lints of one action in the action's file; this file has those that take several rules.
 */
import type { Phase } from "../../cel/expression.ts";
import { pointerTo } from "../../documents/json-position.ts";
import type { Problem } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Remark } from "../actions/action.ts";
import { actionOf } from "../actions/table.ts";
import type { PolicyDocument, RuleDocument } from "../document/schema.ts";
import type { ExpressionFinding } from "./finding.ts";
import type { InspectingCompiler } from "./inspecting-compiler.ts";
import { common, type Keys, NO_KEYS, union } from "./presence.ts";
import { unreachableRules } from "./reachability.ts";
import { endsPhase, mayChange, mayRespond } from "./rule-effects.ts";
import type { WarningCode } from "./warnings.ts";

export type Warning = Problem;

type Path = readonly PropertyKey[];
type Placed = (path: Path) => Path;

/**
 * @param compiler that has compiled the document
 * @param placed where a part of the document stands in the submitted value; pointers say that
 */
export function lint(
	document: PolicyDocument,
	compiler: InspectingCompiler,
	placed: Placed,
): readonly Warning[] {
	const walk = new Walk(compiler, placed);
	const unreachable = unreachableRules(document, compiler);
	for (const phase of ["inbound", "outbound"] as const) {
		if (phase === "outbound") walk.enterOutbound(document.inbound);
		for (const [index, rule] of document[phase].entries()) {
			const path = [phase, index];
			const reason = unreachable[phase].get(index);
			if (reason !== undefined) walk.report(path, unreachableRule(reason));
			walk.rule(rule, phase, path);
		}
	}
	return walk.warnings();
}

const withoutQuery = (keys: Keys): Keys => ofRequest(keys, true);

/** A rule may have removed any of them. */
const withoutHeaders = (keys: Keys, phase: Phase): Keys => {
	const side = phase === "inbound" ? /^req\.(?:headers|cookies)/ : /^res\.(?:headers|cookies)/;
	return new Set([...keys].filter((key) => !side.test(key)));
};

const ofRequest = (keys: Keys, dropsQuery: boolean): Keys =>
	new Set(
		[...keys].filter(
			(key) => key.startsWith("req.") && !(dropsQuery && key.startsWith("req.url.query_params")),
		),
	);

class Walk {
	readonly #compiler: InspectingCompiler;
	readonly #placed: Placed;
	readonly #warnings: Warning[] = [];
	#unlisted = 0;
	/** headers, cookies and parameters that every request has that comes to the next rule */
	#sure = NO_KEYS;
	/** the same for requests that come to outbound rules: requests that were not denied */
	#sureOutbound = NO_KEYS;
	#mayHaveResponded = false;

	constructor(compiler: InspectingCompiler, placed: Placed) {
		this.#compiler = compiler;
		this.#placed = placed;
	}

	report(path: Path, { code, message }: Omit<Warning, "pointer">): void {
		if (this.#warnings.length >= LIMITS.problemsPerDocument - 1) this.#unlisted += 1;
		else this.#warnings.push({ pointer: pointerTo(this.#placed(path)), code, message });
	}

	/** As many as problems are reported of a document; the last one counts the rest. */
	warnings(): readonly Warning[] {
		if (this.#unlisted === 0) return this.#warnings;
		const message = `and ${this.#unlisted} more warnings`;
		const code: WarningCode = "more_warnings";
		return [...this.#warnings, { pointer: "", code, message }];
	}

	enterOutbound(inbound: readonly RuleDocument[]): void {
		this.#sure = ofRequest(
			this.#sureOutbound,
			inbound.some((rule) => mayChange(rule, "url")),
		);
	}

	rule(rule: RuleDocument, phase: Phase, path: Path): void {
		let sure = this.#sure;
		let otherwise: Keys | undefined;
		for (const [index, source] of rule.expressions.entries()) {
			const place = [...path, "expressions", index];
			const compiled = this.#compiler.predicate(source, phase);
			const constant = compiled.ok ? compiled.value.constant : undefined;
			if (constant !== undefined) this.report(place, constant ? ALWAYS : NEVER);
			const inspection = this.#compiler.ofPredicate(source);
			if (inspection === undefined || constant === true) continue;
			for (const finding of inspection.findings) this.report(place, finding);
			for (const { key, finding } of inspection.indexes) {
				if (!sure.has(key)) this.report(place, finding);
			}
			const { ifTrue, ifFalse } = inspection.presence;
			sure = union(sure, ifTrue);
			otherwise = otherwise === undefined ? ifFalse : common(otherwise, ifFalse);
		}
		this.#actions(rule, phase, path, sure);
		this.#pass(rule, phase, otherwise ?? NO_KEYS);
	}

	#actions(rule: RuleDocument, phase: Phase, path: Path, sure: Keys): void {
		for (const [index, action] of rule.actions.entries()) {
			const config = [...path, "actions", index, "config"];
			const { lints } = actionOf(action.type);
			const say = (code: string, remarks: readonly Remark[]): void => {
				for (const { path: field, message } of remarks)
					this.report([...config, ...field], { code, message });
			};
			for (const { code, inspect } of lints) say(code, inspect(action.config, phase));
			for (const field of this.#compiler.ofAction(action, phase)) {
				const place = [...config, ...field.path];
				for (const { clientHeader, findings, indexes } of field.inspections) {
					if (clientHeader !== undefined)
						for (const { code, inspectCarried } of lints)
							say(code, inspectCarried?.(field.path, clientHeader) ?? []);
					for (const finding of findings) this.report(place, finding);
					for (const { key, finding } of indexes) {
						if (!sure.has(key)) this.report(place, finding);
					}
				}
			}
		}
	}

	/** @param otherwise keys that every request has to which the rule did not apply */
	#pass(rule: RuleDocument, phase: Phase, otherwise: Keys): void {
		if (mayChange(rule, "url")) this.#sure = withoutQuery(this.#sure);
		if (mayChange(rule, "headers")) this.#sure = withoutHeaders(this.#sure, phase);
		if (mayRespond(rule) && phase === "inbound") this.#mayHaveResponded = true;
		if (!endsPhase(rule)) return;
		this.#sure = union(this.#sure, otherwise);
		if (phase === "outbound") return;
		if (!this.#mayHaveResponded) this.#sureOutbound = union(this.#sureOutbound, otherwise);
	}
}

const unreachableRule = (message: string): ExpressionFinding => ({
	code: "unreachable_rule",
	message,
});
const ALWAYS: ExpressionFinding = {
	code: "constant_expression",
	message: "is always true; leave it out",
};
const NEVER: ExpressionFinding = {
	code: "constant_expression",
	message: "is never true: its rule never applies",
};
