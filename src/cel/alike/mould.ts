/**
 * A compiled expression with some of its texts taken out: what comes of parsing, checking, estimating and lowering is the
 * same whatever stands there. Casting it with other texts makes the program of another expression, exactly as if that had
 * been compiled. What does depend on the texts is found anew (guards, whether a text is an address range), is bounded by
 * how long they may be (the estimate), or is ruled out: two texts that are the same are one constant of the code. Made
 * and asked by `moulds.ts`.
 */
import { checkRange } from "../../http/ip-address.ts";
import type { CheckedExpression, Inspect } from "../checked-expression.ts";
import { costAnew, costClassOf, expectCost } from "../cost/cost.ts";
import type { ExpressionProgram } from "../expression-program.ts";
import type { Code, Constant, PackedValue } from "../lower/code.ts";
import type { ConstantNode } from "../tree/node.ts";
import { freeTexts } from "./free-texts.ts";
import type { Skeleton } from "./skeleton.ts";

/** How expressions of one purpose become programs. */
export interface Making<P extends ExpressionProgram> {
	lower(source: string, checked: CheckedExpression): P;
	/** The program of an expression that differs from that of `like` in texts, with which the tree is filled. */
	recast(like: P, source: string, code: Code, checked: CheckedExpression): P;
}

/** A text that is taken out: its place in the tree, and its number among the texts of the source. */
interface Hole {
	readonly node: ConstantNode;
	readonly at: number;
	readonly isRange: boolean;
}

/** A constant of the code: the text of a hole, one with texts of holes in it, or the same for all. */
type Part = number | { readonly filled: Constant } | { readonly same: Constant };

/** Stands for the text of a hole while code is made. No text of an expression that has a skeleton holds NUL. */
const standIn = (at: number): string => `\0${at}\0`;
const STAND_IN = /^\0(\d+)\0$/;

/** Beyond so many a set tells whether two are the same. */
const FEW = 8;

export class Mould<P extends ExpressionProgram> {
	readonly #making: Making<P>;
	readonly #checked: CheckedExpression;
	readonly #like: P;
	readonly #holes: readonly Hole[];
	readonly #parts: readonly Part[];
	/** texts that the code has besides */
	readonly #others: ReadonlySet<string>;

	private constructor(
		making: Making<P>,
		checked: CheckedExpression,
		like: P,
		holes: readonly Hole[],
		others: ReadonlySet<string>,
	) {
		this.#making = making;
		this.#checked = checked;
		this.#like = like;
		this.#holes = holes;
		this.#parts = like.code.constants.map(partOf);
		const texts = like.code.constants.map(textOf).filter((text) => text !== undefined);
		this.#others = new Set([...others, ...texts.filter((text) => !STAND_IN.test(text))]);
	}

	/**
	 * @param checked is the mould's from now on @param program that came of it
	 * @param longest of the texts that it will be cast with, in characters
	 * @returns undefined if it can't be sure to make the same programs
	 */
	static of<P extends ExpressionProgram>(
		making: Making<P>,
		{ texts, offsets }: Skeleton,
		checked: CheckedExpression,
		program: P,
		longest: number,
	): Mould<P> | undefined {
		const holes = holesOf(checked, offsets);
		const isHole = new Set(holes.map(({ at }) => at));
		const others = new Set(texts.filter((_, at) => !isHole.has(at)));
		if (!isSteadyCost(checked, holes, longest)) return undefined;
		fill(holes, standIn);
		const like = making.lower(program.source, checked);
		const mould = new Mould(making, checked, like, holes, others);
		const again = mould.cast(program.source, texts);
		return again !== undefined && isSame(again, program) ? mould : undefined;
	}

	/** The numbers of the texts that are no holes, which have to be those of the expression that it was made of. */
	static kept(checked: CheckedExpression, { offsets }: Skeleton): readonly number[] {
		const isHole = new Set(holesOf(checked, offsets).map(({ at }) => at));
		return offsets.flatMap((_, at) => (isHole.has(at) ? [] : [at]));
	}

