/**
 * The life of a policy in the editor: read, changed, saved, and changed by somebody else meanwhile. Nothing that was
 * written is ever thrown away unasked. Used by policy.tsx.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiFailure } from "../api/client.ts";
import { concerns } from "../live/concerns.ts";
import type { Session } from "../live/session.ts";
import { sentenceOf } from "../parts/notices.tsx";
import { clock } from "../text/format.ts";
import type { PolicyEditor } from "./policy-editor.ts";
import { type Stored, StoredPolicy } from "./stored-policy.ts";

export interface Said {
	readonly tone: "soft" | "good" | "warn" | "bad";
	readonly sentence: string;
}

export interface PolicyLife {
	/** undefined: not read yet */
	readonly base: Stored | undefined;
	readonly text: string;
	readonly isChanged: boolean;
	readonly isSaving: boolean;
	readonly said: Said;
	/** somebody else's version, while it is not decided whose is to stay */
	readonly theirs: Stored | undefined;
	/** somebody has asked to see it */
	readonly isComparing: boolean;
	readonly error: unknown;
	change(text: string): void;
	save(): Promise<void>;
	discard(): void;
	compare(): void;
	keepMine(): Promise<void>;
	takeTheirs(): void;
	/** puts a former version in force; not while something is written */
	rollBack(to: number): Promise<void>;
	attach(editor: PolicyEditor | undefined): void;
}

const QUIET: Said = { tone: "soft", sentence: "" };

export function usePolicy(session: Session, edgeId: string, routeId: string): PolicyLife {
	const route = `${edgeId}/${routeId}`;
	const stored = useMemo(() => new StoredPolicy(session.client, edgeId, routeId), [session, route]);
	const draft = useMemo(() => session.drafts.of(route), [session, route]);
	const [base, setBase] = useState(draft?.base);
	const [text, setText] = useState(draft?.text ?? "");
	const [theirs, setTheirs] = useState<Stored | undefined>(undefined);
	const [isComparing, setComparing] = useState(false);
	const [isSaving, setSaving] = useState(false);
	const [said, say] = useState<Said>(
		draft === undefined
			? QUIET
			: { tone: "soft", sentence: "What you wrote before is still here, unsaved." },
	);
	const [error, setError] = useState<unknown>(undefined);
	const editor = useRef<PolicyEditor | undefined>(undefined);
	// what callbacks of later moments see
	const now = useRef({ base, text, isSaving });
	now.current = { base, text, isSaving };

	const takeOver = useCallback((next: Stored, saying: Said) => {
		setBase(next);
		setText(next.text);
		setTheirs(undefined);
		setComparing(false);
		say(saying);
		editor.current?.load(next.text);
	}, []);

	/** Somebody may have changed it: whoever has written nothing gets the new version at once. */
	const look = useCallback(
		async (signal: AbortSignal) => {
			try {
				const found = await stored.read(signal);
				const { base, text, isSaving } = now.current;
				if (base === undefined) return takeOver(found, QUIET);
				if (isSaving || found.etag === base.etag) return;
				if (text === base.text) return takeOver(found, takenOver(found));
				setTheirs(found);
				say(CHANGED_ELSEWHERE);
			} catch (failure) {
				if (!signal.aborted && now.current.base === undefined) setError(failure);
			}
		},
		[stored],
	);
	useEffect(() => watched(session, edgeId, routeId, look), [session, route, look]);
	useEffect(() => {
		if (base !== undefined) session.drafts.keep(route, { text, base });
	}, [text, base]);

	const write = async (seen: Stored) => {
		const { text, isSaving } = now.current;
		if (isSaving) return;
		setSaving(true);
		say({ tone: "soft", sentence: "Saving …" });
		try {
			const etag = await stored.write(text, seen);
			if (etag === undefined) {
				setTheirs(await stored.read());
				setComparing(true);
				say({ tone: "warn", sentence: "Not saved: somebody else saved another version first." });
			} else {
				setBase({ text, etag });
				setTheirs(undefined);
				setComparing(false);
				editor.current?.saved();
				say({ tone: "good", sentence: `Saved at ${clock(Date.now())}, in force on all workers.` });
			}
		} catch (failure) {
			say({ tone: "bad", sentence: `Not saved. ${whyNot(failure)}` });
		}
		setSaving(false);
	};
	const rollBack = async (to: number) => {
		const { base, text, isSaving } = now.current;
		if (isSaving || base === undefined || text !== base.text) return;
		setSaving(true);
		say({ tone: "soft", sentence: `Putting version ${to} in force …` });
		try {
			const back = await stored.rollBack(to, base);
			if (back === undefined) takeOver(await stored.read(), NOT_ROLLED_BACK);
			else takeOver(back, rolledBack(to));
		} catch (failure) {
			say({ tone: "bad", sentence: `Not rolled back. ${whyNot(failure)}` });
		}
		setSaving(false);
	};
	const isChanged = base !== undefined && text !== base.text;
	return {
		...{ base, text, isChanged, isSaving, said, theirs, isComparing, error },
		change: (text) => {
			now.current = { ...now.current, text };
			setText(text);
		},
		save: async () => {
			if (theirs !== undefined) setComparing(true);
			else if (base !== undefined && (isChanged || base.etag === undefined)) await write(base);
		},
		discard: () => {
			if (base !== undefined) takeOver(theirs ?? base, QUIET);
		},
		compare: () => setComparing(true),
		keepMine: async () => {
			if (theirs !== undefined) await write(theirs);
		},
		takeTheirs: () => {
			if (theirs !== undefined) takeOver(theirs, takenOver(theirs));
		},
		rollBack,
		attach: (next) => {
			editor.current = next;
		},
	};
}

const CHANGED_ELSEWHERE: Said = {
	tone: "warn",
	sentence: "Somebody else has saved another version. Yours is untouched.",
};

const NOT_ROLLED_BACK: Said = {
	tone: "warn",
	sentence: "Not rolled back: somebody else saved another version first, which this is.",
};

const rolledBack = (to: number): Said => ({
	tone: "good",
	sentence: `Version ${to} is in force on all workers since ${clock(Date.now())}.`,
});

const takenOver = ({ etag }: Stored): Said => ({
	tone: "warn",
	sentence:
		etag === undefined
			? `Somebody deleted this policy at ${clock(Date.now())}.`
			: `Changed elsewhere at ${clock(Date.now())}: this is the new version.`,
});

function whyNot(failure: unknown): string {
	if (!(failure instanceof ApiFailure)) return sentenceOf(failure);
	if (failure.status === 0)
		return `${failure.message} It is not known whether it arrived; what is stored is compared as soon as it answers.`;
	return failure.problems.length > 0
		? `${failure.message} They are listed below.`
		: sentenceOf(failure);
}

/** Looks at once, whenever the server says that something changed here, and when it is reached again. */
function watched(
	session: Session,
	edgeId: string,
	routeId: string,
	look: (signal: AbortSignal) => Promise<void>,
): () => void {
	const abort = new AbortController();
	let before = session.live.value;
	void look(abort.signal);
	const end = session.live.listen((state) => {
		const isBack = state.connection !== before.connection && state.connection.state === "live";
		const isChange = state.changes !== before.changes && concerns(state.changes, edgeId, routeId);
		before = state;
		if (isBack || isChange) void look(abort.signal);
	});
	return () => {
		end();
		abort.abort();
	};
}
