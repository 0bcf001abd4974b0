/** A replay's report for people. Called by process/commands/replay-command.ts. */
import type { ReplayReport, Sample } from "../../replay/shapes.ts";
import { type Paint, printable } from "../explain/paint.ts";

type Counts = Pick<ReplayReport["rules"][number], "now_blocked" | "now_passed" | "changed">;
type Came = Sample["before"];

const number = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
const counted = (count: number, what: string): string =>
	`${number(count)} ${what}${count === 1 ? "" : "s"}`;

export function renderedReplay(report: ReplayReport, paint: Paint): string {
	const { requests, rules, routes, clients, paths } = report;
	const sections = [
		headline(report, paint),
		sums(report, paint),
		table(
			"by rule",
			rules.map((row) => [ruleText(row), row] as const),
			paint,
		),
		table(
			"by route",
			routes.map((row) => [routeText(row), row] as const),
			paint,
		),
		table(
			"by client",
			clients.map((row) => [row.client_ip || "unknown", row] as const),
			paint,
		),
		table(
			"by path",
			paths.map((row) => [row.path, row] as const),
			paint,
		),
		samples(report, paint),
		lacks(report, paint),
		remarks(report, paint),
	];
	const verdict =
		requests.now_blocked + requests.now_passed + requests.changed === 0
			? paint.good("Nothing differs.\n")
			: "";
	return sections.filter((text) => text !== "").join("\n") + (verdict && `\n${verdict}`);
}

function headline(
	{ from, until, compared_with, lines, complete }: ReplayReport,
	paint: Paint,
): string {
	const base = compared_with === "log" ? "what the log says" : "the policy of --against";
	const time = from === null ? "" : `, ${from} to ${until}`;
	const partial = complete
		? ""
		: `${paint.bad("Ended early: this is about the lines up to here.")}\n`;
	return `${partial}${paint.strong(`${counted(lines.requests, "request")}${time}`)}\nThe new policy beside ${base}:\n`;
}

function sums({ requests, agreement }: ReplayReport, paint: Paint): string {
	const all =
		requests.same +
		requests.now_blocked +
		requests.now_passed +
		requests.changed +
		requests.unknown;
	const row = (label: string, count: number, painted: (text: string) => string = plain): string => {
		const share = all === 0 ? "" : `${((count * 100) / all).toFixed(2)} %`;
		const text = `  ${label.padEnd(19)}${number(count).padStart(13)}${share.padStart(11)}`;
		return `${count === 0 ? text : painted(text)}\n`;
	};
	const plain = (text: string): string => text;
	const unsure =
		requests.uncertain === 0
			? ""
			: paint.faint(
					`  ${number(requests.uncertain)} of those that differ depend on what their lines lack (below)\n`,
				);
	const agreed =
		agreement === null ? 0 : (agreement.same * 100) / (agreement.same + agreement.other);
	const trust =
		agreement === null
			? ""
			: `  the old policy, simulated, agrees with the log on ${agreed.toFixed(2)} % of the requests\n`;
	return [
		row("same", requests.same),
		row("now blocked", requests.now_blocked, paint.bad),
		row("now passed", requests.now_passed, paint.good),
		row("changed otherwise", requests.changed, paint.strong),
		requests.unknown === 0 ? "" : row("can't be told", requests.unknown, paint.faint),
		unsure,
		...(differs(requests) || agreement?.other ? [trust] : []),
	].join("");
}

const differs = ({ now_blocked, now_passed, changed }: Counts): boolean =>
	now_blocked + now_passed + changed > 0;

const COLUMN = 12;
const WIDEST = 60;

function table(title: string, rows: readonly (readonly [string, Counts])[], paint: Paint): string {
	if (rows.length === 0) return "";
	const texts = rows.map(([text]) => cut(printable(text)));
	const width = Math.max(title.length, ...texts.map((text) => text.length));
	const head = ["blocked", "passed", "otherwise"].map((text) => text.padStart(COLUMN)).join("");
	const body = rows.map(([, { now_blocked, now_passed, changed }], at) => {
		const columns = [now_blocked, now_passed, changed];
		const cells = columns.map((count) => (count === 0 ? "-" : number(count)).padStart(COLUMN));
		return `  ${(texts[at] ?? "").padEnd(width)}${cells.join("")}\n`;
	});
	return `${paint.strong(`${title.padEnd(width + 2)}${head}`)}\n${body.join("")}`;
}

