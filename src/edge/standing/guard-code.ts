/**
 * Turns the first rules of a policy into instructions that the front runs for each request (native/README.md, "Standing
 * refusals"): each looks at one thing and names the next instruction, for yes and for no. They are made from the end, for
 * who comes behind has to be known, and turned round: every step leads forward. Called by `standing-guards.ts`.
 */
import type { Subject, Test, TextTest } from "../../cel/guard/test-tree.ts";
import type { AddressRange } from "../../http/address-range.ts";
import { AddressSet } from "../../http/address-set.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { StandingAnswer } from "../../native-addon-standing.ts";
import type { AddressesHeld } from "../../policy/address-lists.ts";
import type { StandingRule, StandingStep } from "../../policy/exchange.ts";
import { answerTo } from "./standing-answer.ts";

/** As in native/src/front/guard_program.h. */
const KINDS = ["ask", "refuse", "limit", "passed", "text", "address"] as const;
const SUBJECTS = ["method", "host", "path", "query", "field"] as const;
const COMPARISONS = ["equals", "starts", "ends", "contains", "present"] as const;
const ABSENT = ["false", "true", "empty", "unknown"] as const;

const WORDS = 10;
/** bytes beside what can be counted */
const BYTES = 512;

export interface Refusal extends StandingStep {
	/** as compiled */
	readonly rule: number;
	readonly answer: StandingAnswer;
}

export interface GuardCode {
	readonly code: Uint32Array;
	/** latin1, a character a byte */
	readonly texts: readonly string[];
	readonly sets: readonly AddressesHeld[];
	readonly refusals: readonly Refusal[];
	/** of memory, about; without that of sets */
	readonly bytes: number;
}

interface Instruction {
	readonly kind: (typeof KINDS)[number];
	readonly subject?: Subject | undefined;
	readonly comparison?: TextTest["comparison"];
	readonly first?: number;
	readonly count?: number;
	/** places, counted from the end */
	readonly yes?: number;
	readonly no?: number;
}

/** @returns undefined if it refuses nothing, or would be too large */
export function guardCode(rules: readonly StandingRule[]): GuardCode | undefined {
	// Whoever comes to rules that are left out is asked about.
	for (let count = rules.length; count > 0; count >>= 1) {
		const writer = new Writer();
		if (!writer.write(rules.slice(0, count))) continue;
		return writer.refusals.length > 0 ? writer.finish() : undefined;
	}
	return undefined;
}

class Writer {
	readonly refusals: Refusal[] = [];
	readonly #instructions: Instruction[] = [];
	readonly #texts: string[] = [];
	readonly #places = new Map<string, number>();
	readonly #sets: AddressesHeld[] = [];
	#textBytes = 0;
	/** where JavaScript is asked */
	#ask = 0;

	/** @returns false if it has become too large */
	write(rules: readonly StandingRule[]): boolean {
		this.#ask = this.#push({ kind: "ask" });
		let next = this.#ask;
		for (const rule of rules.toReversed()) {
			const applies = this.#steps(rule, next);
			next = rule.tests.reduceRight((yes, test) => this.#test(test, yes, next), applies);
			if (!this.#fits()) return false;
		}
		// The first one is where it begins.
		if (next !== this.#instructions.length - 1) this.#push({ ...this.#at(next) });
		return this.#fits();
	}

	#fits(): boolean {
		return (
			this.#instructions.length <= LIMITS.standingInstructions &&
			this.#texts.length <= LIMITS.standingTexts &&
			this.#textBytes <= LIMITS.standingTextBytes &&
			this.#sets.every(isBounded)
		);
	}

	finish(): GuardCode {
		const last = this.#instructions.length - 1;
		const code = new Uint32Array((last + 1) * WORDS);
		for (let at = 0; at <= last; at++) {
			const { kind, subject, comparison, first, count, yes, no } = this.#at(last - at);
			code.set(
				[
					KINDS.indexOf(kind),
					SUBJECTS.indexOf(subject?.kind ?? "method"),
					COMPARISONS.indexOf(comparison ?? "equals"),
					ABSENT.indexOf(subject?.absent ?? "false"),
					subject?.folds === true ? 1 : 0,
					subject?.kind === "field" ? this.#textAt(subject.name) : 0,
					first ?? 0,
					count ?? 0,
					last - (yes ?? 0),
					last - (no ?? 0),
				],
				at * WORDS,
			);
		}
		const { refusals } = this;
		const bytes = BYTES + code.byteLength + this.#textBytes + this.#texts.length * 32;
		return { code, texts: this.#texts, sets: this.#sets, refusals, bytes };
	}

	#at(place: number): Instruction {
		return this.#instructions[place] ?? { kind: "ask" };
	}

	#push(instruction: Instruction): number {
		return this.#instructions.push(instruction) - 1;
	}

	/** Of a rule that applies. @param next where who is not refused goes on */
	#steps({ index, steps }: StandingRule, next: number): number {
		const passed = (): number => this.#push({ kind: "passed", first: index, yes: next });
		let place = steps.length === 0 || steps.every(isRestriction) ? passed() : this.#ask;
		for (const step of steps.toReversed())
			place = step === undefined ? this.#ask : this.#step(step, index, place);
		return place;
	}

