/** A listener without a front is counted by its side and named in the log; closed clients are counted by their reason. */
import { expect, it } from "vitest";
import type { Front } from "../../src/http/front.ts";
import { countClosed, reportMissingFront } from "../../src/http/front-telemetry.ts";
import { type Counter, Metrics } from "../../src/telemetry/metrics.ts";

it("says which listener has none", () => {
	const metrics = new Metrics();
	const lines: unknown[] = [];
	const warn = (fields: object, message: string): void => void lines.push([fields, message]);
	reportMissingFront("management", "h port 1", metrics, { warn });
	reportMissingFront("data", "h port 2", metrics, { warn });
	expect(lines[0]).toEqual([
		{ side: "management", listener: "h port 1" },
		expect.stringContaining("the front is not available"),
	]);
	expect(metrics.snapshot()).toEqual({
		'weir_front_missing_total{side="management"}': 1,
		'weir_front_missing_total{side="data"}': 1,
	});
});

it("counts those that said nothing apart from those that read nothing", () => {
	const metrics = new Metrics();
	const countInto = (silent: Counter, unread: Counter): void => {
		silent.value += 2;
		unread.value += 3;
	};
	countClosed({ countInto } as unknown as Front, metrics);
	expect(metrics.snapshot()).toEqual({
		'weir_clients_silent_total{reason="silent"}': 2,
		'weir_clients_silent_total{reason="unread"}': 3,
	});
});
