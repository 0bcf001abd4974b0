/** The logs of a worker on real files: access lines apart from the others, at any level, through rotation and reloads. */
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { WorkerLogs } from "../../../src/process/worker/worker-logs.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { logSettings } from "../../observing.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { lineSaying } from "../../telemetry/encoded.ts";

const messages = (file: string): string[] =>
	readFileSync(file, "utf8")
		.trim()
		.split("\n")
		.map((line) => (line.startsWith("{") ? (JSON.parse(line) as { msg: string }).msg : line));

it("has access lines in their file whatever the level of the others, and opens both again", async () => {
	const folder = temporaryFolder();
	const [main, access] = [join(folder, "log"), join(folder, "access")];
	const settings = logSettings({
		...{ destination: main, level: "error" },
		...{ access: true, accessDestination: access },
	});
	const logs = new WorkerLogs(settings, new Metrics());
	logs.log.info({}, "too low");
	logs.log.error({}, "an error");
	logs.access.encoded(lineSaying("request"));
	logs.access.line("text");
	await vi.waitFor(() =>
		expect([messages(main), messages(access)]).toEqual([["an error"], ["request", "text"]]),
	);

	for (const file of [main, access]) renameSync(file, `${file}.1`);
	logs.reopen();
	logs.log.error({}, "later");
	logs.access.encoded(lineSaying("later"));
	await vi.waitFor(() =>
		expect([messages(main), messages(access)]).toEqual([["later"], ["later"]]),
	);

	const moved = join(folder, "moved");
	logs.settle({ ...settings, level: "info", accessDestination: moved });
	logs.log.info({}, "now");
	logs.access.encoded(lineSaying("there"));
	await vi.waitFor(() =>
		expect([messages(main), messages(moved)]).toEqual([["later", "now"], ["there"]]),
	);
	logs.settle({ ...settings, level: "info", access: false });
	logs.access.encoded(lineSaying("among the others"));
	await vi.waitFor(() => expect(messages(main)).toEqual(["later", "now", "among the others"]));
});

it("says where the access file can't be opened again, and goes on with the one that it has", async () => {
	const folder = temporaryFolder();
	const [main, access] = [join(folder, "log"), join(folder, "access")];
	const settings = logSettings({ destination: main, access: true, accessDestination: access });
	const logs = new WorkerLogs(settings, new Metrics());
	rmSync(access);
	mkdirSync(access);
	logs.reopen();
	await vi.waitFor(() => expect(messages(main)).toEqual(["log file not opened again"]));
	logs.access.encoded(lineSaying("to nowhere"));
	await logs.close();
});
