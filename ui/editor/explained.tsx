/** What weir would do with a request, rule by rule. Shown by try-it.tsx. */
import type { ExplainedRule, Explanation } from "../../src/management/live/shapes.ts";
import { type Sign, State } from "../parts/marks.tsx";
import { askedParts, effectLines, listed } from "./explained-rules.ts";

const SIGNS: Readonly<Record<ExplainedRule["state"], Sign>> = {
	applied: "well",
	ended: "critical",
	failed: "critical",
	skipped: "unknown",
	not_reached: "unknown",
};
const WORDS: Readonly<Record<ExplainedRule["state"], string>> = {
	applied: "applies",
	ended: "ends the phase",
	failed: "failed",
	skipped: "skipped",
	not_reached: "not reached",
};

export function Explained({ told }: { readonly told: Explanation }) {
	const { answer, inbound, outbound, upstream, notes } = told;
	const title =
		answer === null
			? "It would go to the backend, and the client would get what that answers."
			: answer.by === "closed"
				? "The connection would be closed without an answer."
				: `It would be answered with ${answer.status} (${answer.by}).`;
	return (
		<div class="explained">
			<p>
				<strong>{title}</strong>
			</p>
			{notes.map((note) => (
				<p class="soft small">{note}</p>
			))}
			<Rules name="Inbound" rules={inbound.rules} reason={inbound.reason} />
			{upstream !== null && (
				<section aria-label="To the backend">
					<h3>To the backend</h3>
					<pre>
						{[`${upstream.method} ${upstream.target}`, ...lines(upstream.headers)].join("\n")}
					</pre>
				</section>
			)}
			{outbound.rules.length > 0 && (
				<Rules name="Outbound" rules={outbound.rules} reason={outbound.reason} />
			)}
			{answer !== null && answer.headers.length > 0 && (
				<section aria-label="Answer">
					<h3>Answer</h3>
					<pre>{[...lines(answer.headers), answer.content ?? ""].join("\n")}</pre>
				</section>
			)}
		</div>
	);
}

const lines = (headers: readonly (readonly [string, string])[]): readonly string[] =>
	headers.map(([name, value]) => `${name}: ${value}`);

interface RulesProps {
	readonly name: string;
	readonly rules: readonly ExplainedRule[];
	readonly reason: string;
}

function Rules({ name, rules, reason }: RulesProps) {
	return (
		<section aria-label={name}>
			<h3>
				{name} <span class="soft">{reason}</span>
			</h3>
			<ol class="explained-rules">
				{listed(rules).map((each) =>
					"rule" in each ? (
						<Rule {...each.rule} />
					) : (
						<li class="soft">{`Rules ${each.first + 1} to ${each.last + 1} were ${WORDS[each.state]}.`}</li>
					),
				)}
			</ol>
		</section>
	);
}

function Rule({ index, name, state, reason, expressions, actions }: ExplainedRule) {
	return (
		<li>
			<p class="rule-line">
				<State sign={SIGNS[state]}>{WORDS[state]}</State>
				<span>
					{index + 1} {name}
				</span>
				<span class="soft small">{reason}</span>
			</p>
			{state !== "not_reached" && expressions.map((expression) => <Expression {...expression} />)}
			{actions
				.filter((action) => action.state !== "not_reached")
				.map(({ type, effects }) => (
					<div class="effects">
						<p class="mono">{type}</p>
						{effects.flatMap(effectLines).map((line) => (
							<p class="small">{line}</p>
						))}
					</div>
				))}
		</li>
	);
}

function Expression({
	source,
	state,
	asked,
	message,
	parts,
}: ExplainedRule["expressions"][number]) {
	const value = asked ? state : `${state}, not asked`;
	return (
		<dl class="parts">
			<dt>{source}</dt>
			<dd>{message ?? value}</dd>
			{askedParts(parts).map((part) => (
				<>
					<dt class={`deep-${Math.min(part.depth, 6)}`}>{part.text}</dt>
					<dd>{part.value ?? (part.state === "failed" ? "failed" : "not asked")}</dd>
				</>
			))}
		</dl>
	);
}
