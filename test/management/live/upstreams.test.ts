/** Backends: trouble first, then traffic; the worst that a worker says; forgotten when nobody speaks of them. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Upstreams } from "../../../src/management/live/upstreams.ts";
import type { BackendChange } from "../../../src/telemetry/traffic/backend-counts.ts";

const change = (address: string, fields: Partial<BackendChange> = {}): BackendChange => ({
	...{ address, requests: 0, connections: 0, idle: 0, setAsideMs: 0, failures: {} },
	...fields,
});
const NOW = 1_000_000;

it("has those with trouble first", () => {
	const upstreams = new Upstreams();
	upstreams.add(0, [change("http://quiet"), change("http://busy", { requests: 20 })], 1, NOW);
	upstreams.add(
		1,
		[change("http://bad", { requests: 9, failures: { broken: 2, timeout: 1 } })],
		1,
		NOW,
	);
	upstreams.add(0, [change("http://gone", { setAsideMs: 4000 })], 1, NOW);
	upstreams.add(1, [change("http://gone")], 1, NOW);
	const { shown, leftOut } = upstreams.list(NOW + 500);
	expect(leftOut).toBe(0);
	expect(shown.map(({ address, state }) => [address, state])).toEqual([
		...[
			["http://gone", "set_aside"],
			["http://bad", "failing"],
		],
		...[
			["http://busy", "up"],
			["http://quiet", "up"],
		],
	]);
	expect(shown[0]?.set_aside_ms).toBe(3500);
	expect(shown[1]).toMatchObject({ requests: 9, failures: 3, failures_per_second: 3 });
	expect(upstreams.list(NOW + LIMITS.liveUpstreamMs + 1).shown).toEqual([]);
});

it("says how many are left out", () => {
	const upstreams = new Upstreams();
	const many = Array.from({ length: LIMITS.liveUpstreams + 5 }, (_, n) => change(`http://${n}`));
	upstreams.add(0, many, 1, NOW);
	expect(upstreams.list(NOW).leftOut).toBe(5);
});
