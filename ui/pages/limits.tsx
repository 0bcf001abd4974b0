/** The hottest rate-limits: what they admit, what they reject, how much room is left. Shown by app.tsx. */
import type { LiveLimit, LiveLimits } from "../../src/management/live/shapes.ts";
import type { Session } from "../live/session.ts";
import { linkTo } from "../location.ts";
import { Empty, Failure } from "../parts/notices.tsx";
import { usePolled } from "../parts/polling.ts";
import { count, grouped, plural, rate, share } from "../text/format.ts";

export function Limits({ session }: { readonly session: Session }) {
	const { value, error } = usePolled<LiveLimits>(session.client, "/live/limits", 1000);
	return (
		<>
			<div class="head">
				<div>
					<h1 tabIndex={-1}>Limits</h1>
					<p class="facts-line">
						The hottest rate-limits first: those that reject most, then those that admit most.
					</p>
				</div>
			</div>
			{error !== undefined && value === undefined && <Failure error={error} />}
			{value !== undefined && value.limits.length === 0 && (
				<Empty title="No policy has a rate-limit.">
					A rule with this action admits thirty requests a minute from each client:
					<pre>{EXAMPLE}</pre>
				</Empty>
			)}
			{value !== undefined && value.limits.length > 0 && <Table limits={value.limits} />}
			{value !== undefined && value.left_out > 0 && (
				<p class="soft small pager">And {plural(value.left_out, "cooler limit")}.</p>
			)}
		</>
	);
}

const EXAMPLE = `{"type": "rate-limit", "config": {"capacity": 30, "rate": "60s", "bucket_key": ["conn.client_ip"]}}`;

function Table({ limits }: { readonly limits: readonly LiveLimit[] }) {
	return (
		<table class="table">
			<caption class="unseen">Rate-limits, hottest first</caption>
			<colgroup>
				<col />
				<col class="middle w14" />
				<col class="w7" />
				<col class="w7" />
				<col class="wide w10" />
				<col class="middle w8" />
			</colgroup>
			<thead>
				<tr>
					<th scope="col">Limit</th>
					<th scope="col" class="middle">
						Admits
					</th>
					<th scope="col" class="figure">
						Admitted
					</th>
					<th scope="col" class="figure">
						Rejected
					</th>
					<th scope="col" class="wide">
						Share rejected
					</th>
					<th scope="col" class="figure middle">
						Room
					</th>
				</tr>
			</thead>
			<tbody>
				{limits.map((limit, index) => (
					<Row key={index} {...limit} />
				))}
			</tbody>
		</table>
	);
}

function Row(limit: LiveLimit) {
	const { edge_id, route_id, name, rule, rule_name, capacity, bucket_key, enforce } = limit;
	const { admitted, rejected, admitted_per_second, rejected_per_second } = limit;
	const title = name !== "" ? name : rule_name !== "" ? rule_name : `rule ${rule + 1}`;
	return (
		<tr>
			<th scope="row">
				<a href={linkTo({ page: "policy", edgeId: edge_id, routeId: route_id })}>{title}</a>
				<span class="below">
					{edge_id}/{route_id}
					{enforce ? "" : ", only watches"}
				</span>
			</th>
			<td class="middle">
				{grouped(capacity)} in {limit.rate}
				<span class="below mono" title={bucket_key.join(", ")}>
					{bucket_key.length === 0 ? "all together" : bucket_key.join(", ")}
				</span>
			</td>
			<td class={`figure ${admitted === 0 ? "zero" : ""}`}>
				{count(admitted)}
				<span class="below">{admitted_per_second > 0 ? `${rate(admitted_per_second)}/s` : ""}</span>
			</td>
			<td class={`figure ${rejected === 0 ? "zero" : rejected_per_second > 0 ? "bad" : ""}`}>
				{count(rejected)}
				<span class="below">{rejected_per_second > 0 ? `${rate(rejected_per_second)}/s` : ""}</span>
			</td>
			<td class="wide">
				{share(rejected, admitted + rejected)}
				<Meter part={rejected} whole={admitted + rejected} />
			</td>
			<td class="figure middle">
				{limit.remaining === null
					? plural(limit.live_keys, "key")
					: `${grouped(limit.remaining)} left`}
				<span class="below">
					{limit.remaining === null ? `${grouped(capacity)} each` : `of ${grouped(capacity)}`}
				</span>
			</td>
		</tr>
	);
}

function Meter({ part, whole }: { readonly part: number; readonly whole: number }) {
	const width = whole === 0 ? 0 : (100 * part) / whole;
	return (
		<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
			<rect class="rest" width="100" height="6" />
			<rect class="rejected" width={width} height="6" />
		</svg>
	);
}
