/**
 * The `from` of url-rewrite and redirect (contract 5): a pattern in RE2 syntax, in which `${CEL}` stands for its value as
 * literal text, so that no client writes patterns. Parsed once by these actions; `run.ts` asks it for each request.
 *
 * A pattern with expressions is known with the request only, and compiling one takes up to milliseconds. So another thread
 * compiles it and searches, always, and the groups are those of the pattern with any text in the place of the expressions.
 */
import {
	EvaluationFailure,
	isSuspension,
	type Matches,
	type Pattern,
	type Phase,
	type Replacement,
	type Settled,
	type Suspension,
	type Template,
} from "../../../cel/expression.ts";
import { replaceMatches } from "../../../cel/pattern/pattern.ts";
import { fail, ok, type Result } from "../../../errors.ts";
import { LIMITS } from "../../../limits/limits.ts";
import type { PolicyExchange } from "../../exchange.ts";
import type { Compiler } from "../../programs/compiler.ts";
import type { FieldProblem } from "../../programs/problem.ts";
import { endOfInterpolation } from "./interpolation.ts";

/** What a request is searched for, and what asks another thread to. */
export interface Search {
	readonly pattern: Pattern;
	readonly suspension: Suspension;
}

export interface From {
	/** its groups are those of every request's pattern */
	readonly shape: Pattern;
	/** it has expressions */
	readonly isFilled: boolean;
	/** Hot. A suspension of an expression, or its failure, where the pattern can't be told yet. */
	search(
		exchange: PolicyExchange,
		settled: Settled | undefined,
	): Search | Suspension | EvaluationFailure;
}

/** Parts of a pattern that can't be split: a quotation, an escape, a class, `${`, any other character. */
const PATTERN_PART = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$\{(?!\d+(?:,\d*)?\})|./gs;

const PATH: readonly PropertyKey[] = ["from"];
/** in the place of an expression, to see what the rest is worth */
const ANY_TEXT = "x";

type Part = string | Template;

export function parseFrom(
	text: string,
	phase: Phase,
	compiler: Compiler,
): Result<From, readonly FieldProblem[]> {
	const parts = partsOf(text, phase, compiler);
	if (!parts.ok) return parts;
	const shape = parts.value.map((part) => (typeof part === "string" ? part : ANY_TEXT)).join("");
	const compiled = compiler.pattern(shape);
	if (!compiled.ok) return compiled;
	const pattern = compiled.value;
	if (parts.value.every((part) => typeof part === "string"))
		return ok(fromOf(pattern, shape, phase));
	compiler.noteWaiting();
	return ok(new DynamicFrom(pattern, parts.value, phase));
}

/** Of a text in which `${` is what RE2 takes it for. */
export function plainFrom(
	text: string,
	phase: Phase,
	compiler: Compiler,
): Result<From, readonly FieldProblem[]> {
	const compiled = compiler.pattern(text);
	return compiled.ok ? ok(fromOf(compiled.value, text, phase)) : compiled;
}

function fromOf(pattern: Pattern, source: string, phase: Phase): From {
	const search = { pattern, suspension: suspensionOf(source, phase) };
	return { shape: pattern, isFilled: false, search: () => search };
}

function partsOf(
	text: string,
	phase: Phase,
	compiler: Compiler,
): Result<readonly Part[], readonly FieldProblem[]> {
	if (!text.includes("${")) return ok([text]);
	const parts: Part[] = [];
	const problems: FieldProblem[] = [];
	let from = 0;
	let passed = 0;
	for (const { 0: part, index } of text.matchAll(PATTERN_PART)) {
		if (part !== "${" || index < passed) continue;
		const end = endOfInterpolation(text, index);
		if (end < 0) {
			const message = `"\${" at character ${index + 1} has no end; a literal one is written "\\\${"`;
			return fail([{ path: PATH, code: "template_syntax", message }]);
		}
		const template = compiler.field(text.slice(index, end), phase, PATH);
		if (!template.ok) problems.push(...template.error);
		else parts.push(text.slice(from, index), template.value);
		from = end;
		passed = end;
	}
	parts.push(text.slice(from));
	return problems.length > 0 ? fail(problems) : ok(parts);
}

const suspensionOf = (source: string, phase: Phase): Suspension =>
	Object.freeze({ source, phase, wants: "matches", reads: ["url.full"] });

const META = /[\\.+*?()|[\]{}^$]/g;

class DynamicFrom implements From {
	readonly shape: Pattern;
	readonly isFilled = true;
	readonly #parts: readonly Part[];
	readonly #phase: Phase;

	constructor(shape: Pattern, parts: readonly Part[], phase: Phase) {
		this.shape = new SearchedElsewhere(shape);
		this.#parts = parts;
		this.#phase = phase;
	}

	search(
		exchange: PolicyExchange,
		settled: Settled | undefined,
	): Search | Suspension | EvaluationFailure {
		let source = "";
		for (const part of this.#parts) {
			if (typeof part === "string") {
				source += part;
				continue;
			}
			const text = part.render(exchange, settled);
			if (isSuspension(text) || text instanceof EvaluationFailure) return text;
			source += text.replace(META, "\\$&");
		}
		if (Buffer.byteLength(source) > LIMITS.patternBytes) {
			return new EvaluationFailure(`the pattern has more than ${LIMITS.patternBytes} bytes`);
		}
		for (const asked of settled?.keys() ?? []) {
			if (asked.wants === "matches" && asked.source === source)
				return { pattern: this.shape, suspension: asked };
		}
		return { pattern: this.shape, suspension: suspensionOf(source, this.#phase) };
	}
}

/** Finds nothing here: too dear for the event loop, whatever the text. */
class SearchedElsewhere implements Pattern {
	readonly groupCount: number;
	readonly groupNames: ReadonlyMap<string, number>;

	constructor({ groupCount, groupNames }: Pattern) {
		this.groupCount = groupCount;
		this.groupNames = groupNames;
	}

	test(): never {
		throw new Error("a pattern with expressions is searched by another thread");
	}

	replace(text: string, replacement: Replacement, matches?: Matches): string {
		return matches === undefined
			? this.test()
			: replaceMatches(text, replacement, matches, this.groupCount);
	}

	replaceCost(): number {
		return Number.POSITIVE_INFINITY;
	}

	findAll(): never {
		return this.test();
	}
}
