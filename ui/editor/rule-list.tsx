/** The rules of the saved document with what they have done; each leads to its place in the text. Shown by policy.tsx. */
import { useMemo } from "preact/hooks";
import type { PolicyHits, RuleHits } from "../../src/management/live/shapes.ts";
import { clock, count, plural } from "../text/format.ts";
import { PHASES, type Rule, rulesOf } from "./rules.ts";

interface Props {
	/** undefined: not read yet */
	readonly text: string | undefined;
	/** undefined: not counted yet */
	readonly hits: PolicyHits | undefined;
	goTo(rule: Rule): void;
}

const TITLES = { inbound: "Rules for requests", outbound: "Rules for responses" } as const;

export function RuleList({ text, hits, goTo }: Props) {
	const rules = useMemo(() => rulesOf(text), [text]);
	return (
		<section class="rules" aria-label="Rules of the saved policy">
			{PHASES.map((phase) => {
				const own = rules.filter((rule) => rule.phase === phase);
				return (
					<div key={phase}>
						<h2>
							{TITLES[phase]}
							{own.length > 0 && <span class="soft">matched</span>}
						</h2>
						<ul class="rule-list">
							{own.map((rule) => (
								<li key={rule.index}>
									<RuleButton
										rule={rule}
										hits={hits?.rules.find((each) => isOf(each, rule))}
										goTo={goTo}
									/>
								</li>
							))}
							{own.length === 0 && text !== undefined && <li class="soft small">none</li>}
						</ul>
					</div>
				);
			})}
			<p class="soft small">
				{hits !== undefined && rules.length > 0 && `Counted since ${since(hits.since)}.`}
			</p>
		</section>
	);
}

const isOf = (hits: RuleHits, { phase, index }: Rule): boolean =>
	hits.phase === phase && hits.index === index;

function RuleButton({
	rule,
	hits,
	goTo,
}: {
	rule: Rule;
	hits: RuleHits | undefined;
	goTo(rule: Rule): void;
}) {
	const { index, name, actions } = rule;
	return (
		<button type="button" onClick={() => goTo(rule)}>
			<span class="rule-name">
				{index + 1}. {name === "" ? (actions[0] ?? "a rule without actions") : name}
			</span>
			<span>{hits === undefined ? "–" : count(hits.matches)}</span>
			<span class="below">
				{actions.join(", ")}
				{hits !== undefined && hits.refusals > 0 && (
					<span class="warn"> · {plural(hits.refusals, "refusal")}</span>
				)}
			</span>
		</button>
	);
}

function since(time: number): string {
	const isToday = new Date(time).toDateString() === new Date().toDateString();
	return isToday ? clock(time) : new Date(time).toLocaleString("en-GB");
}
