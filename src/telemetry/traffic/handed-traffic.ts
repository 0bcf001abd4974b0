/**
 * What a weir hands over of its traffic to another one that takes over from it: the series of routes, rules and backends,
 * and durations go on there. As numbers by name, so that what has come since is a difference, as it is of metrics. Another
 * version may be at the other end: what that one does not know it leaves out. Used by `process/supervisor/scrape.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { ROUTE_COUNTS } from "./route-rows.ts";
import type { RuleChange } from "./rule-counts.ts";
import type { TrafficTotals } from "./traffic-totals.ts";
import type { DurationKind } from "./worker-traffic.ts";

/** By name: what is counted, and whose it is, a line each; only the last of them can hold a line break. */
export type HandedTraffic = Readonly<Record<string, number>>;

const NO_COUNTS = ROUTE_COUNTS.map(() => 0);

/**
 * All that `/metrics` tells of it, durations first, rules last.
 * @param charactersMax of all names; what comes beyond is left out, and begins anew
 */
export function handedTraffic(
	totals: TrafficTotals,
	charactersMax: number = LIMITS.handedTrafficCharacters,
): HandedTraffic {
	const handed: Record<string, number> = {};
	let left = charactersMax;
	for (const [parts, value] of numbersOf(totals)) {
		if (value === 0) continue;
		const name = parts.join("\n");
		left -= name.length;
		if (left < 0) break;
		handed[name] = value;
	}
	return handed;
}

type Numbers = Generator<readonly [name: readonly (string | number)[], value: number]>;

function* numbersOf(totals: TrafficTotals): Numbers {
	for (const [kind, { counts, nanoseconds }] of Object.entries(totals.durations)) {
		yield [["duration_nanoseconds", kind], nanoseconds];
		for (const [bucket, count] of counts.entries()) yield [["durations", kind, bucket], count];
	}
	for (const { address, requests, failures } of totals.backends()) {
		yield [["backend_requests", address], requests];
		for (const [reason, count] of Object.entries(failures))
			yield [["backend_failures", reason, address], count];
	}
	const routes = [...totals.shown.routes()];
	for (const { edge, route, counts, seconds, busy } of routes) {
		for (const [at, each] of ROUTE_COUNTS.entries())
			yield [["requests", edge, route, each], counts[at] ?? 0];
		yield [["seconds", edge, route], seconds];
		yield [["busy", edge, route], busy];
	}
	for (const { rules } of routes)
		for (const { edge, route, phase, rule, name, matched, refused } of rules.values()) {
			yield [["matches", edge, route, phase, rule, name], matched];
			yield [["refusals", edge, route, phase, rule, name], refused];
		}
}

/** Adds what another weir has handed over; may be called again with what that one has counted since. */
export function resumeTraffic(totals: TrafficTotals, handed: HandedTraffic): void {
	for (const [name, value] of Object.entries(handed)) {
		const [what = "", ...of] = name.split("\n");
		if (what === "matches" || what === "refusals") resumeRule(totals, what, of, value);
		else if (what.startsWith("backend_")) resumeBackend(totals, what, of, value);
		else if (what.startsWith("duration")) resumeDuration(totals, of, value);
		else resumeRoute(totals, what, of, value);
	}
}

function resumeDuration({ durations }: TrafficTotals, [kind, bucket]: string[], value: number) {
	const histogram = durations[kind as DurationKind] as (typeof durations)[DurationKind] | undefined;
	if (bucket === undefined) histogram?.lasted(value);
	else histogram?.add({ seconds: 0, counts: [Number(bucket), value] });
}

function resumeBackend(totals: TrafficTotals, what: string, of: string[], value: number) {
	const [first = "", second = ""] = of;
	if (what === "backend_requests")
		totals.resumeBackend({ address: first, requests: value, failures: {} });
	else totals.resumeBackend({ address: second, requests: 0, failures: { [first]: value } });
}

function resumeRoute({ shown }: TrafficTotals, what: string, of: string[], value: number) {
	const [edge = "", route = "", each] = of;
	const counts = ROUTE_COUNTS.map((name) => (name === each ? value : 0));
	if (what === "requests") shown.resume({ edge, route, counts, seconds: 0 }, 0);
	else if (what === "seconds") shown.resume({ edge, route, counts: NO_COUNTS, seconds: value }, 0);
	else if (what === "busy") shown.resume({ edge, route, counts: NO_COUNTS, seconds: 0 }, value);
}

function resumeRule({ shown }: TrafficTotals, what: string, of: string[], value: number) {
	const [edge = "", route = "", phase, rule, ...name] = of;
	shown.countRule({
		...{ edge, route, phase: phase as RuleChange["phase"], rule: Number(rule) },
		name: name.join("\n"),
		matched: what === "matches" ? value : 0,
		refused: what === "refusals" ? value : 0,
	});
}
