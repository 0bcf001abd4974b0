/** The supervisor's log says where audit lines, which have a file of their own, are lost. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Config } from "../../../src/config.ts";
import { openSupervisorLog } from "../../../src/process/log/process-log.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { temporaryFolder } from "../../store/folder.ts";

const openTo = (destination: string, audit: string | null, metrics: Metrics) =>
	openSupervisorLog(
		{ log: { destination, level: "error", access: false, audit } } as unknown as Config,
		metrics,
	);

it.runIf(existsSync("/dev/full"))("says once that lines are lost, and counts each", async () => {
	const file = join(temporaryFolder(), "log");
	const metrics = new Metrics();
	const log = openTo(file, "/dev/full", metrics);
	for (let line = 0; line < 3; line++) log.audit({ operation: "putEdge" });
	await log.flush();
	await log.close();
	const lines = readFileSync(file, "utf8").trim().split("\n");
	expect(lines.map((line) => JSON.parse(line))).toMatchObject([
		{ level: "error", file: "/dev/full", lines: 1, msg: "audit lines are lost" },
	]);
	expect(metrics.counter("weir_log_lines_dropped_total").value).toBe(3);
});

it("writes audit lines with the others where they have no file", async () => {
	const file = join(temporaryFolder(), "log");
	const log = openTo(file, null, new Metrics());
	log.audit({ operation: "putEdge" });
	await log.close();
	expect(readFileSync(file, "utf8")).toContain('"putEdge"');
});
