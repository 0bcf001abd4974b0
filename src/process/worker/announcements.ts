/**
 * The order in which a worker takes over what it is told: what touches the same route, edge or address lists in the order
 * in which it came; anything else side by side, so that a small change does not wait while a large policy is compiled
 * (docs/design.md, "Processes"). Whatever is taken over is read from the store as it is then. Used by `worker.ts`.
 */
import type { Change } from "../../store/store.ts";

interface Touched {
	/** nothing may happen beside it */
	readonly everything: boolean;
	readonly lists: boolean;
	/** as a whole */
	readonly edges: ReadonlySet<string>;
	/** routes as `EDGE/ROUTE`, and the edges that they are of */
	readonly routes: ReadonlySet<string>;
	readonly edgesOfRoutes: ReadonlySet<string>;
}

interface Pending {
	readonly touched: Touched;
	done: Promise<void>;
}

export class Announcements {
	readonly #failed: (error: unknown) => void;
	/** in the order in which they came */
	readonly #pending = new Set<Pending>();

	/** @param failed told what `work` of any of them has thrown */
	constructor(failed: (error: unknown) => void) {
		this.#failed = failed;
	}

	/**
	 * Has the work done behind everything before it that touches the same. No changes at all touch everything: who sends
	 * none wants to know that all before it is done. Resolves when the work has ended.
	 */
	take(changes: readonly Change[], work: () => Promise<void>): Promise<void> {
		return this.#begin(changes.length === 0 ? EVERYTHING : touchedBy(changes), work);
	}

	/** Has it done behind everything before it, and before everything behind it. */
	alone(work: () => Promise<void>): Promise<void> {
		return this.#begin(EVERYTHING, work);
	}

	/** Resolves when everything that came so far is done. */
	async settled(): Promise<void> {
		await Promise.all(Array.from(this.#pending, ({ done }) => done));
	}

	#begin(touched: Touched, work: () => Promise<void>): Promise<void> {
		const before: Promise<void>[] = [];
		for (const each of this.#pending) if (overlap(each.touched, touched)) before.push(each.done);
		const pending: Pending = { touched, done: Promise.resolve() };
		const begun = before.length === 0 ? work() : Promise.all(before).then(work);
		pending.done = begun.catch(this.#failed).finally(() => this.#pending.delete(pending));
		this.#pending.add(pending);
		return pending.done;
	}
}

const NONE: ReadonlySet<string> = new Set();
const EVERYTHING: Touched = {
	...{ everything: true, lists: true },
	...{ edges: NONE, routes: NONE, edgesOfRoutes: NONE },
};

function touchedBy(changes: readonly Change[]): Touched {
	const [edges, routes, edgesOfRoutes] = [
		new Set<string>(),
		new Set<string>(),
		new Set<string>(),
	] as const;
	let lists = false;
	for (const change of changes) {
		if (change.kind === "ip_list") lists = true;
		else if (change.kind === "edge" || change.kind === "policies") edges.add(change.edgeId);
		else {
			routes.add(`${change.edgeId}/${change.routeId}`);
			edgesOfRoutes.add(change.edgeId);
		}
	}
	return { everything: false, lists, edges, routes, edgesOfRoutes };
}

const overlap = (one: Touched, other: Touched): boolean =>
	one.everything ||
	other.everything ||
	(one.lists && other.lists) ||
	haveCommon(one.routes, other.routes) ||
	haveCommon(one.edges, other.edges) ||
	haveCommon(one.edges, other.edgesOfRoutes) ||
	haveCommon(one.edgesOfRoutes, other.edges);

function haveCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	const [few, many] = one.size < other.size ? [one, other] : [other, one];
	for (const each of few) if (many.has(each)) return true;
	return false;
}
