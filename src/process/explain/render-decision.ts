/** Why a request was refused, in sentences. Called by `commands/why-command.ts`. */
import type { Refusal } from "../../management/live/shapes.ts";
import { type Paint, printable } from "./paint.ts";

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

export function renderedDecision(refusal: Refusal, paint: Paint): string {
	const { method, host, path, client_ip: from, ts, status, reason, rule, limit } = refusal;
	const { edge_id: edge, route_id: route } = refusal;
	const what = status === 0 ? "It got no answer" : `It was answered with ${status}`;
	const lines = [
		paint.strong(printable(`${method} ${host}${path}`)),
		paint.faint(`  from ${from || "an unknown address"}, ${new Date(ts).toISOString()}`),
		`  ${paint.bad(what)}: ${REASONS[reason]}.`,
		...(edge === null || route === null ? [] : [`  Route: ${edge}/${route}`]),
		...(rule === null
			? []
			: [
					`  Rule: ${rule.phase} ${rule.index}${rule.name === "" ? "" : ` "${printable(rule.name)}"`}`,
				]),
		...(limit === null ? [] : [`  Rate-limit: "${printable(limit)}"`]),
	];
	return `${lines.join("\n")}\n`;
}