	#step({ does, place }: StandingStep, rule: number, next: number): number {
		const answer = answerTo(does);
		if (answer === undefined) return this.#ask;
		const kind = does.kind === "limited" ? "limit" : "refuse";
		const first = this.refusals.push({ does, place, rule, answer }) - 1;
		const refused = this.#push({ kind, first });
		if (does.kind !== "refused") return refused;
		const outside = does.allowsAll ? next : refused;
		const allowed = does.allow.reduce((no, set) => this.#held(set, next, no), outside);
		return does.deny.reduce((no, set) => this.#held(set, refused, no), allowed);
	}

	#held(set: AddressesHeld, yes: number, no: number): number {
		const first = this.#sets.push(set) - 1;
		return this.#push({ kind: "address", first, yes, no });
	}

	#test(test: Test, yes: number, no: number): number {
		switch (test.kind) {
			case "constant":
				return test.value ? yes : no;
			case "unknown":
				return this.#ask;
			case "not":
				return this.#test(test.of, no, yes);
			case "all":
				return test.of.reduceRight((next, each) => this.#test(each, next, no), yes);
			case "any":
				return joined(test.of).reduceRight((next, each) => this.#test(each, yes, next), no);
			case "address":
				return this.#held(setOf(test.ranges), yes, no);
			case "text":
				return this.#text(test, yes, no);
		}
	}

	#text({ subject, comparison, texts }: TextTest, yes: number, no: number): number {
		if (subject.kind === "field") this.#textAt(subject.name);
		const first = this.#texts.length;
		for (const text of texts) this.#addText(text);
		const count = texts.length;
		return this.#push({ kind: "text", subject, comparison, first, count, yes, no });
	}

	#textAt(name: string): number {
		const known = this.#places.get(name);
		if (known !== undefined) return known;
		this.#places.set(name, this.#texts.length);
		this.#addText(name);
		return this.#texts.length - 1;
	}

	#addText(text: string): void {
		const bytes = Buffer.from(text).toString("latin1");
		this.#textBytes += bytes.length;
		this.#texts.push(bytes);
	}
}

/** Of tests any of which may hold: those that compare the same text in the same way are one. */
function joined(tests: readonly Test[]): readonly Test[] {
	const all: Test[] = [];
	for (const test of tests.flatMap((each) => (each.kind === "any" ? joined(each.of) : [each]))) {
		const last = all.at(-1);
		if (last?.kind !== "text" || test.kind !== "text" || !areAlike(last, test)) all.push(test);
		else all[all.length - 1] = { ...last, texts: [...last.texts, ...test.texts] };
	}
	return all;
}

const areAlike = (one: TextTest, other: TextTest): boolean =>
	one.comparison === other.comparison &&
	one.comparison !== "present" &&
	SUBJECT_PARTS.every((part) => one.subject[part] === other.subject[part]);
const SUBJECT_PARTS = ["kind", "name", "absent", "folds"] as const;

const isRestriction = (step: StandingStep | undefined): boolean => step?.does.kind === "refused";

const setOf = (ranges: readonly AddressRange[]): AddressesHeld => AddressSet.of(ranges);

export const segmentsOf = ({ v4, v6 }: AddressesHeld): number =>
	v4 === undefined || v6 === undefined
		? Number.POSITIVE_INFINITY
		: v4.lengths.length + v6.lengths.length;

const isBounded = (set: AddressesHeld): boolean => segmentsOf(set) <= LIMITS.standingSegments;
