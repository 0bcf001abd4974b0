/**
 * `GET /live/…` and `GET …/policy/hits`: what happens now, for the live page and for whoever else wants to watch
 * (docs/management-api.md, "Live"). All of it is read with the role `read`.
 */
import { ApiError } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type Context, policyNotFound } from "../context.ts";
import { json } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Handler, Methods } from "../http/router.ts";
import { ROUTE_SORTS, type RouteQuery } from "../live/route-search.ts";
import { numberIn, onlyValue } from "./pages.ts";

export const LIVE_PATH = "/live";

type WithLive = Pick<Context, "live">;

const get = (run: Handler["run"]): Methods => ({ GET: { role: "read", takesBody: false, run } });

export const liveEventMethods = ({ live }: WithLive): Methods =>
	get(() => {
		if (live.streams >= LIMITS.liveStreams)
			throw new ApiError(
				"ERR_TOO_MANY_STREAMS",
				`There are ${LIMITS.liveStreams} streams of events already; close one, or ask again later.`,
			);
		return {
			status: 200,
			// for proxies of nginx's kind, which would keep events back
			headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
			body: undefined,
			stream: (stream) => live.join(stream),
		};
	});

export const liveRouteMethods = ({ live }: WithLive): Methods =>
	get(async (request) => json(200, await live.routes(routeQueryOf(request))));

export const liveRefusalMethods = ({ live }: WithLive): Methods =>
	get((request) => {
		const query = new URLSearchParams(request.query);
		const most = numberIn(query, "limit", 1, LIMITS.liveRefusals, LIMITS.pageSize);
		return json(200, live.refusals(most));
	});

export const liveLimitMethods = ({ live }: WithLive): Methods =>
	get(async () => json(200, await live.limits()));

export const policyHitMethods = ({ live }: WithLive): Methods =>
	get((_request, { edgeId, routeId }) => {
		const hits = live.hits(edgeId, routeId);
		if (hits === undefined) throw policyNotFound();
		return json(200, hits);
	});

/** @throws ApiError 400 */
function routeQueryOf(request: ApiRequest): RouteQuery {
	const query = new URLSearchParams(request.query);
	const q = onlyValue(query, "q") ?? "";
	if (q.length > LIMITS.liveSearchCharacters)
		throw invalid(`The parameter q must have at most ${LIMITS.liveSearchCharacters} characters.`);
	const sort = oneOf(query, "sort", ROUTE_SORTS) ?? "name";
	return {
		...{ q, sort },
		order: oneOf(query, "order", ["asc", "desc"]) ?? (sort === "name" ? "asc" : "desc"),
		page: numberIn(query, "page", 1, 1_000_000, 1),
		perPage: numberIn(
			query,
			"per_page",
			1,
			LIMITS.liveRoutesPerPage,
			LIMITS.liveRoutesPerPageDefault,
		),
	};
}

function oneOf<Name extends string>(
	query: URLSearchParams,
	name: string,
	known: readonly Name[],
): Name | undefined {
	const value = onlyValue(query, name);
	const found = known.find((each) => each === value);
	if (value === undefined || found !== undefined) return found;
	throw invalid(`The parameter ${name} must be one of ${known.join(", ")}.`);
}

const invalid = (message: string): ApiError => new ApiError("ERR_INVALID_QUERY", message);
