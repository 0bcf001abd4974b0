/** Refusals as they come: who was refused what, and by which rule. The list stands still while somebody reads in it. */
import { useState } from "preact/hooks";
import type { Refusal } from "../../src/management/live/shapes.ts";
import type { Session } from "../live/session.ts";
import { useStore } from "../live/store.ts";
import { linkTo } from "../location.ts";
import { Empty } from "../parts/notices.tsx";
import { clock, grouped, plural } from "../text/format.ts";
import { DecisionDialog } from "./decision.tsx";
import { found, REASONS, ruleOf } from "./refusal-words.ts";

const SHOWN = 100;

export function Refusals({ session }: { readonly session: Session }) {
	const { refusals, refusalsLeftOut, overview } = useStore(session.live);
	const [search, setSearch] = useState("");
	const [paused, setPaused] = useState(false);
	const [isReading, setReading] = useState(false);
	/** the request that is asked about */
	const [asked, setAsked] = useState<string | undefined>(undefined);
	const [held, setHeld] = useState<readonly Refusal[] | undefined>(undefined);
	const stands = paused || isReading;
	const hold = (next: { paused?: boolean; reading?: boolean }) => {
		const standsNext = (next.paused ?? paused) || (next.reading ?? isReading);
		if (next.paused !== undefined) setPaused(next.paused);
		if (next.reading !== undefined) setReading(next.reading);
		setHeld(standsNext ? (held ?? refusals) : undefined);
	};
	const source = held ?? refusals;
	const newer = held === undefined ? 0 : newerThan(refusals, held[0]);
	const matching = source.filter((each) => found(each, search));
	const shown = matching.slice(0, SHOWN);
	return (
		<>
			<div class="head">
				<div>
					<h1 tabIndex={-1}>Refusals</h1>
					<p class="facts-line" role="status">
						{stands
							? `${paused ? "Paused" : "Standing still while you read"}: ${newer === 0 ? "nothing new" : `${grouped(newer)} new`}`
							: summary(overview?.refusals_per_second, refusalsLeftOut)}
					</p>
				</div>
				<search class="controls">
					<label>
						Search
						<input
							type="search"
							value={search}
							placeholder="client, path, route, rule, reason"
							onInput={(event) => setSearch(event.currentTarget.value)}
						/>
					</label>
					<button type="button" aria-pressed={paused} onClick={() => hold({ paused: !paused })}>
						{paused ? "Go on" : "Pause"}
					</button>
				</search>
			</div>
			{source.length === 0 ? (
				<Empty title="Nothing has been refused.">
					What policies deny, rate-limits reject, and weir itself turns away appears here as it
					happens.
				</Empty>
			) : shown.length === 0 ? (
				<Empty
					title={`None of the last ${grouped(source.length)} refusals is found by “${search}”.`}
				>
					The search looks at client, method, host, path, route, rule, limit and reason.
				</Empty>
			) : (
				<Table refusals={shown} read={(reading) => hold({ reading })} ask={setAsked} />
			)}
			{asked !== undefined && (
				<DecisionDialog
					client={session.client}
					requestId={asked}
					close={() => setAsked(undefined)}
				/>
			)}
			{matching.length > SHOWN && (
				<p class="soft small pager">
					The newest {SHOWN} of {plural(matching.length, "refusal")} that this page keeps.
				</p>
			)}
		</>
	);
}

function summary(perSecond: number | undefined, leftOut: number): string {
	if (perSecond === undefined) return "Connecting";
	const now =
		perSecond === 0 ? "None in this second" : `${grouped(Math.round(perSecond))} in this second`;
	return leftOut === 0 ? now : `${now}; ${grouped(leftOut)} were too many to be listed`;
}

function newerThan(refusals: readonly Refusal[], newest: Refusal | undefined): number {
	const index = refusals.findIndex(({ id }) => id === newest?.id);
	return index < 0 ? refusals.length : index;
}

interface TableProps {
	readonly refusals: readonly Refusal[];
	read(reading: boolean): void;
	/** Somebody wants to know why this request was refused. */
	ask(requestId: string): void;
}

function Table({ refusals, read, ask }: TableProps) {
	return (
		<table class="table">
			<caption class="unseen">Refusals, newest first</caption>
			<colgroup>
				<col class="w5" />
				<col class="middle w14" />
				<col />
				<col class="wide" />
				<col class="why" />
			</colgroup>
			<thead>
				<tr>
					<th scope="col">Time</th>
					<th scope="col" class="middle">
						Client
					</th>
					<th scope="col">Request</th>
					<th scope="col" class="wide">
						Route
					</th>
					<th scope="col">Why</th>
				</tr>
			</thead>
			<tbody
				onMouseEnter={() => read(true)}
				onMouseLeave={() => read(false)}
				onFocusIn={() => read(true)}
				onFocusOut={() => read(false)}
			>
				{refusals.map((refusal, index) => (
					<Row key={index} refusal={refusal} ask={ask} />
				))}
			</tbody>
		</table>
	);
}

function Row({ refusal, ask }: Pick<TableProps, "ask"> & { readonly refusal: Refusal }) {
	const { ts, client_ip, method, host, path, edge_id, route_id, reason, status, request_id } =
		refusal;
	const rule = ruleOf(refusal);
	const tried = { method, url: `http://${host}${path}`, ip: client_ip };
	const route = edge_id === null || route_id === null ? undefined : `${edge_id}/${route_id}`;
	return (
		<tr>
			<td title={request_id === null ? undefined : `request-id ${request_id}`}>
				{clock(ts)}
				<span class="below">{status === 0 ? "closed" : status}</span>
			</td>
			<td class="middle mono" title={client_ip}>
				{client_ip}
			</td>
			<td title={`${method} ${host}${path}`}>
				{method} {path}
				<span class="below">
					<span class="narrow">{client_ip} · </span>
					{host}
				</span>
			</td>
			<td class="wide">
				{route === undefined || edge_id === null || route_id === null ? (
					<span class="soft">none</span>
				) : (
					<a href={linkTo({ page: "policy", edgeId: edge_id, routeId: route_id })}>{route}</a>
				)}
			</td>
			<td title={rule}>
				{edge_id === null || route_id === null ? (
					REASONS[reason]
				) : (
					<a href={linkTo({ page: "policy", edgeId: edge_id, routeId: route_id, tried })}>
						{REASONS[reason]}
					</a>
				)}
				<span class="below">
					{request_id !== null && (
						<button
							type="button"
							class="plain why-button"
							aria-label={`Why: ${method} ${path}`}
							onClick={() => ask(request_id)}
						>
							Why
						</button>
					)}{" "}
					{rule}
				</span>
			</td>
		</tr>
	);
}
