/** Former versions of a policy: who stored which, what changed, and the way back. Shown by policy.tsx. */
import { useMemo, useState } from "preact/hooks";
import type { ListedPolicyVersion } from "../../src/management/answers.ts";
import type { Session } from "../live/session.ts";
import { sentenceOf } from "../parts/notices.tsx";
import { plural } from "../text/format.ts";
import { diffLines } from "./diff.ts";
import type { PolicyLife } from "./use-policy.ts";
import { type SeenVersion, useVersions } from "./use-versions.ts";
import { whenOf, whoOf } from "./version-words.ts";

interface Props {
	readonly session: Session;
	readonly edgeId: string;
	readonly routeId: string;
	readonly life: Pick<PolicyLife, "base" | "isChanged" | "isSaving" | "rollBack">;
}

export function Versions({ session, edgeId, routeId, life }: Props) {
	const found = useVersions(session, edgeId, routeId, life.base);
	const { versions, seen } = found;
	return (
		<section class="versions" aria-labelledby="versions">
			<h2 id="versions">Versions</h2>
			<p class="soft small">
				{versions === undefined
					? "Reading …"
					: versions.length === 0
						? "None yet: each save leaves one here, which can be put in force again."
						: `Each save leaves one. ${plural(versions.length, "version")} shown, newest first.`}
			</p>
			{found.error !== undefined && (
				<p role="alert" class="bad">
					{sentenceOf(found.error)}
				</p>
			)}
			{versions !== undefined && versions.length > 0 && (
				<Table
					versions={versions}
					seen={seen?.version}
					look={(version) => void found.look(version)}
				/>
			)}
			{found.hasMore && (
				<div class="controls">
					<button type="button" onClick={() => void found.more()}>
						Older versions
					</button>
				</div>
			)}
			{seen !== undefined && <Compared key={seen.version} seen={seen} life={life} />}
		</section>
	);
}

interface TableProps {
	readonly versions: readonly ListedPolicyVersion[];
	/** the one that is compared */
	readonly seen: number | undefined;
	look(version: ListedPolicyVersion): void;
}

function Table({ versions, seen, look }: TableProps) {
	return (
		<table class="table">
			<caption class="unseen">Versions of the policy, newest first</caption>
			<colgroup>
				<col class="w5" />
				<col />
				<col />
				<col class="wide" />
				<col class="w8" />
			</colgroup>
			<thead>
				<tr>
					<th scope="col">Version</th>
					<th scope="col">Stored</th>
					<th scope="col">By</th>
					<th scope="col" class="wide">
						Request
					</th>
					<th scope="col">
						<span class="unseen">What can be done</span>
					</th>
				</tr>
			</thead>
			<tbody>
				{versions.map((each) => (
					<tr key={each.version}>
						<th scope="row">{each.version}</th>
						<td>
							{whenOf(each)}
							{each.in_force && <span class="below good">in force</span>}
						</td>
						<td title={each.key_id ?? undefined}>
							{whoOf(each)}
							{each.rolled_back_to !== null && (
								<span class="below">rolled back to {each.rolled_back_to}</span>
							)}
						</td>
						<td class="wide mono" title={each.request_id ?? undefined}>
							{each.request_id ?? "–"}
						</td>
						<td>
							<button
								type="button"
								aria-pressed={seen === each.version}
								aria-label={`Compare version ${each.version}`}
								onClick={() => look(each)}
							>
								Compare
							</button>
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

type Against = "force" | "before";

const SIDES: Readonly<Record<Against, Readonly<Record<"both" | "mine" | "theirs", string>>>> = {
	force: { both: "", mine: "+ back", theirs: "− now" },
	before: { both: "", mine: "+ came", theirs: "− went" },
};

function Compared({ seen, life }: { readonly seen: SeenVersion; readonly life: Props["life"] }) {
	const [against, setAgainst] = useState<Against>("force");
	const other = against === "force" ? (life.base?.text ?? "") : (seen.before ?? "");
	const lines = useMemo(() => diffLines(other, seen.text), [other, seen.text]);
	const isSame = life.base?.text === seen.text && life.base.etag !== undefined;
	return (
		<div class="compared">
			<h3>Version {seen.version}</h3>
			<fieldset class="choice" aria-label="What it is compared with">
				<button
					type="button"
					aria-pressed={against === "force"}
					onClick={() => setAgainst("force")}
				>
					With what is in force
				</button>
				<button
					type="button"
					aria-pressed={against === "before"}
					onClick={() => setAgainst("before")}
				>
					With the one before it
				</button>
			</fieldset>
			{against === "before" && seen.before === undefined && (
				<p class="soft small">There is none before it any more, so all of it is new.</p>
			)}
			{lines.every(({ side }) => side === "both") && <p class="soft small">They are the same.</p>}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard */}
			<section class="diff" tabIndex={0} aria-label={`Text of version ${seen.version}`}>
				{lines.map(({ side, text }, index) => (
					<div key={index} class={side}>
						<span class="who">{SIDES[against][side]}</span>
						<span>{text}</span>
					</div>
				))}
			</section>
			<div class="controls">
				<button
					type="button"
					class="main"
					disabled={isSame || life.isChanged || life.isSaving || life.base === undefined}
					onClick={() => void life.rollBack(seen.version)}
				>
					Put version {seen.version} in force
				</button>
				<p class="soft small">
					{isSame
						? "It is in force."
						: life.isChanged
							? "Save or discard what you wrote first."
							: "In force at once, on all workers; the version of now stays in the list."}
				</p>
			</div>
		</div>
	);
}
