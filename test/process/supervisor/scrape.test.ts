import { expect, it } from "vitest";
import { LimitMetrics } from "../../../src/process/supervisor/limit-metrics.ts";
import { MetricsLedger } from "../../../src/process/supervisor/metrics-ledger.ts";
import { Scrape } from "../../../src/process/supervisor/scrape.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { trafficMetrics } from "../../../src/telemetry/traffic/traffic-series.ts";
import { WorkerTraffic } from "../../../src/telemetry/traffic/worker-traffic.ts";

function supervisor(isHeir: boolean) {
	const metrics = new Metrics();
	const ledger = new MetricsLedger(() => 10);
	const counts = async () => [ledger.total];
	const scrape = new Scrape({
		metrics,
		settings: { certificates: [] },
		others: [{ metrics: () => ({ weir_edges: 1 }) }],
		limits: new LimitMetrics({ policy: () => undefined }),
		counts: () => undefined,
		workers: {
			ledger,
			counts,
			metrics: async () => [...(await counts()), trafficMetrics(ledger.traffic, 0)],
		},
		isHeir,
	});
	const request = (): void => {
		const traffic = new WorkerTraffic();
		traffic.routes.count({ edgeId: "e", routeId: "r", row: -1 }, 200, false, 0);
		ledger.traffic.add(traffic, traffic.take());
		metrics.add("weir_loops_total");
	};
	return { scrape, request };
}

it("tells what all have counted, and goes on with what the weir before has, once it is known", async () => {
	const [before, after] = [supervisor(false), supervisor(true)];
	for (let request = 0; request < 3; request++) before.request();
	expect(await before.scrape.text("prometheus")).toContain("\nweir_edges 1\n");
	let text = "";
	const asked = after.scrape.text("prometheus").then((told) => {
		text = told;
	});
	after.request();
	const handed = await before.scrape.handOver();
	before.request();
	expect(text).toBe("");
	after.scrape.resume(handed);
	await asked;
	const requests = 'weir_route_requests_total{edge="e",route="r",class="2xx"}';
	expect(text).toContain("\nweir_loops_total 4\n");
	expect(text).toContain(`\n${requests} 4\n`);
	after.scrape.resume(await before.scrape.since());
	text = await after.scrape.text("prometheus");
	expect(text).toContain("\nweir_loops_total 5\n");
	expect(text).toContain(`\n${requests} 5\n`);
});