const cut = (text: string): string =>
	text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;

function ruleText({
	of,
	phase,
	rule,
	rule_name,
	rate_limit,
}: ReplayReport["rules"][number]): string {
	const name = rule_name === "" ? "" : ` "${rule_name}"`;
	const limit = rate_limit === null ? "" : `, limit "${rate_limit}"`;
	return phase.startsWith("(") ? phase : `${of}: ${phase} rule ${rule}${name}${limit}`;
}

const routeText = ({ edge_id, route_id }: ReplayReport["routes"][number]): string =>
	edge_id === route_id && edge_id.startsWith("(") ? edge_id : `${edge_id}/${route_id}`;

const WORDS: Readonly<Record<Sample["difference"], string>> = {
	now_blocked: "now blocked",
	now_passed: "now passed",
	changed: "changed",
};

function samples({ samples: all }: ReplayReport, paint: Paint): string {
	if (all.length === 0) return "";
	const told = all.map((each) => {
		const { file, line, method, host, path, client_ip: client, difference, uncertain } = each;
		const asked = printable(`${method} ${host}${path} from ${client || "an unknown address"}`);
		const unsure = uncertain ? paint.faint(" (the line lacks something)") : "";
		return [
			`  ${printable(file)}:${line}: ${WORDS[difference]}: ${asked}${unsure}\n`,
			`      ${cameText(each.before)} → ${cameText(each.after)}\n`,
		].join("");
	});
	return `${paint.strong("first of each kind")}\n${told.join("")}`;
}

function cameText({ outcome, status, phase, rule, rule_name, rate_limit }: Came): string {
	const code = status === 0 ? "" : ` ${status}`;
	if (outcome === "unknown") return `answered${code}`;
	if (rule === null) return `${outcome}${code}`;
	const name = rule_name === "" ? "" : ` "${rule_name}"`;
	const limit = rate_limit === null ? "" : `, limit "${rate_limit}"`;
	return printable(`${outcome}${code} (${phase ?? "inbound"} rule ${rule}${name}${limit})`);
}

function lacks({ lacks: all }: ReplayReport, paint: Paint): string {
	if (all.length === 0) return "";
	const width = Math.max(...all.map(({ what }) => what.length));
	const told = all.map(
		({ what, lines, effect }) =>
			`  ${printable(what).padEnd(width)}  ${counted(lines, "line")}. ${printable(effect)}\n`,
	);
	return `${paint.strong("what the log lacks and policies read")}\n${told.join("")}`;
}

function remarks(report: ReplayReport, paint: Paint): string {
	const { lines, keys_forgotten, requests } = report;
	const { first_bad: bad } = lines;
	const first = bad === null ? "" : ` (the first is ${bad.file}:${bad.line}: ${bad.why})`;
	const told: readonly (readonly [count: number, what: string, more?: string])[] = [
		[lines.bad, "lines that can't be read", first],
		[lines.refused, "lines of requests that were refused while they were read"],
		[lines.before_policies, "lines of requests that came to no policy: no route, or a loop"],
		[lines.other_routes, "lines of other routes"],
		[
			lines.sampled,
			"lines that stand for several requests (log.access_sample), of which limits saw one",
		],
		[lines.late, "lines that came too late to be put into the order in which requests began"],
		[
			requests.unknown,
			"requests that can't be judged: the log has no backend's response for them, or not who answered",
		],
		[keys_forgotten, "keys that rate-limits forgot, as the server would have (counters.keys_max)"],
	];
	const sentences = told
		.filter(([count]) => count > 0)
		.map(([count, what, more = ""]) => `  ${what}: ${number(count)}${printable(more)}\n`);
	return sentences.length === 0 ? "" : `${paint.strong("besides")}\n${sentences.join("")}`;
}
