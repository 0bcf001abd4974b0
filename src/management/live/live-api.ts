/**
 * What the handlers of `/live/…` ask (`live.ts`): the feed, with the index of routes and what is told of policies and
 * limits beside it. Made by `process/supervisor/live-page.ts`.
 */
import type { LiveExplanations } from "../../explain/live/live-explanations.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimits } from "../../policy/admission.ts";
import type { Change, Store } from "../../store/store.ts";
import { routeName } from "../../telemetry/traffic/route-rows.ts";
import type { CandidateReport } from "../answers.ts";
import type { EventStream } from "../http/event-stream.ts";
import { decisionOf } from "./decision-of.ts";
import { Decisions } from "./decisions.ts";
import { Feed } from "./feed.ts";
import { LimitList } from "./limit-list.ts";
import type { Live } from "./live.ts";
import { pageWindow } from "./page-window.ts";
import { PolicySummaries } from "./policy-summaries.ts";
import { rounded } from "./rates.ts";
import { RouteIndex } from "./route-index.ts";
import { type RouteQuery, searchRoutes } from "./route-search.ts";
import { RouteCounts } from "./route-traffic.ts";
import type {
	Decision,
	LiveLimits,
	LiveRefusals,
	LiveRoute,
	LiveRoutes,
	PolicyHits,
} from "./shapes.ts";
import type { LiveSource } from "./source.ts";

interface LiveOptions {
	readonly source: LiveSource;
	readonly store: Store;
	/** see `Context.counts` */
	readonly counts: () => CountedLimits | undefined;
	readonly version: string;
	/** refusals that are kept by their ids; as many as there may be, if left out */
	readonly decisionsKept?: () => number;
	/** left out: none are made */
	readonly explanations?: Pick<LiveExplanations, "find" | "arrives">;
}

export class LiveApi implements Live {
	readonly #feed: Feed;
	readonly #store: Store;
	readonly #counts: LiveOptions["counts"];
	readonly #index: RouteIndex;
	readonly #policies: PolicySummaries;
	readonly #limits: LimitList;
	readonly #explanations: LiveOptions["explanations"];

	constructor({ source, store, counts, version, decisionsKept, explanations }: LiveOptions) {
		this.#explanations = explanations;
		this.#feed = new Feed(source, store, version, new Decisions(decisionsKept));
		this.#store = store;
		this.#counts = counts;
		this.#index = new RouteIndex(store);
		this.#policies = new PolicySummaries(store);
		this.#limits = new LimitList(store);
	}

	get streams(): number {
		return this.#feed.streams;
	}

	join(stream: EventStream): void {
		this.#feed.join(stream);
	}

	changed(changes: readonly Change[]): void {
		this.#store.refresh();
		this.#index.changed(changes);
		this.#policies.changed(changes);
		for (const change of changes) this.#forget(change);
		this.#feed.changed(changes);
	}

	#forget(change: Change): void {
		const { routes, hits, candidates } = this.#feed.tally;
		if (change.kind === "policy" || change.kind === "candidate") {
			const { edgeId, routeId } = change;
			const now = {
				etag: this.#store.candidate(edgeId, routeId)?.etag,
				beside: this.#store.policy(edgeId, routeId)?.etag ?? null,
			};
			if (change.kind === "policy") candidates.restart(edgeId, routeId, now, Date.now());
			else candidates.settle(edgeId, routeId, now, Date.now());
		}
		if (change.kind === "policies") candidates.forget(change.edgeId);
		if (change.kind === "policy") hits.restart(change.edgeId, change.routeId, Date.now());
		if (change.kind === "policies") hits.forget(change.edgeId);
		if (change.kind === "edge" && this.#store.edge(change.edgeId) === undefined)
			routes.forgetEdge(change.edgeId);
		if (change.kind !== "route") return;
		if (this.#store.route(change.edgeId, change.routeId) === undefined)
			routes.forget(routeName(change.edgeId, change.routeId));
	}

	async routes(query: RouteQuery): Promise<LiveRoutes> {
		const all = await this.#index.routes();
		const nowMs = Date.now();
		const traffic = this.#feed.tally.routes;
		const { names, found } = searchRoutes(all, (name) => traffic.of(name), query, nowMs);
		const routes = names.flatMap((name) => this.#presented(name, nowMs));
		const { page, perPage: per_page } = query;
		return { routes, page, per_page, found, total: all.length };
	}

	/** Nothing where somebody has deleted it meanwhile. */
	#presented(name: string, nowMs: number): LiveRoute[] {
		const [edgeId = "", id = ""] = name.split("/");
		const stored = this.#store.route(edgeId, id);
		if (stored === undefined) return [];
		const { match_type, match, backend } = stored.document;
		const { hostports = [] } = this.#store.edge(edgeId)?.document ?? {};
		const { requests, errors, refusals } = this.#feed.tally.routes.of(name) ?? NO_COUNTS;
		return [
			{
				...{ edge_id: edgeId, id, uri: `/edges/https/${edgeId}/routes/${id}` },
				...{ match_type, match, backends: backend.urls },
				hostports: hostports.slice(0, LIMITS.liveHostports),
				requests_per_second: rounded(requests.perSecond(nowMs)),
				errors_per_second: rounded(errors.perSecond(nowMs)),
				refusals_per_second: rounded(refusals.perSecond(nowMs)),
				...{ requests: requests.total, errors: errors.total, refusals: refusals.total },
				policy: this.#policies.of(edgeId, id),
			},
		];
	}

	refusals(most: number): LiveRefusals {
		return this.#feed.refusals.list(most);
	}

	async decision(requestId: string): Promise<Decision | undefined> {
		const { decisions } = this.#feed;
		const explanations = this.#explanations;
		const isKnown = decisions.find(requestId) ?? explanations?.find(requestId);
		if (isKnown === undefined)
			await Promise.race([decisions.arrives(requestId), explanations?.arrives(requestId) ?? NEVER]);
		// A worker tells at once of what is to be explained, and of refusals once a second.
		const explained = await explanations?.find(requestId);
		return decisionOf(decisions.find(requestId), explained);
	}

	async limits(): Promise<LiveLimits> {
		const counts = this.#counts();
		if (counts === undefined) return { limits: [], left_out: 0 };
		const nowMs = Date.now();
		const names: string[] = [];
		const rates: number[] = [];
		for (const [name, { requests }] of this.#feed.tally.routes.all) {
			names.push(name);
			rates.push(requests.perSecond(nowMs));
		}
		const busiest = pageWindow(Float64Array.from(rates), 0, LIMITS.liveLimitRoutes)
			.map((place) => names[place] ?? "")
			.filter((name) => this.#hasLimits(name));
		return this.#limits.hottest(busiest, counts, nowMs);
	}

	#hasLimits(name: string): boolean {
		const [edgeId = "", routeId = ""] = name.split("/");
		return this.#policies.of(edgeId, routeId).rate_limits > 0;
	}

	hits(edgeId: string, routeId: string): PolicyHits | undefined {
		const stored = this.#store.policy(edgeId, routeId);
		if (stored === undefined) return undefined;
		const { hits } = this.#feed.tally;
		return { ...hits.of(edgeId, routeId, stored.document), etag: stored.etag };
	}

	candidateReport(
		edgeId: string,
		routeId: string,
		etag: string,
		note: string | null,
	): CandidateReport {
		return this.#feed.tally.candidates.of(edgeId, routeId, etag, note);
	}

	close(): void {
		this.#feed.close();
		this.#index.drop();
	}
}

const NEVER = new Promise<never>(() => {});
const NO_COUNTS = new RouteCounts();
