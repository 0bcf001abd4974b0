/** What the page knows, event by event. */
import { expect, it } from "vitest";
import type { LiveOverview, LivePoint, Refusal } from "../../../src/management/live/shapes.ts";
import {
	HISTORY_MS,
	NOTHING_YET,
	REFUSALS_KEPT,
	verdictOf,
	withEvent,
} from "../../../ui/live/state.ts";

const point = (ts: number): LivePoint => ({
	ts,
	requests_per_second: 1,
	errors_per_second: 0,
	refusals_per_second: 0,
	p50_ms: 1,
	p99_ms: 2,
});
const overview = (
	ts: number,
	severities: readonly ("critical" | "warning")[] = [],
): LiveOverview => ({
	...point(ts),
	problems: severities.map((severity, index) => ({
		id: String(index),
		severity,
		sentence: "s",
		since: 0,
	})),
	upstreams: [],
	upstreams_left_out: 0,
	workers: [],
	in_flight: 0,
	store: { revision: 0, edges: 0, routes: 0, policies: 0 },
	started: 0,
});
const refusal = (id: number): Refusal => ({
	id: String(id),
	ts: id,
	request_id: null,
	client_ip: "192.0.2.1",
	edge_id: null,
	route_id: null,
	method: "GET",
	host: "h",
	path: "/",
	status: 404,
	reason: "no_route",
	rule: null,
	limit: null,
	worker: 0,
});

it("a history takes the place of what was there; seconds come once, in order, and leave after 15 minutes", () => {
	const history = { points: [point(1_000), point(2_000)], refusals: [refusal(1)], version: "9" };
	let state = withEvent(NOTHING_YET, { event: "history", value: history });
	state = withEvent(state, { event: "overview", value: overview(2_000) });
	state = withEvent(state, { event: "overview", value: overview(3_000) });
	expect(state.points.map(({ ts }) => ts)).toEqual([1_000, 2_000, 3_000]);
	state = withEvent(state, { event: "overview", value: overview(2_500 + HISTORY_MS) });
	expect(state.points.map(({ ts }) => ts)).toEqual([3_000, 2_500 + HISTORY_MS]);
	expect(state.version).toBe("9");
});

it("refusals come newest first, each once, and only so many are kept", () => {
	const first = { refusals: [refusal(2), refusal(1)], left_out: 0 };
	let state = withEvent(NOTHING_YET, { event: "refusals", value: first });
	state = withEvent(state, {
		event: "refusals",
		value: { refusals: [refusal(3), refusal(2)], left_out: 5 },
	});
	expect(state.refusals.map(({ id }) => id)).toEqual(["3", "2", "1"]);
	expect(state.refusalsLeftOut).toBe(5);
	const many = Array.from({ length: REFUSALS_KEPT + 9 }, (_, index) => refusal(1000 + index));
	state = withEvent(state, { event: "refusals", value: { refusals: many, left_out: 0 } });
	expect(state.refusals).toHaveLength(REFUSALS_KEPT);
});

it("the verdict is the worst problem's", () => {
	const after = (...severities: ("critical" | "warning")[]) =>
		verdictOf(withEvent(NOTHING_YET, { event: "overview", value: overview(1, severities) }));
	expect([verdictOf(NOTHING_YET), after(), after("warning"), after("warning", "critical")]).toEqual(
		[...["unknown", "well", "warning", "critical"]],
	);
});

it("changes are kept, and an end changes nothing", () => {
	const changes = { ts: 1, revision: 2, changes: [], left_out: 0 };
	const state = withEvent(NOTHING_YET, { event: "changes", value: changes });
	expect(state.changes).toBe(changes);
	expect(withEvent(state, { event: "end", value: { reason: "stopping" } })).toBe(state);
});
