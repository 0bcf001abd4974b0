import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../src/telemetry/log.ts";

let folder = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-log-"));
});
afterEach(() => {
	rmSync(folder, { recursive: true });
});

function renameOrNot(from: string, to: string): void {
	if (existsSync(from)) renameSync(from, to);
}

const linesOf = (file: string): Record<string, unknown>[] =>
	readFileSync(file, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as Record<string, unknown>);

describe("openLog", () => {
	it("writes one JSON object per line, in order, with level, time, message and fields", async () => {
		const file = join(folder, "log");
		const log = openLog({ destination: file, level: "info" }, () => {});
		const quiet = openLog({ destination: file, level: "error" }, () => {});
		quiet.info({}, "not at this level");
		await quiet.close();
		for (let index = 0; index < 1000; index++) log.info({ index, text: 'a"\n\u2028é' }, "request");
		log.error({ err: new Error("broken") }, "failed");
		await log.flush();
		const lines = linesOf(file);
		expect(lines.length).toBe(1001);
		expect(lines[7]).toMatchObject({
			level: "info",
			msg: "request",
			index: 7,
			text: 'a"\n\u2028é',
			time: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		expect(lines.slice(0, 1000).map(({ index }) => index)).toEqual(
			Array.from({ length: 1000 }, (_, index) => index),
		);
		expect(lines[1000]).toMatchObject({ level: "error", err: { message: "broken" } });
	});

	it.each(["trace", "info", "error", "silent"])("writes audit lines at level %s", async (level) => {
		const file = join(folder, "log");
		const log = openLog({ destination: file, level }, () => {});
		log.audit({ operation: "putEdge" });
		await log.close();
		expect(linesOf(file)).toMatchObject([{ level: "info", msg: "audit", operation: "putEdge" }]);
	});

	it("drops and counts what doesn't fit the buffer, and writes again once there is room", async () => {
		const file = join(folder, "log");
		let dropped = 0;
		const log = openLog({ destination: file, level: "info" }, () => dropped++, 10_000);
		for (let index = 0; index < 1000; index++) log.info({ index }, "x");
		expect(dropped).toBeGreaterThan(0);
		await log.flush();
		expect(linesOf(file).length).toBe(1000 - dropped);
		const before = dropped;
		for (let index = 0; index < 1000; index++) log.info({ index }, "x");
		await log.flush();
		expect(dropped).toBe(2 * before);
		expect(linesOf(file).length).toBe(2 * (1000 - before));
	});

	it("goes on after the destination failed, and counts what was lost", async () => {
		let dropped = 0;
		const log = openLog({ destination: "/dev/full", level: "info" }, () => dropped++, 10_000);
		for (let round = 1; round <= 300; round++) {
			log.info({}, "x");
			await log.flush();
		}
		expect(dropped).toBe(300);
	});

	it("opens the file again under its name", async () => {
		const file = join(folder, "log");
		const log = openLog({ destination: file, level: "info" }, () => {});
		log.info({}, "before");
		await log.flush();
		renameSync(file, `${file}.1`);
		log.reopen();
		log.info({}, "after");
		await log.flush();
		expect(linesOf(`${file}.1`).map(({ msg }) => msg)).toEqual(["before"]);
		expect(linesOf(file).map(({ msg }) => msg)).toEqual(["after"]);
	});

	it("opens the file again while lines are being written, and loses none", async () => {
		const file = join(folder, "log");
		const log = openLog({ destination: file, level: "info" }, () => {});
		const rounds = 50;
		for (let round = 0; round < rounds; round++) {
			log.info({ round }, "x");
			// Queued, and from the second round on perhaps being written.
			renameOrNot(file, `${file}.${round}`);
			log.reopen();
			await new Promise((done) => setImmediate(done));
		}
		await log.close();
		const files = [file, ...Array.from({ length: rounds }, (_, round) => `${file}.${round}`)];
		const lines = files.filter((each) => existsSync(each)).flatMap(linesOf);
		expect(new Set(lines.map(({ round }) => round)).size).toBe(rounds);
		expect(lines).toHaveLength(rounds);
	});

	it("leaves a FIFO that nobody reads when a file has taken its name", async () => {
		const file = join(folder, "log");
		execFileSync("mkfifo", [file]);
		let unread = 0;
		let dropped = 0;
		const options = { destination: file, level: "info", onUnread: () => unread++ };
		const log = openLog(options, () => dropped++);
		expect(unread).toBe(1);
		for (let line = 0; line < 1000; line++) log.info({ text: "x".repeat(1000) }, "x");
		await log.flush(50);
		renameSync(file, `${file}.fifo`);
		log.reopen();
		log.info({}, "last");
		await log.flush();
		const lines = linesOf(file);
		expect(lines.at(-1)).toMatchObject({ msg: "last" });
		// What the FIFO had room for is in it, and a line that was begun there at most is nowhere.
		expect(lines.length).toBeGreaterThan(900);
		expect(dropped).toBeLessThan(2);
		await log.close();
	});

	it("names the file that can't be opened", () => {
		expect(() => openLog({ destination: join(folder, "no/log"), level: "info" }, () => {})).toThrow(
			/no\/log/,
		);
	});
});

/** A process that logs 20 MB to a stdout that nobody reads, then reports on stderr and ends. */
const flooder = (moduleUrl: string) => `
	const { openLog } = await import(${JSON.stringify(moduleUrl)});
	let dropped = 0;
	const log = openLog({ destination: "stdout", level: "info" }, () => dropped++, 1_000_000);
	let turns = 0;
	const tick = setInterval(() => turns++, 1);
	for (let round = 0; round < 20; round++) {
		for (let line = 0; line < 1000; line++) log.info({ text: "x".repeat(1000) }, "x");
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	clearInterval(tick);
	await log.close(50);
	console.error(JSON.stringify({ dropped, turns }));
	process.exit(0);
`;

describe("a stdout that nobody reads", () => {
	it("neither stops the event loop nor keeps the process from ending; drops are counted", async () => {
		symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
		// Compiled first: the child runs plain Node, which reads no TypeScript.
		await new Promise<void>((done, reject) => {
			execFile(
				"npx",
				["tsc", "-p", "tsconfig.json", "--outDir", folder, "--noCheck", "--sourceMap", "false"],
				(error, stdout) => (error ? reject(new Error(stdout)) : done()),
			);
		});
		const child = spawn(
			process.execPath,
			[
				"--input-type=module",
				"-e",
				flooder(pathToFileURL(join(folder, "telemetry", "log.js")).href),
			],
			{ stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NODE_PATH: "" } },
		);
		child.stdout.pause();
		let report = "";
		child.stderr.on("data", (chunk: Buffer) => {
			report += chunk.toString();
		});
		const [code] = await once(child, "exit");
		expect({ code, report }).toMatchObject({ code: 0, report: expect.stringContaining("dropped") });
		const { dropped, turns } = JSON.parse(report) as { dropped: number; turns: number };
		expect(dropped).toBeGreaterThan(10_000);
		expect(turns).toBeGreaterThan(5);
		child.stdout.destroy();
	});
});
