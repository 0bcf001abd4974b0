/** The machines of the fleet: which revision each of them runs, how far it is behind, and what is wrong. Shown by app.tsx. */
import { useState } from "preact/hooks";
import type { FleetMember, FleetView } from "../../src/management/fleet/fleet-answers.ts";
import type { Session } from "../live/session.ts";
import { Mark, State } from "../parts/marks.tsx";
import { Empty, Failure } from "../parts/notices.tsx";
import { usePolled } from "../parts/polling.ts";
import { duration, grouped, plural } from "../text/format.ts";
import {
	counted,
	labelled,
	type MemberState,
	STATE_WORDS,
	signOf,
	worstFirst,
} from "./fleet-words.ts";

type Shown = Exclude<FleetView, { fleet: null }>;

const EVERY_MS = 2000;

export function Fleet({ session }: { readonly session: Session }) {
	const [state, setState] = useState<MemberState | undefined>(undefined);
	const [page, setPage] = useState<string | undefined>(undefined);
	const first = state === undefined ? "/fleet" : `/fleet?state=${state}`;
	const { value, error } = usePolled<FleetView>(session.client, page ?? first, EVERY_MS);
	const choose = (chosen: MemberState | undefined) => {
		setState(chosen);
		setPage(undefined);
	};
	return (
		<>
			<div class="head">
				<div>
					<h1 tabIndex={-1}>Fleet{value?.fleet ? ` ${value.fleet}` : ""}</h1>
					<p class="facts-line">{value?.fleet ? <Facts {...value} /> : " "}</p>
				</div>
			</div>
			{error !== undefined && <Failure error={error} />}
			{value?.fleet === null && (
				<Empty title="This machine is in no fleet.">
					Machines of a fleet share edges, routes and policies. In the configuration of each:
					<pre>{EXAMPLE}</pre>
				</Empty>
			)}
			{value?.fleet != null && (
				<>
					<Message {...value} />
					<Lost {...value.lost} />
					<Counts counts={value.counts} chosen={state} choose={choose} />
					<Table {...value} />
					<Pager view={value} isFirst={page === undefined} go={setPage} />
				</>
			)}
		</>
	);
}

const EXAMPLE = `fleet:
  name: prod
  servers: ["tls://nats-1:4222"]`;

function Facts({ revision, tail_revision, level, engine }: Shown) {
	const behind = tail_revision - revision;
	return (
		<>
			This machine has revision {grouped(revision)}
			{behind > 0 ? `, ${plural(behind, "record")} behind` : ", the newest it knows of"}. Level{" "}
			{level}.{" "}
			{engine.connected
				? `Connected to ${engine.server}, version ${engine.version}.`
				: "Not connected to the engine."}
		</>
	);
}

function Message({ message, state }: Shown) {
	if (message === null) return null;
	const sign = state === "catching_up" || state === "starting" ? "warning" : "critical";
	return (
		<div class="notice fleet-message" data-severity={sign} role="status">
			<p>
				<Mark sign={sign} /> {message}
			</p>
		</div>
	);
}

function Lost({ records, files }: Shown["lost"]) {
	if (records === 0) return null;
	return (
		<div class="notice fleet-message" data-severity="critical" role="status">
			<p>
				<Mark sign="critical" /> This machine had {plural(records, "change")} that the fleet has no
				more: {files.join(", ")} keeps what is lost. Send again what is still wanted, then delete
				the file.
			</p>
		</div>
	);
}

interface CountsProps {
	readonly counts: Shown["counts"];
	readonly chosen: MemberState | undefined;
	choose(state: MemberState | undefined): void;
}

function Counts({ counts, chosen, choose }: CountsProps) {
	return (
		<fieldset class="states">
			<legend class="unseen">Only machines that are</legend>
			{counted(counts).map(([state, count]) => {
				const [sign, words] = STATE_WORDS[state];
				const isChosen = state === chosen;
				return (
					<button
						key={state}
						type="button"
						aria-pressed={isChosen}
						onClick={() => choose(isChosen ? undefined : state)}
					>
						<Mark sign={sign} />
						<strong>{grouped(count)}</strong> {words}
					</button>
				);
			})}
		</fieldset>
	);
}

function Table({ members, member }: Shown) {
	return (
		<table class="table">
			<caption class="unseen">Machines, what is wrong first</caption>
			<colgroup>
				<col />
				<col class="w10" />
				<col class="w7" />
				<col class="w7" />
				<col class="middle w8" />
				<col class="wide w8" />
			</colgroup>
			<thead>
				<tr>
					<th scope="col">Machine</th>
					<th scope="col">State</th>
					<th scope="col" class="figure">
						Revision
					</th>
					<th scope="col" class="figure">
						Behind
					</th>
					<th scope="col" class="figure middle">
						Heard
					</th>
					<th scope="col" class="wide">
						weir
					</th>
				</tr>
			</thead>
			<tbody>
				{worstFirst(members).map((each) => (
					<Row key={each.id} isOwn={each.id === member} {...each} />
				))}
			</tbody>
		</table>
	);
}

function Row(row: FleetMember & { readonly isOwn: boolean }) {
	const { name, id, state, since, revision, behind, last_seen_ms, version, level, role, lost } =
		row;
	const [, words] = STATE_WORDS[state];
	const about = [row.isOwn ? "this machine" : "", labelled(row.labels)].filter(
		(each) => each !== "",
	);
	const inState = Date.now() - Date.parse(since);
	return (
		<tr>
			<th scope="row" title={id}>
				{name}
				<span class="below">{about.length === 0 ? id : about.join(", ")}</span>
			</th>
			<td>
				<State sign={signOf(row)}>{words}</State>
				<span class="below">
					{inState >= 0 ? `for ${duration(inState)}` : ""}
					{lost > 0 && `, ${plural(lost, "change")} lost`}
				</span>
			</td>
			<td class="figure">{grouped(revision)}</td>
			<td class={`figure ${behind === 0 ? "zero" : "warn"}`}>{grouped(behind)}</td>
			<td class="figure middle">{last_seen_ms < 1000 ? "now" : `${duration(last_seen_ms)} ago`}</td>
			<td class="wide">
				{version === "" ? "–" : version}
				<span class="below">
					{role}, level {level}
				</span>
			</td>
		</tr>
	);
}

interface PagerProps {
	readonly view: Shown;
	readonly isFirst: boolean;
	go(page: string | undefined): void;
}

function Pager({ view, isFirst, go }: PagerProps) {
	const next = view.next_page_uri;
	if (isFirst && next === null) return null;
	return (
		<div class="pager">
			<p class="soft small">In the order of names; each page begins with what is wrong on it.</p>
			<button type="button" disabled={isFirst} onClick={() => go(undefined)}>
				First page
			</button>
			<button type="button" disabled={next === null} onClick={() => go(next ?? undefined)}>
				Next page
			</button>
		</div>
	);
}
