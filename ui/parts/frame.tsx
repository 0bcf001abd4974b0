/** What stands around every page once somebody has logged in: the bar above, and the one that tells of a lost connection. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { FleetView } from "../../src/management/fleet/fleet-answers.ts";
import type { Session } from "../live/session.ts";
import { useStore } from "../live/store.ts";
import { linkTo, type Place } from "../location.ts";
import { clock, duration } from "../text/format.ts";
import { Brand, Mark } from "./marks.tsx";
import { useNow } from "./now.ts";
import { usePolled } from "./polling.ts";
import { SchemeButton } from "./scheme.tsx";

interface Props {
	readonly session: Session;
	readonly place: Place;
	readonly children: ComponentChildren;
	leave(): void;
}

const PAGES = [
	["Overview", { page: "overview" }],
	["Routes", { page: "routes", query: {} }],
	["Refusals", { page: "refusals" }],
	["Limits", { page: "limits" }],
] as const;

const WITH_FLEET = [...PAGES, ["Fleet", { page: "fleet" }]] as const;
const FLEET_MS = 30_000;

const belongs = (place: Place, page: string): boolean =>
	place.page === page || (place.page === "policy" && page === "routes");

export function Frame({ session, place, children, leave }: Props) {
	useLeaving(session);
	const { value } = usePolled<FleetView>(session.client, "/fleet?limit=1", FLEET_MS);
	const isInFleet = value?.fleet != null || place.page === "fleet";
	const logOut = () => {
		if (session.drafts.isEmpty || confirm(UNSAVED)) leave();
	};
	return (
		<>
			<button type="button" class="skip" onClick={focusMain}>
				Skip to the page
			</button>
			<header class="bar">
				<span class="brand">
					<Brand />
					weir
				</span>
				<nav aria-label="Pages">
					<ul>
						{(isInFleet ? WITH_FLEET : PAGES).map(([name, target]) => (
							<li key={name}>
								<a
									href={linkTo(target)}
									aria-current={belongs(place, target.page) ? "page" : undefined}
								>
									{name}
								</a>
							</li>
						))}
					</ul>
				</nav>
				<div class="tools">
					<Pulse session={session} />
					<SchemeButton />
					<button type="button" class="plain" onClick={logOut}>
						Log out
					</button>
				</div>
			</header>
			<main id="main" tabIndex={-1}>
				{children}
			</main>
			<Lost session={session} />
		</>
	);
}

const UNSAVED =
	"What you have written in policies and not saved will be gone. Log out all the same?";

/** The browser asks before the page, and what is not saved, is gone. */
function useLeaving(session: Session): void {
	useEffect(() => {
		const leaving = (event: BeforeUnloadEvent) => {
			if (!session.drafts.isEmpty) event.preventDefault();
		};
		addEventListener("beforeunload", leaving);
		return () => removeEventListener("beforeunload", leaving);
	}, [session]);
}

/** No link: the address says which page it is, and must not change. */
function focusMain(): void {
	document.querySelector<HTMLElement>("main")?.focus();
}

function Pulse({ session }: { readonly session: Session }) {
	const { connection, overview } = useStore(session.live);
	const at = overview === undefined ? "" : clock(overview.ts);
	const isLive = connection.state === "live";
	return (
		<span class="pulse">
			<Mark sign={isLive ? "well" : connection.state === "lost" ? "critical" : "unknown"} />
			<span>{isLive ? `Live ${at}` : connection.state === "lost" ? "Not live" : "Connecting"}</span>
		</span>
	);
}

function Lost({ session }: { readonly session: Session }) {
	const { connection, overview } = useStore(session.live);
	const now = useNow();
	if (connection.state !== "lost") return null;
	const seconds = Math.ceil(Math.max(connection.retryAt - now, 0) / 1000);
	return (
		<section class="lost" aria-label="Connection">
			<p>
				<strong role="status">Connection lost.</strong> {connection.reason}
				{overview !== undefined && (
					<>
						{" "}
						What you see is from {clock(overview.ts)}, {duration(now - connection.since)} ago.
					</>
				)}
			</p>
			<span class="soft">{seconds === 0 ? "Trying …" : `Trying again in ${seconds} s`}</span>
			<button type="button" onClick={() => session.reconnect()}>
				Try now
			</button>
		</section>
	);
}
