/** Two people have changed the same policy: both versions, what differs, and what can be done. Shown by policy.tsx. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { diffLines } from "./diff.ts";

interface Props {
	/** what is stored now; undefined: the policy was deleted */
	readonly theirs: string | undefined;
	readonly mine: string;
	readonly isSaving: boolean;
	keepMine(): void;
	takeTheirs(): void;
}

type View = "differences" | "theirs" | "mine";

const VIEWS: readonly (readonly [View, string])[] = [
	["differences", "Differences"],
	["theirs", "Theirs"],
	["mine", "Yours"],
];
const SIDES = { both: "", mine: "+ yours", theirs: "− theirs" } as const;

export function Conflict({ theirs, mine, isSaving, keepMine, takeTheirs }: Props) {
	const heading = useRef<HTMLHeadingElement>(null);
	const [view, setView] = useState<View>("differences");
	// it stands above what one has just written, perhaps out of sight
	useEffect(() => heading.current?.focus(), []);
	const lines = useMemo(() => {
		if (view === "differences") return diffLines(theirs ?? "", mine);
		return (view === "mine" ? mine : (theirs ?? ""))
			.split("\n")
			.map((text) => ({ side: "both" as const, text }));
	}, [view, theirs, mine]);
	return (
		<section class="conflict" aria-labelledby="conflict">
			<h2 id="conflict" tabIndex={-1} ref={heading}>
				{theirs === undefined
					? "Somebody else deleted this policy while you were writing"
					: "Somebody else saved this policy while you were writing"}
			</h2>
			<p>
				Nothing of yours is lost, and nothing of yours is saved. Compare, change yours below if need
				be, and choose.
			</p>
			<fieldset class="choice" aria-label="What is shown">
				{VIEWS.map(([name, label]) => (
					<button
						key={name}
						type="button"
						aria-pressed={view === name}
						onClick={() => setView(name)}
					>
						{label}
					</button>
				))}
			</fieldset>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard */}
			<section class="diff" tabIndex={0} aria-label="Text">
				{lines.map(({ side, text }, index) => (
					<div key={index} class={side}>
						<span class="who">{SIDES[side]}</span>
						<span>{text}</span>
					</div>
				))}
			</section>
			<div class="controls">
				<button type="button" class="main" disabled={isSaving} onClick={keepMine}>
					Save yours in its place
				</button>
				<button type="button" disabled={isSaving} onClick={takeTheirs}>
					{theirs === undefined ? "Leave it deleted" : "Take theirs, drop yours"}
				</button>
			</div>
		</section>
	);
}
