/** All routes, searched, sorted and paged by the server, each with its traffic. What is asked for stands in the address. */
import { useEffect, useState } from "preact/hooks";
import type {
	LiveRoute,
	LiveRoutes,
	PolicyState,
	RouteSort,
} from "../../src/management/live/shapes.ts";
import type { Session } from "../live/session.ts";
import { linkTo } from "../location.ts";
import { Empty, Failure } from "../parts/notices.tsx";
import { usePolled } from "../parts/polling.ts";
import { SortHeader, type Sorting } from "../parts/sort-header.tsx";
import { count, grouped, plural, rate } from "../text/format.ts";
import { type Asked, askedOf, pathOf, queryOf } from "./routes-query.ts";

interface Props {
	readonly session: Session;
	readonly query: Readonly<Record<string, string>>;
}

const SEARCH_DELAY_MS = 150;

export function Routes({ session, query }: Props) {
	const asked = askedOf(query);
	const { value, error } = usePolled<LiveRoutes>(session.client, pathOf(asked), 2000);
	const go = (changed: Partial<Asked>) => {
		location.replace(linkTo({ page: "routes", query: queryOf({ ...asked, ...changed }) }));
	};
	const sorting = { key: asked.sort, order: asked.order };
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Routes</h1>
				<Search text={asked.q} search={(q) => go({ q, page: 1 })} />
			</div>
			{error !== undefined && value === undefined && <Failure error={error} />}
			{value !== undefined && value.total === 0 && <NoRoutes />}
			{value !== undefined && value.total > 0 && value.found === 0 && (
				<Empty title={`No route is found by “${asked.q}”.`}>
					The search looks at edges, ids, hostnames, paths and backends.{" "}
					<button type="button" onClick={() => go({ q: "", page: 1 })}>
						Show all {grouped(value.total)}
					</button>
				</Empty>
			)}
			{value !== undefined && value.found > 0 && (
				<>
					<Table
						routes={value.routes}
						sorting={sorting}
						sort={({ key, order }) => go({ sort: key, order, page: 1 })}
					/>
					<Pager answer={value} go={(page) => go({ page })} />
				</>
			)}
		</>
	);
}

function Search({ text, search }: { readonly text: string; search(text: string): void }) {
	const [typed, setTyped] = useState(text);
	// what the address says, for example behind the back button, unless it is what was typed here
	useEffect(() => setTyped(text), [text]);
	useEffect(() => {
		if (typed === text) return;
		const timer = setTimeout(() => search(typed), SEARCH_DELAY_MS);
		return () => clearTimeout(timer);
	}, [typed]);
	return (
		<search class="controls">
			<label>
				Search
				<input
					type="search"
					value={typed}
					placeholder="edge, host, path or backend"
					onInput={(event) => setTyped(event.currentTarget.value)}
				/>
			</label>
		</search>
	);
}

const COLUMNS: readonly (readonly [RouteSort, string, string])[] = [
	["requests_per_second", "Requests/s", "figure"],
	["requests", "Requests", "figure wide"],
	["errors", "Errors", "figure"],
	["refusals", "Refusals", "figure middle"],
];

interface TableProps {
	readonly routes: readonly LiveRoute[];
	readonly sorting: Sorting<RouteSort>;
	sort(sorting: Sorting<RouteSort>): void;
}

function Table({ routes, sorting, sort }: TableProps) {
	return (
		<table class="table">
			<caption class="unseen">Routes with their traffic</caption>
			<colgroup>
				<col />
				<col class="wide" />
				<col class="w7" />
				<col class="wide w7" />
				<col class="w7" />
				<col class="middle w7" />
				<col class="middle w8" />
			</colgroup>
			<thead>
				<tr>
					<SortHeader name="name" label="Route" first="asc" sorting={sorting} sort={sort} />
					<th scope="col" class="wide">
						Backend
					</th>
					{COLUMNS.map(([name, label, kind]) => (
						<SortHeader
							key={name}
							name={name}
							label={label}
							class={kind}
							sorting={sorting}
							sort={sort}
						/>
					))}
					<th scope="col" class="middle">
						Policy
					</th>
				</tr>
			</thead>
			<tbody>
				{routes.map((route, index) => (
					<Row key={index} {...route} />
				))}
			</tbody>
		</table>
	);
}

