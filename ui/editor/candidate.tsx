/** The candidate of a policy: what it would do otherwise on live requests, and what can be done with it. Shown by policy.tsx. */
import { useState } from "preact/hooks";
import type { CandidateReport } from "../../src/management/live/shapes.ts";
import { ApiFailure, type Client, routePath } from "../api/client.ts";
import { sentenceOf } from "../parts/notices.tsx";
import { usePolled } from "../parts/polling.ts";
import { clock } from "../text/format.ts";

interface Props {
	readonly client: Client;
	readonly edgeId: string;
	readonly routeId: string;
	/** of the editor; undefined: there is none yet */
	readonly text: string | undefined;
}

const WORDS: Readonly<Record<CandidateReport["by_rule"][number]["result"], string>> = {
	same: "same",
	would_block: "would be blocked",
	would_pass: "would pass",
	different: "otherwise different",
};

export function Candidate({ client, edgeId, routeId, text }: Props) {
	const path = `${routePath(edgeId, routeId)}/policy/candidate`;
	/** asked again at once when something was done */
	const [turn, setTurn] = useState(0);
	const [said, say] = useState("");
	const { value, error } = usePolled<CandidateReport>(client, `${path}/report?turn=${turn}`, 2000);
	const isNone = error instanceof ApiFailure && error.code === "ERR_CANDIDATE_NOT_FOUND";
	const report = isNone ? undefined : value;
	const act = async (method: string, to: string, done: string, more: object): Promise<void> => {
		try {
			await client.ask(to, { method, ...more });
			say(done);
		} catch (failure) {
			say(sentenceOf(failure));
		}
		setTurn((before) => before + 1);
	};
	const headers = { "if-match": report?.etag ?? "*" };
	return (
		<section class="try-it" aria-labelledby="candidate">
			<h2 id="candidate">Candidate</h2>
			<p class="soft small">
				A second policy that runs beside the stored one on live requests, without effect.
			</p>
			<p role="status">{said}</p>
			<button
				type="button"
				disabled={text === undefined}
				onClick={() =>
					void act("PUT", path, "The document above is the candidate now.", { body: text ?? "" })
				}
			>
				{report === undefined
					? "Run the document above as candidate"
					: "Replace by the document above"}
			</button>
			{report !== undefined && (
				<>
					<Report report={report} />
					<button
						type="button"
						class="main"
						onClick={() =>
							void act("POST", `${path}/promote`, "The candidate is the policy now.", { headers })
						}
					>
						Promote
					</button>
					<button
						type="button"
						onClick={() => void act("DELETE", path, "The candidate is dropped.", { headers })}
					>
						Drop
					</button>
				</>
			)}
			{!isNone && error !== undefined && <p class="bad">{sentenceOf(error)}</p>}
		</section>
	);
}

function Report({ report }: { readonly report: CandidateReport }) {
	const { requests, compared, same, would_block, would_pass, different, note } = report;
	const { cpu_us_per_request: cpu } = report;
	return (
		<div class="explained">
			<p>
				<strong>
					{would_block} would be blocked, {would_pass} would pass, {different} otherwise different,{" "}
					{same} the same.
				</strong>
			</p>
			<p class="soft small">
				{compared} of {requests} requests compared since {clock(report.since)}
				{cpu !== null && `, ${cpu} µs each`}. {note}
			</p>
			{report.by_rule.length > 0 && (
				<table class="table">
					<caption>By rule</caption>
					<thead>
						<tr>
							<th scope="col">Result</th>
							<th scope="col">Stored policy</th>
							<th scope="col">Candidate</th>
							<th scope="col">Requests</th>
						</tr>
					</thead>
					<tbody>
						{report.by_rule.map((pair) => (
							<tr>
								<td>{WORDS[pair.result]}</td>
								<td>{verdict(pair.stored)}</td>
								<td>{verdict(pair.candidate)}</td>
								<td>{pair.count}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
			{report.samples.length > 0 && (
				<details>
					<summary>Samples</summary>
					<ul>
						{report.samples.map((sample) => (
							<li>
								{clock(sample.ts)} {sample.client_ip} <code>{sample.method}</code>{" "}
								<code>
									{sample.host}
									{sample.path}
								</code>
								: {WORDS[sample.result]}, {verdict(sample.stored)} → {verdict(sample.candidate)}
								{sample.differs.length > 0 && ` (${sample.differs.join(", ")})`}
							</li>
						))}
					</ul>
				</details>
			)}
		</div>
	);
}

function verdict({ outcome, status, rule }: CandidateReport["by_rule"][number]["stored"]): string {
	const what = outcome === "continue" ? "passes" : outcome;
	const by = rule === null ? "" : ` by ${rule.name || `${rule.phase} rule ${rule.index}`}`;
	return `${what}${status === null ? "" : ` (${status})`}${by}`;
}
