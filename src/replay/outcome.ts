/** What a request came to, by the log or by a policy, and how two of these differ. Used by `simulation.ts` and `replay.ts`. */
import { POLICY_ENDS } from "../policy/outcomes.ts";
import type { LogEntry } from "./log-entry.ts";

type PolicyEnd = (typeof POLICY_ENDS)[number];

export interface Came {
	/** `passed`: to a backend; `unknown`: nobody tells who answered */
	readonly kind: PolicyEnd | "passed" | "unknown";
	/** 0: none was sent, or nobody knows */
	readonly status: number;
	/** of the rule that ended it */
	readonly phase: string | undefined;
	readonly rule: number | undefined;
	readonly ruleName: string;
	readonly limit: string | undefined;
	/** false: outbound rules were to see a response that the log does not hold */
	readonly isWhole: boolean;
	/** what goes to the backend and to the client, as far as policies have changed it; of the log nobody knows */
	readonly request: string | undefined;
	readonly answer: string | undefined;
}

export type Verdict = "same" | "now_blocked" | "now_passed" | "changed" | "unknown";

/** The request got no further, or an error in place of an answer. */
const isBlocked = ({ kind, status }: Came): boolean => {
	if (kind === "passed" || kind === "preflight" || kind === "unknown") return false;
	return kind !== "respond" || status >= 400;
};

/** @returns undefined if no policy was asked about this request */
export function cameOf(entry: LogEntry): Came | undefined {
	const { outcome, errorCode, form } = entry;
	if (form === "combined") return logged(entry, "unknown");
	const end = POLICY_ENDS.find((each) => each === outcome);
	if (end !== undefined) return logged(entry, end);
	if (outcome === "edge" && BEFORE_POLICIES.has(errorCode ?? "")) return undefined;
	return logged(entry, "passed");
}

/** Not spread: an object that is takes ten times as long to make. */
const logged = ({ status, phase, rule, ruleName, limit }: LogEntry, kind: Came["kind"]): Came => ({
	kind,
	status,
	phase,
	rule,
	ruleName,
	limit,
	isWhole: true,
	request: undefined,
	answer: undefined,
});

/** Weir answered with these before any policy was asked. */
const BEFORE_POLICIES: ReadonlySet<string> = new Set([
	"ERR_NO_ROUTE",
	"ERR_LOOP_DETECTED",
	"ERR_FLEET_CUT_OFF",
]);

/** Statuses of which nobody can tell whether a backend or a policy sent them. */
const AMBIGUOUS: ReadonlySet<number> = new Set([401, 403, 429]);

export function verdictOf(before: Came, after: Came): Verdict {
	if (before.kind === "unknown") return ofStatus(before, after);
	const [wasBlocked, isNow] = [isBlocked(before), isBlocked(after)];
	if (!wasBlocked && isNow) return before.isWhole ? "now_blocked" : "unknown";
	if (wasBlocked && !isNow) {
		const sawResponse = before.phase === "outbound" && after.kind === "passed";
		return sawResponse && !after.isWhole ? "unknown" : "now_passed";
	}
	if (before.kind !== after.kind) {
		const isOpen = !before.isWhole || !after.isWhole;
		return isOpen && (before.phase ?? after.phase) === "outbound" ? "unknown" : "changed";
	}
	if (differ(before.request, after.request)) return "changed";
	if (before.kind === "passed" && !(before.isWhole && after.isWhole))
		return before.isWhole === after.isWhole ? "unknown" : "same";
	if (before.kind !== "passed" && before.status !== after.status) return "changed";
	return differ(before.answer, after.answer) ? "changed" : "same";
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
	one !== undefined && other !== undefined && one !== other;

function ofStatus({ status }: Came, after: Came): Verdict {
	if (after.kind === "passed") return AMBIGUOUS.has(status) ? "unknown" : "same";
	if (after.status === status) return "same";
	return isBlocked(after) ? "now_blocked" : "changed";
}
