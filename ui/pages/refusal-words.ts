/** Refusals in words, and which of them a search finds. Used by refusals.tsx. */
import type { Refusal, RefusalReason } from "../../src/management/live/shapes.ts";

export const REASONS: Readonly<Record<RefusalReason, string>> = {
	deny: "denied",
	rate_limit: "rate-limited",
	address: "address refused",
	credentials: "credentials missing or wrong",
	close: "connection closed",
	respond: "answered by a rule",
	policy_failed: "policy failed",
	no_route: "no route",
	cut_off: "no current configuration",
	loop: "loop",
	bad_request: "malformed request",
};

/** `rule 2 “login”, limit “tries”`; empty where no rule decided */
export function ruleOf({ rule, limit }: Pick<Refusal, "rule" | "limit">): string {
	const named = limit === null || limit === "" ? "" : `limit “${limit}”`;
	if (rule === null) return named;
	const name = rule.name === "" ? "" : ` “${rule.name}”`;
	const phase = rule.phase === "outbound" ? "outbound " : "";
	return `${phase}rule ${rule.index + 1}${name}${named === "" ? "" : `, ${named}`}`;
}

/** Each word of the search is somewhere in it, in whatever case. */
export function found(refusal: Refusal, search: string): boolean {
	const words = search.split(/\s+/).filter((word) => word !== "");
	if (words.length === 0) return true;
	const { client_ip, method, host, path, edge_id, route_id, reason, status, request_id } = refusal;
	const text = [
		...[client_ip, method, host + path, `${edge_id}/${route_id}`, String(status), request_id ?? ""],
		...[REASONS[reason], reason, ruleOf(refusal)],
	].join("\n");
	const folded = text.toLocaleLowerCase("en");
	return words.every((word) => folded.includes(word.toLocaleLowerCase("en")));
}
