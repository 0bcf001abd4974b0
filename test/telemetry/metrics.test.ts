import { expect, it } from "vitest";
import { Metrics, series } from "../../src/telemetry/metrics.ts";

it("counts from nothing", () => {
	const metrics = new Metrics();
	metrics.add("weir_client_aborts_total");
	metrics.add("weir_client_aborts_total", 2);
	metrics.set("weir_workers", 4);
	expect(metrics.snapshot()).toEqual({ weir_client_aborts_total: 3, weir_workers: 4 });
	expect(series("weir_client_aborts_total", {})).toBe("weir_client_aborts_total");
});

it("a counter held by who counts is the same as its name, and appears with its first count", () => {
	const metrics = new Metrics();
	const counter = metrics.counter("weir_client_aborts_total");
	expect(metrics.snapshot()).toEqual({});
	counter.value++;
	metrics.add("weir_client_aborts_total", 2);
	expect(metrics.counter("weir_client_aborts_total")).toBe(counter);
	expect(metrics.snapshot()).toEqual({ weir_client_aborts_total: 3 });
});

it("a gauge is read when it is asked for", () => {
	const metrics = new Metrics();
	let workers = 1;
	metrics.gauge("weir_workers", () => workers);
	workers = 0;
	expect(metrics.snapshot()).toEqual({ weir_workers: 0 });
});

it("reads series together when a snapshot is taken", () => {
	const metrics = new Metrics();
	let reads = 0;
	metrics.source(() => ({ weir_workers: ++reads, weir_routes: 7 }));
	expect(metrics.snapshot()).toEqual({ weir_workers: 1, weir_routes: 7 });
	expect(metrics.snapshot()).toEqual({ weir_workers: 2, weir_routes: 7 });
});
