/** The page as a whole: who is logged in, and which of its pages the address names. Drawn by main.tsx. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ApiFailure, Client } from "./api/client.ts";
import { Drafts } from "./editor/drafts.ts";
import { type Session, startSession } from "./live/session.ts";
import { verdictOf } from "./live/state.ts";
import { linkTo, type Place, placeOf } from "./location.ts";
import { Fleet } from "./pages/fleet.tsx";
import { Limits } from "./pages/limits.tsx";
import { Login } from "./pages/login.tsx";
import { Overview } from "./pages/overview.tsx";
import { PolicyPage } from "./pages/policy.tsx";
import { Refusals } from "./pages/refusals.tsx";
import { Routes } from "./pages/routes.tsx";
import { Frame } from "./parts/frame.tsx";
import { Empty } from "./parts/notices.tsx";

export function App() {
	const [session, setSession] = useState<Session | undefined>(undefined);
	const [ended, setEnded] = useState<ApiFailure | undefined>(undefined);
	const drafts = useRef(new Drafts());
	const place = usePlace();
	const enter = useCallback((client: Client) => {
		const refused = (failure: ApiFailure) => {
			setEnded(failure);
			setSession(undefined);
		};
		setEnded(undefined);
		setSession(startSession(client, drafts.current, refused));
	}, []);
	const leave = useCallback(() => {
		setSession((current) => {
			current?.end();
			drafts.current = new Drafts();
			return undefined;
		});
		setEnded(undefined);
	}, []);
	useTitle(session, place);
	if (session === undefined) return <Login ended={ended} enter={enter} />;
	return (
		<Frame session={session} place={place} leave={leave}>
			<Page session={session} place={place} />
		</Frame>
	);
}

function Page({ session, place }: { readonly session: Session; readonly place: Place }) {
	switch (place.page) {
		case "overview":
			return <Overview session={session} />;
		case "routes":
			return <Routes session={session} query={place.query} />;
		case "policy": {
			const { edgeId, routeId, tried = {} } = place;
			return (
				<PolicyPage
					key={`${edgeId}/${routeId}`}
					session={session}
					edgeId={edgeId}
					routeId={routeId}
					tried={tried}
				/>
			);
		}
		case "refusals":
			return <Refusals session={session} />;
		case "limits":
			return <Limits session={session} />;
		case "fleet":
			return <Fleet session={session} />;
		case "unknown":
			return (
				<>
					<h1 tabIndex={-1}>There is no such page</h1>
					<Empty title="The address names nothing that this page has.">
						<a href={linkTo({ page: "overview" })}>Go to the overview</a>
					</Empty>
				</>
			);
	}
}

/** Follows the address; whoever goes to another page begins at its heading, also with a screen reader. */
function usePlace(): Place {
	const [place, set] = useState(() => placeOf(location.hash));
	const shown = useRef(keyOf(place));
	useEffect(() => {
		const changed = () => set(placeOf(location.hash));
		addEventListener("hashchange", changed);
		return () => removeEventListener("hashchange", changed);
	}, []);
	useEffect(() => {
		if (shown.current === keyOf(place)) return;
		shown.current = keyOf(place);
		scrollTo(0, 0);
		document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
	}, [place]);
	return place;
}

const keyOf = (place: Place): string =>
	place.page === "policy" ? `${place.edgeId}/${place.routeId}` : place.page;

const TITLES: Readonly<Record<Place["page"], string>> = {
	overview: "Overview",
	routes: "Routes",
	policy: "Policy",
	refusals: "Refusals",
	limits: "Limits",
	fleet: "Fleet",
	unknown: "No such page",
};

/** What is wrong is told by the window's title too, so that a tab in the background shows it. */
function useTitle(session: Session | undefined, place: Place): void {
	useEffect(() => {
		const name = place.page === "policy" ? `${place.edgeId}/${place.routeId}` : TITLES[place.page];
		if (session === undefined) {
			document.title = "weir: log in";
			return;
		}
		const show = () => {
			const live = session.live.value;
			const verdict = verdictOf(live);
			const wrong = verdict === "critical" || verdict === "warning";
			const problems = live.overview?.problems.length ?? 0;
			const sign =
				live.connection.state === "lost" ? "(not live) " : wrong ? `(${problems}!) ` : "";
			document.title = `${sign}${name} · weir`;
		};
		show();
		return session.live.listen(show);
	}, [session, place]);
}
