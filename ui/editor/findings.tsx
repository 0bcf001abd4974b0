/** What is wrong with the text, and what is most likely not meant; each leads to its place. Shown by policy.tsx. */
import type { CheckedProblem } from "../../src/management/live/shapes.ts";
import { Mark } from "../parts/marks.tsx";
import { sentenceOf } from "../parts/notices.tsx";
import { plural } from "../text/format.ts";
import type { Check } from "./use-check.ts";

interface Props {
	readonly check: Check;
	/** of the text as it is now */
	readonly isCurrent: boolean;
	goTo(problem: CheckedProblem): void;
}

export function Findings({ check, isCurrent, goTo }: Props) {
	const { problems, warnings } = check.answer;
	return (
		<section class="findings" aria-label="Problems of the document">
			<p class="soft small" role="status">
				{summary(check, isCurrent)}
			</p>
			<ul>
				{problems.map((each) => (
					<Finding
						key={`${each.pointer} ${each.code}`}
						problem={each}
						severity="critical"
						goTo={goTo}
					/>
				))}
				{warnings.map((each) => (
					<Finding
						key={`${each.pointer} ${each.code}`}
						problem={each}
						severity="warning"
						goTo={goTo}
					/>
				))}
			</ul>
		</section>
	);
}

function summary({ of, answer, error }: Check, isCurrent: boolean): string {
	if (of === undefined) return "Checking …";
	if (error !== undefined) return `Not checked. ${sentenceOf(error)}`;
	if (!isCurrent) return "Checking …";
	const { problems, warnings } = answer;
	const found = [
		...(problems.length === 0
			? []
			: [`${plural(problems.length, "problem")}, so it can't be saved`]),
		...(warnings.length === 0 ? [] : [plural(warnings.length, "warning")]),
	];
	return found.length === 0 ? "No problems, no warnings." : `${found.join("; ")}.`;
}

/** The lines below it show the place, which the editor marks. */
const firstLine = (message: string): string => message.split("\n", 1)[0] ?? "";

interface FindingProps {
	readonly problem: CheckedProblem;
	readonly severity: "critical" | "warning";
	goTo(problem: CheckedProblem): void;
}

function Finding({ problem, severity, goTo }: FindingProps) {
	const { range, message } = problem;
	return (
		<li>
			<button type="button" class="finding" onClick={() => goTo(problem)}>
				<Mark sign={severity} />
				<span class="soft">{range === null ? "" : `line ${range.line}`}</span>
				<span>
					<span class="unseen">{severity === "critical" ? "problem: " : "warning: "}</span>
					{firstLine(message)}
				</span>
			</button>
		</li>
	);
}
