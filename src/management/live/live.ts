/**
 * What the live page is told (docs/management-api.md, "Live"): the port between the handlers of the API and the feed.
 * Implemented by `live-api.ts`.
 */
import type { Change } from "../../store/store.ts";
import type { CandidateReport } from "../answers.ts";
import type { EventStream } from "../http/event-stream.ts";
import type { RouteQuery } from "./route-search.ts";
import type { Decision, LiveLimits, LiveRefusals, LiveRoutes, PolicyHits } from "./shapes.ts";

export interface Live {
	/** how many are open */
	readonly streams: number;
	/** The stream is told of all that happens until it is over. */
	join(stream: EventStream): void;
	/** Changes have been published: all workers serve them. */
	changed(changes: readonly Change[]): void;
	routes(query: RouteQuery): Promise<LiveRoutes>;
	/** @param most entries */
	refusals(most: number): LiveRefusals;
	/** The last refusal, or explanation, of the request with this id; undefined: none is known. Waits for workers to tell of it. */
	decision(requestId: string): Promise<Decision | undefined>;
	limits(): Promise<LiveLimits>;
	/** undefined: the route has no policy */
	hits(edgeId: string, routeId: string): PolicyHits | undefined;
	/** At most a second old. @param etag of the candidate as it is stored @param note said with it */
	candidateReport(
		edgeId: string,
		routeId: string,
		etag: string,
		note: string | null,
	): CandidateReport;
	/** Ends all streams. */
	close(): void;
}
