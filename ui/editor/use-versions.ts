/** The list of a policy's versions, read again whenever the policy is another, and one that is looked at. Used by versions.tsx. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ListedPolicyVersion } from "../../src/management/answers.ts";
import { ApiFailure, routePath } from "../api/client.ts";
import { concerns } from "../live/concerns.ts";
import type { Session } from "../live/session.ts";
import { printed } from "../text/printed.ts";
import type { Stored } from "./stored-policy.ts";

export interface SeenVersion {
	readonly version: number;
	/** as the editor shows it */
	readonly text: string;
	/** of the version before it; undefined: it is not kept */
	readonly before: string | undefined;
}

interface Page {
	readonly versions: readonly ListedPolicyVersion[];
	readonly next_page_uri: string | null;
}

export interface FoundVersions {
	/** undefined: not read yet */
	readonly versions: readonly ListedPolicyVersion[] | undefined;
	readonly hasMore: boolean;
	readonly seen: SeenVersion | undefined;
	readonly error: unknown;
	more(): Promise<void>;
	look(version: ListedPolicyVersion): Promise<void>;
}

const NONE: Page = { versions: [], next_page_uri: null };

/** Versions that are read at a time. */
const PER_PAGE = 10;

/** @param base what is in force */
export function useVersions(
	session: Session,
	edgeId: string,
	routeId: string,
	base: Stored | undefined,
): FoundVersions {
	const { client } = session;
	const path = `${routePath(edgeId, routeId)}/policy`;
	const changes = useChanges(session, edgeId, routeId);
	const [page, setPage] = useState<Page | undefined>(undefined);
	const [seen, setSeen] = useState<SeenVersion | undefined>(undefined);
	const [error, setError] = useState<unknown>(undefined);
	/** only what was asked for last is shown */
	const asked = useRef(0);
	useEffect(() => {
		if (base === undefined) return;
		const abort = new AbortController();
		client.get<Page>(`${path}/versions?limit=${PER_PAGE}`, abort.signal).then(
			(found) => {
				setPage(found);
				setError(undefined);
			},
			(failure: unknown) => {
				if (abort.signal.aborted) return;
				if (isMissing(failure)) setPage(NONE);
				else setError(failure);
			},
		);
		return () => abort.abort();
	}, [client, path, base, changes]);
	const textOf = async (number: number): Promise<string> =>
		printed(await client.get<unknown>(`${path}/versions/${number}`));
	return {
		...{ versions: page?.versions, hasMore: typeof page?.next_page_uri === "string", seen, error },
		more: async () => {
			if (page?.next_page_uri === null || page === undefined) return;
			try {
				const next = await client.get<Page>(page.next_page_uri);
				setPage({ ...next, versions: [...page.versions, ...next.versions] });
			} catch (failure) {
				setError(failure);
			}
		},
		look: async ({ version }) => {
			const number = ++asked.current;
			try {
				const text = await textOf(version);
				const before = version === 1 ? undefined : await textOf(version - 1).catch(gone);
				if (number !== asked.current) return;
				setSeen({ version, text, before });
				setError(undefined);
			} catch (failure) {
				if (number === asked.current) setError(failure);
			}
		},
	};
}

/** How often something here was changed: a policy may be what it was, and yet have versions more. */
function useChanges(session: Session, edgeId: string, routeId: string): number {
	const [changes, setChanges] = useState(0);
	useEffect(() => {
		let before = session.live.value;
		return session.live.listen((state) => {
			const isBack = state.connection !== before.connection && state.connection.state === "live";
			const isChange = state.changes !== before.changes && concerns(state.changes, edgeId, routeId);
			before = state;
			if (isBack || isChange) setChanges((count) => count + 1);
		});
	}, [session, edgeId, routeId]);
	return changes;
}

const isMissing = (failure: unknown): boolean =>
	failure instanceof ApiFailure && failure.status === 404;

function gone(failure: unknown): undefined {
	if (!isMissing(failure)) throw failure;
}
