/** The overview: what is wrong first, then how much there is of everything, then who serves it. Shown by app.tsx. */
import type { LiveOverview } from "../../src/management/live/shapes.ts";
import type { Session } from "../live/session.ts";
import { type LiveState, verdictOf } from "../live/state.ts";
import { useStore } from "../live/store.ts";
import { Mark } from "../parts/marks.tsx";
import { clock, duration, plural } from "../text/format.ts";
import { Instruments } from "./instruments.tsx";
import { Upstreams, Workers } from "./overview-tables.tsx";

export function Overview({ session }: { readonly session: Session }) {
	const live = useStore(session.live);
	return (
		<>
			<Verdict live={live} />
			<Instruments points={live.points} overview={live.overview} />
			<div class="columns">
				<Upstreams overview={live.overview} />
				<Workers overview={live.overview} />
			</div>
		</>
	);
}

function Verdict({ live }: { readonly live: LiveState }) {
	const { overview, changes, version } = live;
	const problems = overview?.problems ?? [];
	const verdict = verdictOf(live);
	return (
		<section class="verdict" aria-label="State">
			<div>
				<h1 tabIndex={-1}>
					<Mark sign={verdict} />
					<span role="status">{headline(overview)}</span>
				</h1>
				<p class="facts">
					{overview !== undefined && (
						<>
							{plural(overview.store.edges, "edge")}, {plural(overview.store.routes, "route")},{" "}
							{plural(overview.store.policies, "policy", "policies")}
							<br />
							weir {version}, up for {duration(overview.ts - overview.started)}
						</>
					)}
				</p>
			</div>
			<section
				class="problems"
				aria-label="Problems"
				tabIndex={problems.length > 0 ? 0 : undefined}
			>
				{overview !== undefined && problems.length === 0 && (
					<p class="soft">
						{calm(overview)}
						<br />
						{changes === undefined
							? "No change of edges, routes or policies since this page was opened."
							: `Last change at ${clock(changes.ts)}: ${whatChanged(changes)}.`}
					</p>
				)}
				<ul>
					{problems.map(({ id, severity, sentence, since }) => (
						<li key={id}>
							<Mark sign={severity} />
							<p>
								<span class="unseen">{severity}: </span>
								{sentence}
							</p>
							<span class="soft small">{duration((overview?.ts ?? since) - since)}</span>
						</li>
					))}
				</ul>
			</section>
		</section>
	);
}

function headline(overview: LiveOverview | undefined): string {
	if (overview === undefined) return "Connecting";
	const { length } = overview.problems;
	return length === 0
		? "Nothing is wrong"
		: length === 1
			? "One thing is wrong"
			: `${length} things are wrong`;
}

function calm({ upstreams, upstreams_left_out, workers }: LiveOverview): string {
	const backends = upstreams.length + upstreams_left_out;
	const serving = `${workers.length === 1 ? "The one worker serves" : `All ${workers.length} workers serve`}.`;
	if (backends === 0) return `${serving} No backend has been asked for anything yet.`;
	return `${serving} ${backends === 1 ? "The one backend address answers" : `All ${backends} backend addresses answer`}.`;
}

function whatChanged({ changes, left_out }: NonNullable<LiveState["changes"]>): string {
	const [first] = changes;
	if (first === undefined) return plural(left_out, "change");
	const names = [first.edge_id, first.route_id, first.list_id].filter((each) => each !== undefined);
	const more = changes.length - 1 + left_out;
	return `${KINDS[first.kind]} ${names.join("/")}${more === 0 ? "" : ` and ${more} more`}`;
}

const KINDS = {
	edge: "edge",
	route: "route",
	policy: "policy of",
	candidate: "candidate of",
	policies: "policies of",
	ip_list: "address list",
} as const;
