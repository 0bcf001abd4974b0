/**
 * The guards of policies as the front holds them (native/README.md, "Standing refusals"): one for each policy that something
 * stands by, within a bound on their memory. Policies that refuse in the same way share what the front holds, so that
 * 1,000 of them cost a flood no more memory to look at than one. Made by `standing-refusals.ts`.
 */
import { dropAddresses, dropGuard, putAddresses, putGuard } from "../../http/standing.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { NativeRefusal } from "../../native-addon-standing.ts";
import type { AddressesHeld } from "../../policy/address-lists.ts";
import type { CompiledPolicy, Outcome } from "../../policy/exchange.ts";
import { type GuardCode, guardCode, type Refusal, segmentsOf } from "./guard-code.ts";
import { limitOf } from "./standing-answer.ts";
import { Numbers } from "./standing-numbers.ts";

/** Something that the front has under a number. */
interface Shared {
	readonly number: number;
	readonly bytes: number;
	uses: number;
}

interface SharedGuard extends Shared {
	readonly likeness: string;
	readonly sets: readonly AddressesHeld[];
}

export interface Guard {
	readonly policy: CompiledPolicy;
	readonly refusals: readonly Refusal[];
	readonly shared: SharedGuard;
	uses: number;
}

/** bits of a number */
const RULES_TRIED = 32;
/** of an address's segment, in the front */
const SEGMENT_BYTES = 17;
/** of a set besides, here and there, and of the index that the front makes for one of many segments */
const SET_BYTES = 1024;
const INDEX_BYTES = 262_148;
const INDEXED_FROM = 4096;

export class StandingGuards {
	readonly #byPolicy = new Map<CompiledPolicy, Guard>();
	readonly #byLikeness = new Map<string, SharedGuard>();
	readonly #sets = new Map<AddressesHeld, Shared>();
	readonly #guardNumbers = new Numbers();
	readonly #setNumbers = new Numbers();
	/** which rules of a policy were a reason to try it, as bits */
	#tried = new WeakMap<CompiledPolicy, number>();
	#bytes = 0;
	#cost = 0;

	get bytes(): number {
		return this.#bytes;
	}

	/** What was made since it was last asked counts as. */
	takeCost(): number {
		const cost = this.#cost;
		this.#cost = 0;
		return cost;
	}

	/** Hot. The one by which the front refuses as this rule of the policy has. @param rule in the document */
	of(policy: CompiledPolicy, rule: number, ending: Outcome["kind"]): Guard | undefined {
		const known = this.#byPolicy.get(policy);
		return known !== undefined && refusesBy(known, rule, ending) ? known : undefined;
	}

	/**
	 * Where there is none: each rule that has refused is a reason to try it once, since by then its rate-limit is open.
	 * @returns one that is to be used; undefined: it can't be told, or there is no room
	 */
	make(policy: CompiledPolicy, rule: number, ending: Outcome["kind"]): Guard | undefined {
		this.#tried.set(policy, (this.#tried.get(policy) ?? 0) | (1 << rule));
		const rules = policy.standing?.();
		const tests = rules?.reduce((sum, each) => sum + each.tests.length, 0) ?? 0;
		this.#cost += LIMITS.standingGuardCost + LIMITS.standingTestCost * tests;
		const made = rules && guardCode(rules);
		if (made === undefined || !refusesBy(made, rule, ending)) return undefined;
		const shared = this.#share(made);
		if (shared === undefined) return undefined;
		shared.uses++;
		const guard = { policy, refusals: made.refusals, shared, uses: 0 };
		this.#byPolicy.set(policy, guard);
		return guard;
	}

	/** Hot. */
	wasTried(policy: CompiledPolicy, rule: number): boolean {
		return rule >= RULES_TRIED || ((this.#tried.get(policy) ?? 0) & (1 << rule)) !== 0;
	}

	#share(made: GuardCode): SharedGuard | undefined {
		const refusals = made.refusals.map(({ answer, does }) => ({ ...answer, ...limitOf(does) }));
		// Sets are told apart by nothing but themselves, and a limit belongs to one policy.
		const isOwn = made.sets.length > 0 || refusals.some(({ isLimited }) => isLimited);
		const isAlone = isOwn || made.bytes > LIMITS.standingSharedBytes;
		const likeness = isAlone ? "" : JSON.stringify([...made.code, made.texts, refusals]);
		const known = this.#byLikeness.get(likeness);
		if (known !== undefined) return known;
		const fresh = [...new Set(made.sets)].filter((set) => !this.#sets.has(set));
		const setBytes = fresh.reduce((sum, set) => sum + bytesOf(set), 0);
		const bytes = made.bytes + refusals.reduce((sum, each) => sum + sizeOf(each), 0);
		if (this.#bytes + bytes + setBytes > LIMITS.standingGuardBytes) return undefined;
		const numbers = made.sets.map((set) => this.#useSet(set));
		const number = this.#guardNumbers.take();
		const { code, texts, sets } = made;
		const shared = { number, bytes, uses: 0, likeness, sets };
		this.#bytes += bytes;
		if (!putGuard(number, { code, texts, sets: Uint32Array.from(numbers), refusals })) {
			this.#dropShared(shared);
			return undefined;
		}
		if (likeness !== "") this.#byLikeness.set(likeness, shared);
		return shared;
	}

	#useSet(set: AddressesHeld): number {
		const known = this.#sets.get(set);
		if (known !== undefined) {
			known.uses++;
			return known.number;
		}
		const number = this.#setNumbers.take();
		const { v4, v6 } = set;
		if (v4 !== undefined && v6 !== undefined) putAddresses(number, v4, v6);
		const bytes = bytesOf(set);
		this.#sets.set(set, { number, bytes, uses: 1 });
		this.#bytes += bytes;
		return number;
	}

	/** Nothing stands by it any more. */
	release(guard: Guard): void {
		const { policy, shared } = guard;
		if (this.#byPolicy.get(policy) === guard) {
			this.#byPolicy.delete(policy);
			this.#tried.delete(policy);
		}
		if (--shared.uses === 0) this.#dropShared(shared);
	}

	#dropShared({ number, bytes, likeness, sets }: SharedGuard): void {
		dropGuard(number);
		this.#guardNumbers.free(number);
		this.#bytes -= bytes;
		this.#byLikeness.delete(likeness);
		for (const set of sets) this.#leaveSet(set);
	}

	#leaveSet(set: AddressesHeld): void {
		const known = this.#sets.get(set);
		if (known === undefined || --known.uses > 0) return;
		dropAddresses(known.number);
		this.#setNumbers.free(known.number);
		this.#bytes -= known.bytes;
		this.#sets.delete(set);
	}

	/** The front has dropped all of them. */
	clear(): void {
		this.#byPolicy.clear();
		this.#byLikeness.clear();
		this.#sets.clear();
		this.#guardNumbers.clear();
		this.#setNumbers.clear();
		this.#tried = new WeakMap();
		this.#bytes = 0;
	}
}

const bytesOf = (set: AddressesHeld): number => {
	const isIndexed = (set.v4?.lengths.length ?? 0) >= INDEXED_FROM;
	return SET_BYTES + segmentsOf(set) * SEGMENT_BYTES + (isIndexed ? INDEX_BYTES : 0);
};

const refusesBy = (
	{ refusals }: Pick<Guard, "refusals">,
	rule: number,
	ending: Outcome["kind"],
): boolean => refusals.some(({ does, place }) => place.ruleIndex === rule && does.kind === ending);

const sizeOf = ({ pieces }: NativeRefusal): number =>
	2 * pieces.reduce((sum, { length }) => sum + length, 0);
