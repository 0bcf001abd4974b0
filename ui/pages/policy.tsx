/** The policy of a route: its document, checked while it is written, its rules with their counts. Shown by app.tsx. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { PolicyHits, PolicyLanguage } from "../../src/management/live/shapes.ts";
import { routePath } from "../api/client.ts";
import { Candidate } from "../editor/candidate.tsx";
import { Conflict } from "../editor/conflict.tsx";
import { EditorView } from "../editor/editor-view.tsx";
import { Findings } from "../editor/findings.tsx";
import type { PolicyEditor } from "../editor/policy-editor.ts";
import { RuleList } from "../editor/rule-list.tsx";
import { TryIt } from "../editor/try-it.tsx";
import { useCheck } from "../editor/use-check.ts";
import { type PolicyLife, usePolicy } from "../editor/use-policy.ts";
import { Versions } from "../editor/versions.tsx";
import type { Session } from "../live/session.ts";
import { linkTo } from "../location.ts";
import { Failure } from "../parts/notices.tsx";
import { usePolled } from "../parts/polling.ts";

interface Props {
	readonly session: Session;
	readonly edgeId: string;
	readonly routeId: string;
	/** a request to begin "Try it" with */
	readonly tried: Readonly<Record<string, string>>;
}

export function PolicyPage({ session, edgeId, routeId, tried }: Props) {
	const life = usePolicy(session, edgeId, routeId);
	const check = useCheck(session.client, life.base === undefined ? undefined : life.text);
	const [editor, setEditor] = useState<PolicyEditor | undefined>(undefined);
	const counting =
		life.base?.etag === undefined ? undefined : `${routePath(edgeId, routeId)}/policy/hits`;
	const { value: hits } = usePolled<PolicyHits>(session.client, counting, 2000);
	useLanguage(session, editor);
	useEffect(() => {
		if (check.of === life.text) editor?.showProblems(check.answer);
	}, [editor, check]);
	const counted = hits !== undefined && hits.etag === life.base?.etag ? hits.rules : undefined;
	useEffect(() => editor?.showHits(counted ?? []), [editor, counted]);
	return (
		<>
			<Head session={session} edgeId={edgeId} routeId={routeId} />
			{life.error !== undefined && <Failure error={life.error} />}
			{life.isComparing && life.theirs !== undefined && (
				<Conflict
					theirs={life.theirs.etag === undefined ? undefined : life.theirs.text}
					mine={life.text}
					isSaving={life.isSaving}
					keepMine={() => void life.keepMine()}
					takeTheirs={life.takeTheirs}
				/>
			)}
			<div class="workbench">
				<section class="document" aria-label="Document">
					<StateLine life={life} />
					{life.base === undefined ? (
						<div class="editor" />
					) : (
						<EditorView
							text={life.text}
							savedText={life.base.text}
							changed={life.change}
							save={() => void life.save()}
							ready={(ready) => {
								life.attach(ready);
								setEditor(ready);
							}}
						/>
					)}
					<Findings
						check={check}
						isCurrent={check.of === life.text}
						goTo={(each) => editor?.goToProblem(each)}
					/>
				</section>
				<RuleList
					text={life.base?.text}
					hits={counted === undefined ? undefined : hits}
					goTo={(rule) => editor?.goToRule(rule)}
				/>
			</div>
			<Candidate
				client={session.client}
				edgeId={edgeId}
				routeId={routeId}
				text={life.base === undefined ? undefined : life.text}
			/>
			<TryIt
				client={session.client}
				edgeId={edgeId}
				routeId={routeId}
				text={life.base === undefined ? undefined : life.text}
				tried={tried}
			/>
			<Versions session={session} edgeId={edgeId} routeId={routeId} life={life} />
		</>
	);
}

function StateLine({ life }: { readonly life: PolicyLife }) {
	const { base, isChanged, isSaving, said, theirs, isComparing } = life;
	const isNew = base !== undefined && base.etag === undefined;
	const quiet =
		base === undefined
			? "Reading …"
			: isNew
				? "This route has no policy yet."
				: "As it is in force.";
	const waiting = said.sentence !== "" ? said.sentence : isChanged ? "Changed, not saved." : quiet;
	return (
		<div class="state-line">
			<p role="status" class={said.sentence === "" ? "soft" : said.tone}>
				{isChanged && said.tone === "good" ? "Changed again, not saved." : waiting}
			</p>
			{theirs !== undefined && !isComparing && (
				<button type="button" onClick={life.compare}>
					Compare
				</button>
			)}
			<button type="button" disabled={!isChanged || isSaving} onClick={life.discard}>
				Discard
			</button>
			<button
				type="button"
				class="main"
				disabled={!(isChanged || isNew) || isSaving}
				aria-keyshortcuts="Control+S"
				onClick={() => void life.save()}
			>
				Save
			</button>
		</div>
	);
}

interface RouteDocument {
	readonly match_type: string;
	readonly match: string;
	readonly backend: { readonly urls: readonly string[] };
}

function Head({ session, edgeId, routeId }: Omit<Props, "tried">) {
	const [route, setRoute] = useState<RouteDocument | undefined>(undefined);
	const [error, setError] = useState<unknown>(undefined);
	useEffect(() => {
		const abort = new AbortController();
		session.client
			.get<RouteDocument>(routePath(edgeId, routeId), abort.signal)
			.then(setRoute, (failure) => {
				if (!abort.signal.aborted) setError(failure);
			});
		return () => abort.abort();
	}, [session, edgeId, routeId]);
	return (
		<div class="head">
			<div>
				<p class="crumbs">
					<a href={linkTo({ page: "routes", query: {} })}>Routes</a>
					<span aria-hidden="true">/</span>
					<span>{edgeId}</span>
				</p>
				<h1 tabIndex={-1}>{routeId}</h1>
				<p class="facts-line">
					{route !== undefined && (
						<>
							<span>
								{route.match_type === "exact_path" ? "the path" : "paths that begin with"}{" "}
								<code>{route.match}</code>
							</span>
							<span>
								to <code>{route.backend.urls.join(", ")}</code>
							</span>
						</>
					)}
					{route === undefined && error === undefined && "…"}
				</p>
				{error !== undefined && <Failure error={error} />}
			</div>
		</div>
	);
}

/** Once a session: the language does not change while weir runs. */
function useLanguage(session: Session, editor: PolicyEditor | undefined): void {
	const asked = useRef<Promise<PolicyLanguage> | undefined>(undefined);
	useEffect(() => {
		if (editor === undefined) return;
		asked.current ??= session.client.get<PolicyLanguage>("/policy/language");
		asked.current.then(
			(language) => editor.completeWith(language),
			() => {
				asked.current = undefined; // without completion one can still write
			},
		);
	}, [session, editor]);
}
