/**
 * Why a request was refused, in sentences, and the explanation of one that brought a token. Called by
 * `commands/why-command.ts` and `commands/explain-live.ts`.
 */
import type { Decision, Refusal } from "../../management/live/shapes.ts";
import { type Paint, printable } from "./paint.ts";
import { rendered } from "./render.ts";

/** Behind "It was answered with 403: ". */
const REASONS: Readonly<Record<Refusal["reason"], string>> = {
	deny: "a rule denied it",
	rate_limit: "a rate-limit was over",
	address: "its address is refused",
	credentials: "its credentials were missing or wrong",
	close: "a rule closed the connection",
	respond: "a rule answered it",
	policy_failed: "an expression of the policy failed",
	no_route: "no route takes its host and path",
	cut_off: "this machine had been cut off from its fleet for too long",
	loop: "it had passed weir too often",
	bad_request: "it is malformed, so nobody looked for a route",
};

export function renderedDecision(decision: Decision, paint: Paint): string {
	const { method, host, path, client_ip: from, ts, status, reason, rule, limit } = decision;
	const { edge_id: edge, route_id: route } = decision;
	const got = status === 0 ? "It got no answer" : `It was answered with ${status}`;
	const what = reason === null ? paint.good(got) : paint.bad(got);
	const why = reason === null ? "it was not refused" : REASONS[reason];
	const lines = [
		paint.strong(printable(`${method} ${host}${path}`)),
		paint.faint(`  from ${from || "an unknown address"}, ${new Date(ts).toISOString()}`),
		`  ${what}: ${why}.`,
		...(edge === null || route === null ? [] : [`  Route: ${edge}/${route}`]),
		...(rule === null
			? []
			: [
					`  Rule: ${rule.phase} ${rule.index}${rule.name === "" ? "" : ` "${printable(rule.name)}"`}`,
				]),
		...(limit === null ? [] : [`  Rate-limit: "${printable(limit)}"`]),
	];
	return `${lines.join("\n")}\n${explained(decision, paint)}`;
}

function explained({ explained: told }: Decision, paint: Paint): string {
	if (told === null) return "";
	const { explanation, agrees, problem } = told;
	if (explanation === null) return `  ${printable(problem ?? "It was not explained.")}\n`;
	const warning = agrees === true ? "" : `  ${paint.bad(DISAGREES)}\n`;
	return `${warning}\n${rendered(explanation, [], paint)}`;
}

const DISAGREES =
	"What follows does not say what happened: something has changed since, or weir has a bug.";
