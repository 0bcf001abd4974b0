import { expect, it } from "vitest";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { countProcess } from "../../src/telemetry/process-metrics.ts";

it("tells what this process takes, under its name", async () => {
	const metrics = new Metrics();
	countProcess("worker 7", metrics);
	const read = () => metrics.snapshot();
	const of = (family: string, labels = "") => `weir_${family}{process="worker 7"${labels}}`;
	const first = read();
	expect(first[of("process_resident_bytes")]).toBeGreaterThan(10e6);
	expect(first[of("process_heap_bytes")]).toBeGreaterThan(1e6);
	expect(first[of("process_cpu_seconds_total", ',mode="user"')]).toBeGreaterThan(0);
	const descriptors = first[of("process_open_descriptors")] ?? 1;
	expect(descriptors).toBeGreaterThan(0);
	expect(descriptors).toBeLessThanOrEqual(first[of("process_descriptors_max")] ?? 0);
	for (const statistic of ["median", "p99", "max"])
		expect(
			first[of("event_loop_delay_seconds", `,statistic="${statistic}"`)],
		).toBeGreaterThanOrEqual(0);
	// Garbage until it has been collected.
	const minor = of("gc_runs_total", ',kind="minor"');
	for (const endMs = Date.now() + 5000; read()[minor] === undefined && Date.now() < endMs; ) {
		for (let round = 0; round < 1000; round++) Array.from({ length: 1000 }, () => ({}));
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(read()[minor]).toBeGreaterThan(0);
	expect(read()[of("gc_seconds_total", ',kind="minor"')]).toBeGreaterThan(0);
	expect(read()[of("event_loop_busy_seconds_total")]).toBeGreaterThan(0);
});