	/**
	 * @param texts of the source, in their order, those that are kept as they were
	 * @returns undefined for texts with which the program may be another one
	 */
	cast(source: string, texts: readonly string[], inspect?: Inspect): P | undefined {
		const holes = this.#holes;
		for (let index = 0; index < holes.length; index++) {
			const hole = holes[index] as Hole;
			const text = texts[hole.at] ?? "";
			if (this.#others.has(text)) return undefined;
			if (hole.isRange && checkRange(text) !== undefined) return undefined;
			if (holes.length > FEW) continue;
			for (let before = 0; before < index; before++)
				if (texts[holes[before]?.at ?? -1] === text) return undefined;
		}
		if (holes.length > FEW && new Set(holes.map(({ at }) => texts[at])).size < holes.length)
			return undefined;
		fill(holes, (at) => texts[at] ?? "");
		const { scope, expr } = this.#checked;
		if (inspect !== undefined) {
			expectCost(scope, expr);
			inspect(expr);
		}
		const constants = this.#parts.map((part) => constantOf(part, texts));
		const { shape } = this.#like.code;
		return this.#making.recast(this.#like, source, { shape, constants }, this.#checked);
	}
}

function holesOf({ expr }: CheckedExpression, offsets: readonly number[]): readonly Hole[] {
	const holes: Hole[] = [];
	for (const { node, isRange } of freeTexts(expr)) {
		const at = offsets.indexOf(node.offset);
		if (at >= 0) holes.push({ node, at, isRange });
	}
	return holes;
}

function fill(holes: readonly Hole[], textAt: (at: number) => string): void {
	for (const { node, at } of holes) node.value = textAt(at);
}

/** Estimates only grow with texts, so what holds for the shortest and for the longest ones holds for all. */
function isSteadyCost(
	{ scope, expr, cost }: CheckedExpression,
	holes: readonly Hole[],
	longest: number,
): boolean {
	const classOf = (length: number): number => {
		fill(holes, () => "x".repeat(length));
		return costClassOf(costAnew(scope, expr));
	};
	const own = costClassOf(cost);
	return classOf(0) === own && classOf(longest) === own;
}

const textOf = (constant: Constant): string | undefined =>
	constant.kind === "value" && typeof constant.value === "string" ? constant.value : undefined;

function partOf(constant: Constant): Part {
	const text = textOf(constant);
	if (text !== undefined) {
		const at = STAND_IN.exec(text)?.[1];
		return at === undefined ? { same: constant } : Number(at);
	}
	return JSON.stringify(constant, withoutBigints).includes("\\u0000")
		? { filled: constant }
		: { same: constant };
}

const withoutBigints = (_: string, value: unknown): unknown =>
	typeof value === "bigint" ? "" : value;

function constantOf(part: Part, texts: readonly string[]): Constant {
	if (typeof part === "number") return { kind: "value", value: texts[part] ?? "" };
	if ("same" in part) return part.same;
	const { filled } = part;
	const of = (text: string): string => {
		const at = STAND_IN.exec(text)?.[1];
		return at === undefined ? text : (texts[Number(at)] ?? "");
	};
	switch (filled.kind) {
		case "value":
			return { kind: "value", value: refilled(filled.value, of) };
		case "set":
			return {
				kind: "set",
				members: filled.members.map((each) => (typeof each === "string" ? of(each) : each)),
			};
		case "ranges":
			return { kind: "ranges", texts: filled.texts.map(of) };
		default:
			return filled;
	}
}

const refilled = (value: PackedValue, of: (text: string) => string): PackedValue => {
	if (typeof value === "string") return of(value);
	return Array.isArray(value) ? value.map((each: PackedValue) => refilled(each, of)) : value;
};

/** All but the texts' places, which no program has. */
function isSame(left: ExpressionProgram, right: ExpressionProgram): boolean {
	return left.code.shape === right.code.shape && textOfProgram(left) === textOfProgram(right);
}

const textOfProgram = (program: ExpressionProgram): string =>
	JSON.stringify({ ...program, code: program.code.constants }, (_, value: unknown) =>
		typeof value === "bigint" ? `${value}n` : value,
	);
