/**
 * What a worker counts of the rules of policies: how often each applied, and how often it refused a request. A policy
 * in force on a route has numbers of its own for each phase, made when a rule first applies. Used by
 * `policy/rules/evaluate.ts`, which counts, and by `worker-traffic.ts`.
 */

/** Of one rule: what was counted since it was last told. */
export interface RuleChange {
	readonly edge: string;
	readonly route: string;
	readonly phase: "inbound" | "outbound";
	/** from 0, in the document */
	readonly rule: number;
	readonly name: string;
	readonly matched: number;
	readonly refused: number;
}

/** Whose rules they are. */
export interface RuleOwner {
	readonly edgeId: string;
	readonly routeId: string;
	readonly phase: "inbound" | "outbound";
	/** of each rule as compiled: its place in the document, and its name */
	readonly rules: readonly { readonly index: number; readonly name: string }[];
}

/** Of one phase of a policy in force. */
export class PhaseCounts {
	readonly #owner: RuleOwner;
	readonly #counts: RuleCounts;
	/** two of each rule; no typed array, which takes 250 bytes more, and there may be 100,000 policies */
	#values: number[] | undefined;
	/** no new request comes to the policy */
	isClosed = false;

	constructor(owner: RuleOwner, counts: RuleCounts) {
		this.#owner = owner;
		this.#counts = counts;
	}

	/** Hot. All expressions of the rule are true. @param rule as compiled @param times of so many requests */
	matched(rule: number, times = 1): void {
		const values = this.#values ?? this.#open();
		values[rule * 2] = (values[rule * 2] ?? 0) + times;
	}

	/** Hot. It has sent the request away. */
	refused(rule: number, times = 1): void {
		const values = this.#values ?? this.#open();
		values[rule * 2 + 1] = (values[rule * 2 + 1] ?? 0) + times;
	}

	/** The policy is replaced; those that began with it are still counted. */
	close(): void {
		this.isClosed = true;
	}

	takeInto(changes: RuleChange[]): void {
		const values = this.#values;
		if (values === undefined) return;
		const { edgeId, routeId, phase, rules } = this.#owner;
		for (const [at, { index, name }] of rules.entries()) {
			const [matched = 0, refused = 0] = [values[at * 2], values[at * 2 + 1]];
			if (matched + refused === 0) continue;
			const of = { edge: edgeId, route: routeId, phase, rule: index, name };
			changes.push({ ...of, matched, refused });
		}
		values.fill(0);
		// What comes later opens it again.
		if (this.isClosed) this.#values = undefined;
	}

	#open(): number[] {
		this.#values = Array.from({ length: this.#owner.rules.length * 2 }, () => 0);
		this.#counts.opened(this);
		return this.#values;
	}
}

/** All of a worker. */
export class RuleCounts {
	readonly #open = new Set<PhaseCounts>();

	opened(phase: PhaseCounts): void {
		this.#open.add(phase);
	}

	/** What was counted and not told yet, of about so many rules. */
	take(most = Number.POSITIVE_INFINITY): RuleChange[] {
		const changes: RuleChange[] = [];
		let left = this.#open.size;
		for (const phase of this.#open) {
			if (left-- === 0 || changes.length >= most) break;
			phase.takeInto(changes);
			// At the end, so that all have their turn.
			this.#open.delete(phase);
			if (!phase.isClosed) this.#open.add(phase);
		}
		return changes;
	}
}
