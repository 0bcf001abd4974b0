/**
 * Counts go on over an update of weir. `counters-before-costs.gz` was written by the version that had no costs, by a clock
 * at 1,000,000 ms: five limits of edge `e`, route `r`, each with the key of a request from 192.0.2.1 one below its capacity.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { Counters } from "../../src/limiter/binding.ts";
import { SharedCounts } from "../../src/limiter/counted-limits.ts";
import { NativeLimiters } from "../../src/limiter/limiters.ts";
import { compiled, exchangeOf } from "../policy/support.ts";
import { clockAt, temporaryFolder } from "./support.ts";

const KEYS = 100;
const NOW = 1_000_000;
const WALL = 1_700_000_000_000;

it("limits of the four forms keep what they have counted", () => {
	const path = join(temporaryFolder(), "counters");
	writeFileSync(
		path,
		gunzipSync(readFileSync(join(import.meta.dirname, "counters-before-costs.gz"))),
	);
	const counters = new Counters({ path, owner: true, clock: clockAt(NOW + 1000, 1, WALL + 1000) });
	const limiters = new NativeLimiters({ counters, keysMax: KEYS });
	const capacities = [3, 10, 20, 50, 1000];
	for (const capacity of capacities) {
		const bucket_key = ["req.host", "getReqHeader('X')", "conn.client_ip"];
		const config = { name: "kept", capacity, rate: "60m", bucket_key };
		const document = { inbound: [{ actions: [{ type: "rate-limit", config }] }] };
		const policy = compiled(document, { limiters, edgeId: "e", routeId: "r" });
		const kinds = [1, 2].map(() => policy.inbound(exchangeOf({ clientIp: "192.0.2.1" })).kind);
		// Beyond 61 a block of admissions has one time, so the last may be told to wait.
		expect([capacity, ...kinds.slice(capacity > 61 ? 1 : 0)]).toEqual(
			[capacity, "continue", "limited"].filter((each) => capacity <= 61 || each !== "continue"),
		);
	}
	expect(counters.statistics()).toMatchObject({ limiters: capacities.length, live: 5 });
	const counts = new SharedCounts(counters, () => KEYS);
	const configuration = JSON.stringify([
		...["sliding_window", 3, "1h", ["conn.client_ip", "req.headers['x']", "req.host"], "kept"],
	]);
	const three = { edgeId: "e", routeId: "r", configuration, ordinal: 0 };
	const first = { ...three, capacity: 3, windowMs: 3_600_000 };
	limiters.report();
	expect(counts.look(first, (limit) => limit.totals())).toEqual({
		live: 1,
		admitted: 1,
		rejected: 1,
	});
});
