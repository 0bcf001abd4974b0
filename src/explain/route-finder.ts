/**
 * Which edge and route a request comes to, as the data path's table would say (`edge/routing/`), why, and what was close.
 * Reads the store in steps, since there may be 100,000 of each and the supervisor has more to do. Used by `explainer.ts`.
 */
import { HostTable } from "../edge/routing/host-table.ts";
import { normalizePath } from "../http/path.ts";
import { type Authority, defaultPort, parseAuthority } from "../http/target.ts";
import { LIMITS } from "../limits/limits.ts";
import { type Hostport, parseHostport } from "../store/hostport.ts";
import type { RouteDocument } from "../store/resources.ts";
import type { StoreReader } from "../store/store.ts";
import type { AskedRequest } from "./asked-request.ts";
import type { ChosenRoute, NearRoute } from "./shapes.ts";

export interface FoundRoute {
	readonly chosen: (ChosenRoute & { readonly document: RouteDocument }) | undefined;
	readonly near: readonly NearRoute[];
}

type Reader = Pick<StoreReader, "edges" | "routes">;

interface NamedHost {
	readonly edgeId: string;
	readonly text: string;
	readonly hostport: Hostport;
}

interface ListedRoute {
	readonly routeId: string;
	readonly document: RouteDocument;
}

export function* findRoute(
	reader: Reader,
	asked: Pick<AskedRequest, "host" | "method" | "rawPath" | "scheme" | "port">,
): Generator<undefined, FoundRoute, unknown> {
	const authority = parseAuthority(asked.host);
	const { rawPath, method } = asked;
	const path = rawPath === "*" && method === "OPTIONS" ? rawPath : normalizePath(rawPath);
	if (authority === undefined || path === undefined) return { chosen: undefined, near: [] };
	const named = yield* hostsOf(reader, authority);
	const table = new HostTable<NamedHost>();
	const ports = { scheme: defaultPort(asked.scheme), listener: asked.port };
	for (const each of named) table.set(each.hostport, each);
	const host = table.find(authority, ports.scheme, ports.listener);
	const nearHosts = named
		.filter((each) => each !== host)
		.map((each) => nearHost(each, host, authority));
	if (host === undefined)
		return { chosen: undefined, near: nearHosts.slice(0, LIMITS.explainNear) };
	const routes = yield* routesOf(reader, host.edgeId, path);
	const [route, ...others] = routes.taking;
	const near = [
		...others.map((other) => nearRoute(host.edgeId, other, takenBecause(other, route))),
		...routes.close.map((other) => nearRoute(host.edgeId, other, notTaken(other, path))),
		...nearHosts,
	];
	return {
		chosen: route && chosenRoute(host, route, authority),
		near: near.slice(0, LIMITS.explainNear),
	};
}

function* hostsOf(
	reader: Reader,
	{ host }: Authority,
): Generator<undefined, readonly NamedHost[], unknown> {
	const found: NamedHost[] = [];
	let read = 0;
	for (const { edgeId, document } of reader.edges()) {
		if (++read % LIMITS.explainSliceReads === 0) yield;
		for (const text of document.hostports) {
			const hostport = parseHostport(text);
			if (hostport !== undefined && names(hostport, host)) found.push({ edgeId, text, hostport });
		}
	}
	return found;
}

/** Whatever the port. */
const names = ({ host, wildcard }: Hostport, asked: string): boolean =>
	wildcard ? host === "" || asked.endsWith(`.${host}`) : host === asked;

function* routesOf(
	reader: Reader,
	edgeId: string,
	path: string,
): Generator<
	undefined,
	{ readonly taking: ListedRoute[]; readonly close: ListedRoute[] },
	unknown
> {
	const taking: ListedRoute[] = [];
	const close: { readonly route: ListedRoute; readonly shared: number }[] = [];
	let read = 0;
	for (const route of reader.routes(edgeId)) {
		if (++read % LIMITS.explainSliceReads === 0) yield;
		if (takes(route.document, path)) {
			taking.push(route);
			continue;
		}
		const shared = sharedLength(route.document.match, path);
		if (shared >= SHARED_LEAST) close.push({ route, shared });
		if (close.length > CLOSE_KEPT) close.sort(byShared).length = LIMITS.explainNear;
	}
	taking.sort(byRank);
	return { taking, close: close.sort(byShared).map(({ route }) => route) };
}

/** characters that a match must share with the path to be close: all begin with a slash */
const SHARED_LEAST = 2;
const CLOSE_KEPT = 100;
const byShared = (one: { readonly shared: number }, other: { readonly shared: number }): number =>
	other.shared - one.shared;

const takes = ({ match_type, match }: RouteDocument, path: string): boolean =>
	match_type === "exact_path" ? match === path : path.startsWith(match);

/** The exact path, then the longest prefix. */
function byRank({ document: one }: ListedRoute, { document: other }: ListedRoute): number {
	if (one.match_type !== other.match_type) return one.match_type === "exact_path" ? -1 : 1;
	return other.match.length - one.match.length;
}

function sharedLength(one: string, other: string): number {
	let at = 0;
	while (at < one.length && one[at] === other[at]) at++;
	return at;
}

function chosenRoute(
	{ edgeId, text, hostport }: NamedHost,
	{ routeId, document }: ListedRoute,
	{ host }: Authority,
): FoundRoute["chosen"] {
	const by = hostport.wildcard ? `matches the wildcard ${text}` : `is the hostport ${text}`;
	const way =
		document.match_type === "exact_path"
			? `the path is exactly ${document.match}`
			: `${document.match} is the longest prefix of the path`;
	return {
		...{ edge_id: edgeId, route_id: routeId, hostport: text, reached: true, document },
		...{ match_type: document.match_type, match: document.match },
		why: `The host ${host} ${by} of the edge ${edgeId}, and ${way}.`,
	};
}

const nearRoute = (edgeId: string, { routeId, document }: ListedRoute, why: string): NearRoute => ({
	edge_id: edgeId,
	route_id: routeId,
	match: document.match,
	why_not: why,
});

const takenBecause = ({ document }: ListedRoute, chosen: ListedRoute | undefined): string =>
	chosen?.document.match_type === "exact_path"
		? "An exact path comes before it."
		: `Its prefix ${document.match} is shorter.`;

function notTaken({ document: { match, match_type } }: ListedRoute, path: string): string {
	if (match_type === "exact_path") return `The path is ${path}, not exactly ${match}.`;
	return `The path ${path} does not begin with ${match}.`;
}

function nearHost(
	{ edgeId, text, hostport }: NamedHost,
	chosen: NamedHost | undefined,
	{ host }: Authority,
): NearRoute {
	const why =
		chosen === undefined
			? `It takes ${host} at port ${hostport.port} only.`
			: `${chosen.text} of the edge ${chosen.edgeId} is closer to the host.`;
	return { edge_id: edgeId, route_id: null, match: text, why_not: why };
}