function Row(route: LiveRoute) {
	const { edge_id, id, match, match_type, hostports, backends, policy } = route;
	const hosts =
		hostports.length > 1 ? `${hostports[0]} +${hostports.length - 1}` : (hostports[0] ?? "");
	return (
		<tr>
			<th scope="row">
				<a href={linkTo({ page: "policy", edgeId: edge_id, routeId: id })}>
					{edge_id}/{id}
				</a>
				<span class="below" title={`${hostports.join(", ")} ${match}`}>
					{hosts} {match}
					{match_type === "path_prefix" ? "…" : ""}
				</span>
			</th>
			<td class="wide">
				<span class="mono">{backends[0]}</span>
				<span class="below">{backends.length > 1 ? `and ${backends.length - 1} more` : ""}</span>
			</td>
			<td class={`figure ${route.requests_per_second === 0 ? "zero" : ""}`}>
				{rate(route.requests_per_second)}
			</td>
			<td class={`figure wide ${route.requests === 0 ? "zero" : ""}`}>{count(route.requests)}</td>
			<Trouble total={route.errors} perSecond={route.errors_per_second} tone="bad" kind="figure" />
			<Trouble
				total={route.refusals}
				perSecond={route.refusals_per_second}
				tone="warn"
				kind="figure middle"
			/>
			<td class="middle">
				{STATES[policy.state]}
				<span class="below">
					{policy.rules > 0 ? plural(policy.rules, "rule") : ""}
					{policy.rate_limits > 0 ? `, ${plural(policy.rate_limits, "limit")}` : ""}
				</span>
			</td>
		</tr>
	);
}

interface TroubleProps {
	readonly total: number;
	readonly perSecond: number;
	readonly tone: "bad" | "warn";
	readonly kind: string;
}

function Trouble({ total, perSecond, tone, kind }: TroubleProps) {
	return (
		<td class={`${kind} ${total === 0 ? "zero" : perSecond > 0 ? tone : ""}`}>
			{count(total)}
			<span class="below">{perSecond > 0 ? `${rate(perSecond)}/s now` : ""}</span>
		</td>
	);
}

const STATES: Readonly<Record<PolicyState, string>> = {
	none: "none",
	enabled: "in force",
	disabled: "switched off",
	unreadable: "unreadable",
};

function Pager({ answer, go }: { readonly answer: LiveRoutes; go(page: number): void }) {
	const { page, per_page, found, total } = answer;
	const pages = Math.max(Math.ceil(found / per_page), 1);
	const first = (page - 1) * per_page + 1;
	const of =
		found === total
			? plural(total, "route")
			: `${grouped(found)} found of ${plural(total, "route")}`;
	return (
		<nav class="pager" aria-label="Pages of routes">
			<p class="soft small">
				{grouped(first)} to {grouped(Math.min(page * per_page, found))}, {of}
			</p>
			{pages > 1 && (
				<>
					<button type="button" disabled={page <= 1} onClick={() => go(page - 1)}>
						Previous
					</button>
					<span class="soft small">
						{grouped(page)} of {grouped(pages)}
					</span>
					<button type="button" disabled={page >= pages} onClick={() => go(page + 1)}>
						Next
					</button>
				</>
			)}
		</nav>
	);
}

function NoRoutes() {
	return (
		<Empty title="There are no routes yet.">
			An edge says which hosts, a route which paths go to which backend:
			<pre>{`curl -X PUT ${location.origin}/edges/https/site -H "Authorization: Bearer $WEIR_API_KEY" \\
  -H 'Content-Type: application/json' -d '{"hostports": ["*"]}'
curl -X PUT ${location.origin}/edges/https/site/routes/all -H "Authorization: Bearer $WEIR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"match_type": "path_prefix", "match": "/", "backend": {"urls": ["http://127.0.0.1:9000"]}}'`}</pre>
		</Empty>
	);
}
