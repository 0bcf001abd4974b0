/**
 * Compiles expressions, those that are like one that was met before without reading them: 100,000 policies that one tool
 * wrote from a few templates are parsed, checked, estimated and lowered a few times (`mould.ts`). The second of its
 * kind makes the mould, so that expressions without their like cost a look-up. Called by `compile.ts`.
 */
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { Cache } from "../cache.ts";
import type { CheckedExpression, Inspect } from "../checked-expression.ts";
import type { ExpressionProgram } from "../expression-program.ts";
import type { Fault } from "../problem.ts";
import { type Making, Mould } from "./mould.ts";
import { type Skeleton, skeletonOf } from "./skeleton.ts";

/** One of its kind was met; no mould can be made of it; which texts belong to its kind; its mould. */
type Known<P extends ExpressionProgram> = typeof MET | typeof UNLIKE | Kinds | Mould<P>;
/** Which texts tell kinds apart that are alike otherwise; the number makes short keys of them. */
interface Kinds {
	readonly kept: readonly number[];
	readonly number: number;
}
const MET = "met";
const UNLIKE = "unlike";

export interface Steps<P extends ExpressionProgram> extends Making<P> {
	check(source: string): Result<CheckedExpression, readonly Fault[]>;
}

/** Of expressions of one purpose: rules' conditions, or expressions in texts. */
export class Moulds<P extends ExpressionProgram> {
	readonly #known: Cache<Known<P>>;
	#kinds = 0;

	constructor(most: number = LIMITS.moulds) {
		this.#known = new Cache(most);
	}

	/** @param purpose that with the source decides what comes of it @param inspect is shown what compiles */
	compiled(
		source: string,
		purpose: string,
		steps: Steps<P>,
		inspect?: Inspect,
	): Result<P, readonly Fault[]> {
		const skeleton = skeletonOf(source);
		const longest = skeleton === undefined ? 0 : roundedUp(skeleton.texts);
		const bare = `${purpose} ${longest}\n${skeleton?.source}`;
		const first = skeleton && this.#known.get(bare);
		const kinds = typeof first === "object" && "kept" in first ? first : undefined;
		const kind = skeleton && kinds ? kindWith(kinds, skeleton) : bare;
		const known = kinds === undefined ? first : this.#known.get(kind);
		if (known instanceof Mould && skeleton !== undefined) {
			const cast = known.cast(source, skeleton.texts, inspect);
			if (cast !== undefined) return ok(cast);
		}
		const checked = steps.check(source);
		if (!checked.ok) return fail(checked.error);
		inspect?.(checked.value.expr);
		const program = steps.lower(source, checked.value);
		if (skeleton === undefined) return ok(program);
		if (known === undefined) this.#known.put(kind, MET);
		else if (known === MET) {
			const own = Mould.kept(checked.value, skeleton);
			if (!isTelling(skeleton, own)) return ok(program);
			const mould = Mould.of(steps, skeleton, checked.value, program, longest);
			if (kinds === undefined && own.length > 0 && mould !== undefined) {
				const made = { kept: own, number: ++this.#kinds };
				this.#known.put(bare, made);
				this.#known.put(kindWith(made, skeleton), mould);
			} else {
				// The same texts must be holes as in the first of its kind.
				const isAlike = (kinds?.kept ?? []).join() === own.join();
				this.#known.put(kind, isAlike ? (mould ?? UNLIKE) : UNLIKE);
			}
		}
		return ok(program);
	}
}

function kindWith({ kept, number }: Kinds, { texts }: Skeleton): string {
	let kind = String(number);
	// No source that has a skeleton holds NUL, nor does what a purpose begins with.
	for (const at of kept) kind += `\0${texts[at]}`;
	return kind;
}

/** Can a mould be made of it, as far as its own texts say? Else perhaps of the next of its kind. */
function isTelling({ texts }: Skeleton, kept: readonly number[]): boolean {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return texts.every((text, at) => counts.get(text) === 1 || kept.includes(at));
}

/** Texts of one template differ little in length, and the less they may differ, the less do estimates. */
const SHORTEST = 16;

/** As long as the longest of them, and somewhat more. */
function roundedUp(texts: readonly string[]): number {
	let longest = SHORTEST;
	for (const { length } of texts) while (longest < length) longest = Math.ceil(longest * 1.25);
	return longest;
}
