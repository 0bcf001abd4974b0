/** Collections are counted alike by the addon and by what Node tells of them. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { addon } from "../../src/native-addon.ts";
import { countCollections } from "../../src/telemetry/collections.ts";
import { Metrics, type MetricsSnapshot } from "../../src/telemetry/metrics.ts";
import { until } from "../edge/manual-evaluator.ts";

const NAME = "worker 7";
const KINDS = ["minor", "major"] as const;
const of = (snapshot: MetricsSnapshot, what: "runs" | "seconds", kind: (typeof KINDS)[number]) =>
	snapshot[`weir_gc_${what}_total{process="${NAME}",kind="${kind}"}`] ?? 0;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;

it("the addon counts as many as Node tells of, and about as long ones", async () => {
	const [native, node] = [new Metrics(), new Metrics()];
	countCollections(NAME, node, "uncounted");
	const counts = addon.countCollections();
	expect(counts).toBeInstanceOf(ArrayBuffer);
	expect(addon.countCollections()).toBe(counts);
	countCollections(NAME, native, counts);
	const before = native.snapshot();
	const counted = (what: "runs" | "seconds", kind: (typeof KINDS)[number]) =>
		of(native.snapshot(), what, kind) - of(before, what, kind);
	for (let each = 0; each < 20; each++) collect({ type: "minor" });
	for (let each = 0; each < 3; each++) collect();
	expect(counted("runs", "minor")).toBeGreaterThanOrEqual(20);
	expect(counted("runs", "major")).toBeGreaterThanOrEqual(3);
	for (const kind of KINDS) {
		const [runs, seconds] = [counted("runs", kind), counted("seconds", kind)];
		await until(() => of(node.snapshot(), "runs", kind) >= runs);
		// Others may have come since.
		expect(of(node.snapshot(), "seconds", kind)).toBeGreaterThan(seconds / 2);
		expect(seconds).toBeGreaterThan(0);
	}
});

it("nothing is told of what there was none of", () => {
	const metrics = new Metrics();
	countCollections(NAME, metrics, new ArrayBuffer(80));
	expect(metrics.snapshot()).toEqual({});
});
