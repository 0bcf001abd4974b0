/** Who serves: the tables of backends and workers. Shown by overview.tsx. */
import type {
	LiveOverview,
	LiveUpstream,
	LiveWorker,
	UpstreamState,
	WorkerState,
} from "../../src/management/live/shapes.ts";
import { type Sign, State } from "../parts/marks.tsx";
import { bytes, count, plural, rate } from "../text/format.ts";

const UPSTREAM_STATES: Readonly<Record<UpstreamState, readonly [Sign, string]>> = {
	up: ["well", "answers"],
	failing: ["warning", "failing"],
	set_aside: ["critical", "set aside"],
};

export function Upstreams({ overview }: { readonly overview: LiveOverview | undefined }) {
	const upstreams = overview?.upstreams ?? [];
	return (
		<section>
			<h2 id="upstreams">Backends</h2>
			{overview !== undefined && upstreams.length === 0 ? (
				<p class="soft">
					No backend address is in use: a route's backend appears here with its first request.
				</p>
			) : (
				<table class="table" aria-labelledby="upstreams">
					<colgroup>
						<col />
						<col class="w10" />
						<col class="w7" />
						<col class="middle w8" />
					</colgroup>
					<thead>
						<tr>
							<th scope="col">Address</th>
							<th scope="col">State</th>
							<th scope="col" class="figure">
								Requests/s
							</th>
							<th scope="col" class="figure middle">
								Failures
							</th>
						</tr>
					</thead>
					<tbody>
						{upstreams.map((upstream) => (
							<Upstream key={upstream.address} {...upstream} />
						))}
					</tbody>
				</table>
			)}
			{overview !== undefined && overview.upstreams_left_out > 0 && (
				<p class="soft small">
					And {plural(overview.upstreams_left_out, "address", "addresses")} more, all quiet.
				</p>
			)}
		</section>
	);
}

function Upstream(upstream: LiveUpstream) {
	const { address, state, set_aside_ms, requests_per_second, failures_per_second, failures } =
		upstream;
	const [sign, word] = UPSTREAM_STATES[state];
	const aside = set_aside_ms > 0 ? ` ${Math.ceil(set_aside_ms / 1000)} s` : "";
	return (
		<tr>
			<th scope="row" class="mono address" title={address}>
				{address}
			</th>
			<td>
				<State sign={sign}>{word + aside}</State>
			</td>
			<td class="figure">{rate(requests_per_second)}</td>
			<td class={`figure middle ${failures === 0 ? "zero" : ""}`}>
				{failures_per_second > 0
					? `${rate(failures_per_second)}/s of ${count(failures)}`
					: count(failures)}
			</td>
		</tr>
	);
}

const WORKER_STATES: Readonly<Record<WorkerState, readonly [Sign, string]>> = {
	serving: ["well", "serves"],
	starting: ["unknown", "starting"],
	leaving: ["unknown", "leaving"],
	late: ["warning", "late"],
	missing: ["critical", "missing"],
};

export function Workers({ overview }: { readonly overview: LiveOverview | undefined }) {
	return (
		<section>
			<h2 id="workers">Workers</h2>
			<table class="table" aria-labelledby="workers">
				<colgroup>
					<col class="w4" />
					<col />
					<col class="w5" />
					<col class="w5" />
					<col class="middle w5" />
				</colgroup>
				<thead>
					<tr>
						<th scope="col">Worker</th>
						<th scope="col">State</th>
						<th scope="col" class="figure">
							Req./s
						</th>
						<th scope="col" class="figure">
							CPU
						</th>
						<th scope="col" class="figure middle">
							Memory
						</th>
					</tr>
				</thead>
				<tbody>
					{(overview?.workers ?? []).map((worker, index) => (
						<Worker key={index} {...worker} newest={overview?.store.revision ?? 0} />
					))}
				</tbody>
			</table>
		</section>
	);
}

function Worker(worker: LiveWorker & { readonly newest: number }) {
	const { id, pid, state, policy_version, newest, cpu, rss_bytes, requests_per_second } = worker;
	const [sign, word] = WORKER_STATES[state];
	const behind = policy_version === null || state !== "serving" ? 0 : newest - policy_version;
	return (
		<tr>
			<th scope="row">{id}</th>
			<td>
				<State sign={behind > 0 ? "warning" : sign}>{behind > 0 ? `${behind} behind` : word}</State>
				<span class="below">{pid === null ? "no process" : `process ${pid}`}</span>
			</td>
			<td class="figure">{rate(requests_per_second)}</td>
			<td class="figure">{cpu === null ? "–" : `${Math.round(cpu * 100)} %`}</td>
			<td class="figure middle">{bytes(rss_bytes)}</td>
		</tr>
	);
}
