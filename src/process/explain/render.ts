/** An explanation as a person reads it, from top to bottom: request, route, rules, backend, answer. */
import type { Explanation, PhaseExplanation } from "../../explain/shapes.ts";
import { type Paint, printable } from "./paint.ts";
import { ruleLines } from "./render-rules.ts";

/** characters of an answer's content that are shown */
const CONTENT = 400;

export function rendered(told: Explanation, notes: readonly string[], paint: Paint): string {
	const { request, now } = told;
	const lines = [
		paint.strong(printable(`${request.method} ${request.url}`)),
		paint.faint(`  from ${request.client_ip}, at the listener ${request.listener}, ${now}`),
		...[...notes, ...told.notes].map((note) => `  note: ${printable(note)}`),
		"",
		...routeLines(told, paint),
		...phaseLines("Inbound", told.inbound, paint),
		...upstreamLines(told, paint),
		...(told.outbound.outcome === "not_run" && told.answer === null
			? []
			: phaseLines("Outbound", told.outbound, paint)),
		...answerLines(told, paint),
	];
	return `${lines.join("\n")}\n`;
}

function routeLines({ route, near, policy }: Explanation, paint: Paint): readonly string[] {
	const others = near.map(
		({ edge_id, route_id, match, why_not }) =>
			`  ${paint.faint(`not ${edge_id}${route_id === null ? "" : `/${route_id}`} (${printable(match)}): ${printable(why_not)}`)}`,
	);
	const policies = {
		none: "no policy: everything passes",
		given: "the policy that you gave",
		stored: `the stored policy ${policy.etag ?? ""}`,
	};
	const off = policy.source !== "none" && !policy.enabled ? ", which is off (enabled: false)" : "";
	if (route === null)
		return [
			`${paint.strong("Route")}  ${paint.bad("none takes this host and path")}`,
			...others,
			"",
		];
	return [
		`${paint.strong("Route")}  ${route.edge_id}/${route.route_id}`,
		`  ${printable(route.why)}`,
		...others,
		`  ${policies[policy.source]}${off}`,
		"",
	];
}

function phaseLines(name: string, phase: PhaseExplanation, paint: Paint): readonly string[] {
	const { outcome, reason, rules } = phase;
	const isQuiet = outcome === "continue" || outcome === "not_run";
	const what = outcome === "not_run" ? "not run" : outcome;
	const title = `${paint.strong(name)}  ${isQuiet ? what : paint.bad(what)}  ${paint.faint(printable(reason))}`;
	return [title, ...ruleLines(rules, paint), ""];
}

function upstreamLines({ upstream }: Explanation, paint: Paint): readonly string[] {
	if (upstream === null) return [];
	const { urls, method, target, headers } = upstream;
	return [
		`${paint.strong("To the backend")}  ${urls.map(printable).join(", ")}`,
		`  ${printable(`${method} ${target}`)}`,
		...headers.map(
			([name, value]) => `  ${paint.faint(`${printable(name)}:`)} ${printable(value)}`,
		),
		"",
	];
}

function answerLines({ answer, upstream }: Explanation, paint: Paint): readonly string[] {
	const title = paint.strong("Answer");
	if (answer === null)
		return [`${title}  ${upstream === null ? "none" : "whatever the backend answers"}`];
	if (answer.by === "closed") return [`${title}  ${paint.bad("none: the connection is closed")}`];
	const status =
		answer.status < 400 ? paint.good(`${answer.status}`) : paint.bad(`${answer.status}`);
	const content = answer.content ?? "";
	return [
		`${title}  ${status}  ${paint.faint(`by ${answer.by}`)}`,
		...answer.headers.map(
			([name, value]) => `  ${paint.faint(`${printable(name)}:`)} ${printable(value)}`,
		),
		...(content === ""
			? []
			: [`  ${printable(content.length > CONTENT ? `${content.slice(0, CONTENT)}…` : content)}`]),
	];
}
