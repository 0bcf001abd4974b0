/**
 * What a worker counts of the rules of policies: how often each applied, and how often it refused a request. All numbers
 * lie in one table, since there may be 100,000 policies: a policy in force on a route has a place in it for each phase,
 * taken when a rule first applies. Used by `policy/rules/`, which counts, and by `worker-traffic.ts`.
 */
import { ChangedPlaces } from "./changed-places.ts";
import { prefetch } from "./prefetched.ts";
import type { RouteIds } from "./route-rows.ts";

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
	/** under a policy that has been replaced by now */
	readonly former?: true;
	/** of its route, where it has been told of before */
	readonly ids?: RouteIds;
}

/** Rules as compiled: of each its place in the document, and its name. */
export interface CountedRules {
	readonly length: number;
	indexOf(rule: number): number;
	nameOf(rule: number): string;
}

/** numbers of a rule: how often it applied, and how often it refused */
const WIDTH = 2;
const NUMBERS_AT_FIRST = 256;

/** Of one phase of a policy in force. What is open on a route is one itself: there may be 100,000. */
export class PhaseCounts<Rules extends CountedRules = CountedRules> {
	// What each request reads comes first, so that it lies together.
	/** undefined: nobody counts */
	readonly #counts: RuleCounts | undefined;
	/** in the table; -1: it has none */
	#place = -1;
	/** among those that have a place */
	#seat = -1;
	readonly rules: Rules;
	readonly edgeId: string;
	readonly routeId: string;
	readonly phase: "inbound" | "outbound";
	/** no new request comes to the policy */
	isClosed = false;

	constructor(
		edgeId: string,
		routeId: string,
		phase: "inbound" | "outbound",
		rules: Rules,
		counts: RuleCounts | undefined,
	) {
		this.edgeId = edgeId;
		this.routeId = routeId;
		this.phase = phase;
		this.rules = rules;
		this.#counts = counts;
	}

	/** Hot. */
	prefetch(): void {
		if (this.#place >= 0 && this.#counts !== undefined) prefetch(this.#counts.numbers, this.#place);
	}

	/** Hot. All expressions of the rule are true. @param rule as compiled @param times of so many requests */
	matched(rule: number, times = 1): void {
		this.#add(rule * WIDTH, times);
	}

	/** Hot. It has sent the request away. */
	refused(rule: number, times = 1): void {
		this.#add(rule * WIDTH + 1, times);
	}

	#add(number: number, times: number): void {
		const counts = this.#counts;
		if (counts === undefined) return;
		if (this.#place < 0) {
			this.#place = counts.opened(this.#width);
			this.#seat = counts.seated(this);
		}
		const { numbers, changed } = counts;
		changed.add(this.#seat);
		const at = this.#place + number;
		numbers[at] = (numbers[at] ?? 0) + times;
	}

	get #width(): number {
		return this.rules.length * WIDTH;
	}

	/** The policy is replaced; those that began with it are still counted. */
	close(): void {
		this.isClosed = true;
		// It leaves when it is told of.
		if (this.#place >= 0) this.#counts?.changed.add(this.#seat);
	}

	/** Called by `RuleCounts` alone: another has left. */
	moveTo(seat: number): void {
		this.#seat = seat;
	}

	/** Called by `RuleCounts` alone, while it has a place. */
	takeInto(changes: RuleChange[], places: number[], counts: RuleCounts): void {
		const { edgeId, routeId, phase, rules } = this;
		const { numbers } = counts;
		const place = this.#place;
		for (let rule = 0; rule < rules.length; rule++) {
			const at = place + rule * WIDTH;
			const [matched = 0, refused = 0] = [numbers[at], numbers[at + 1]];
			if (matched + refused === 0) continue;
			const [index, name] = [rules.indexOf(rule), rules.nameOf(rule)];
			places.push(at / WIDTH);
			const change = { edge: edgeId, route: routeId, phase, rule: index, name, matched, refused };
			changes.push(this.isClosed ? { ...change, former: true } : change);
		}
		numbers.fill(0, place, place + this.#width);
		if (!this.isClosed) return;
		// What comes later opens it again.
		counts.closed(place, this.#width);
		this.#place = -1;
	}
}

/** The next power of two. Of integers alone: a place that V8 takes for a fraction is an object of its own in each phase. */
const roomFor = (width: number): number => 1 << (32 - Math.clz32(Math.max(width, 1) - 1));

/** All of a worker. */
export class RuleCounts {
	/** read and written by `PhaseCounts` alone; another one when there are more */
	numbers = new Float64Array(NUMBERS_AT_FIRST);
	/** by their seats */
	readonly changed = new ChangedPlaces();
	#end = 0;
	/** places that are free again, by their width, which is a power of two: so few kinds of them can pile up */
	readonly #free = new Map<number, number[]>();
	readonly #open: PhaseCounts[] = [];

	/** @returns its seat */
	seated(phase: PhaseCounts): number {
		const seat = this.#open.push(phase) - 1;
		this.changed.reach(seat);
		return seat;
	}

	/** @returns a place of so many numbers */
	opened(width: number): number {
		const room = roomFor(width);
		const free = this.#free.get(room)?.pop();
		if (free !== undefined) return free;
		const place = this.#end;
		this.#end += room;
		if (this.#end > this.numbers.length) {
			const before = this.numbers;
			this.numbers = new Float64Array(Math.max(this.#end, before.length * 2));
			this.numbers.set(before);
		}
		return place;
	}

	closed(place: number, width: number): void {
		const free = this.#free.get(roomFor(width));
		if (free === undefined) this.#free.set(roomFor(width), [place]);
		else free.push(place);
	}

	/**
	 * What was counted and not told yet, of about so many rules; each phase has its turn.
	 * @param places gets for each where it is counted, which no other rule is meanwhile
	 */
	take(most = Number.POSITIVE_INFINITY, places: number[] = []): RuleChange[] {
		const changes: RuleChange[] = [];
		while (changes.length < most) {
			const seat = this.changed.next();
			const phase = this.#open[seat];
			if (phase === undefined) break;
			phase.takeInto(changes, places, this);
			if (phase.isClosed) this.#leave(seat);
		}
		return changes;
	}

	/** The last one takes the seat over. */
	#leave(seat: number): void {
		const last = this.#open.pop();
		const from = this.#open.length;
		if (last === undefined || from === seat) return;
		this.#open[seat] = last;
		last.moveTo(seat);
		if (!this.changed.has(from)) return;
		this.changed.delete(from);
		this.changed.add(seat);
	}
}
