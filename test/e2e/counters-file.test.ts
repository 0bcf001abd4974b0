/**
 * `counters.file` in whatever state it is found (contract 1): the server starts, says what is wrong, and
 * counts over all its workers in any case.
 */
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { counting, passing, routed } from "./counting.ts";
import { kill, type Server, startServer, until } from "./harness.ts";

/** milliseconds of a test that starts the server twice */
const timeout = 60_000;
const PAGE_BYTES = 4096;
const WORD_BYTES = 8;
const SEGMENT_BYTES = 2_097_152;
/** of the header page (native/src/counters/layout.h) */
const LAYOUT_WORD = 1;

let folder: string;
let server: Server;
/** A counters file as an orderly stop leaves it. */
let good: Buffer;
const start = async (file: string | null = null): Promise<Server> => {
	server = await startServer({ folder, workers: 2, config: { counters: { file } } });
	return server;
};
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "weir-e2e-"));
	await start();
	await routed(server);
	await expectShared("before");
	await server.stop();
	good = readFileSync(join(folder, "data", "counters"));
});
afterEach(() => server.stop());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const warnings = (): string[] =>
	server
		.logLines()
		.filter(({ level }) => level === "warn" || level === "error")
		.map(({ msg }) => String(msg));

let limits = 0;
/** Exactly the capacity passes on many connections; workers that count for themselves let more through. */
async function expectShared(name = `limit ${limits++}`): Promise<void> {
	await server.policy(counting({ name, capacity: 5 }));
	expect(await passing(server, 16)).toBe(5);
}

function goodOfAnotherLayout(): Buffer {
	const bytes = Buffer.from(good);
	const at = PAGE_BYTES + LAYOUT_WORD * WORD_BYTES;
	bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + 1n, at);
	return bytes;
}

describe("a file that can't be used is set aside", () => {
	it.each<[string, () => Buffer]>([
		["garbage", () => Buffer.alloc(SEGMENT_BYTES + 1, "not what you think it is ")],
		["cut off behind its header", () => good.subarray(0, 3 * PAGE_BYTES)],
		["of another layout", goodOfAnotherLayout],
	])("%s", async (_, bytes) => {
		const path = join(folder, "data", "counters");
		const bad = bytes();
		writeFileSync(path, bad);
		await start();
		expect(warnings()).toEqual([expect.stringContaining(`${path} is set aside`)]);
		expect(readFileSync(`${path}.set-aside`).equals(bad)).toBe(true);
		await expectShared();
	});

	it("and the next start finds a good one in its place, as it does in place of an empty one", {
		timeout,
	}, async () => {
		await start();
		expect(warnings()).toEqual([]);
		expect(await passing(server, 2)).toBe(0);
		await server.stop();
		const path = join(folder, "data", "counters");
		truncateSync(path);
		await start();
		expect(warnings()).toEqual([`counters file ${path} was empty: rate-limits begin anew`]);
		await expectShared();
	});
});

it("where no file can be had, a substitute lasts as long as the server", async () => {
	await start("nowhere/counts");
	const [refused, instead, ...others] = warnings();
	expect(refused).toContain(`${join(folder, "nowhere", "counts")} cannot be used`);
	const substitute = /counted in (\S+) instead/.exec(instead ?? "")?.[1] ?? "";
	expect(others).toEqual([]);
	expect(statSync(substitute).size).toBeGreaterThanOrEqual(SEGMENT_BYTES);
	await expectShared();
	await server.stop();
	expect(existsSync(dirname(substitute))).toBe(false);
});

it("a file elsewhere, named relative to the config file, is the one that is used", {
	timeout,
}, async () => {
	const usual = join(folder, "data", "counters");
	rmSync(usual, { force: true });
	mkdirSync(join(folder, "elsewhere"));
	await start("elsewhere/counts");
	expect(warnings()).toEqual([]);
	expect(existsSync(usual)).toBe(false);
	await expectShared("elsewhere");
	await server.stop();
	// The counts are in it: they come back with it.
	await start("elsewhere/counts");
	expect(await passing(server, 2)).toBe(0);
	expect(existsSync(usual)).toBe(false);
});

it.skipIf(process.platform !== "linux")(
	"a file that is removed while the server runs stays the one of workers that come later",
	{ timeout },
	async () => {
		await start();
		await expectShared();
		rmSync(join(folder, "data", "counters"));
		const [first] = server.workerPids();
		kill(first ?? 0, "SIGKILL");
		const said = (text: string) => server.logLines().find(({ msg }) => msg === text);
		await until(() => said("worker started again"), "a new worker");
		expect(await passing(server, 16), "the window goes on").toBe(0);
		await expectShared("after the worker");
		server.replaceWorkers();
		await server.replaced();
		expect(await passing(server, 16)).toBe(0);
		await expectShared("after the reload");
	},
);

it("a file that is cut short ends workers that use it, never the supervisor", {
	timeout,
}, async () => {
	await start();
	await expectShared();
	truncateSync(join(folder, "data", "counters"));
	const { body } = await server.api("GET", "/metrics");
	expect(body).toContain("weir_workers 2");
	expect(body).not.toContain("weir_rate_limits");
	await server.get("/").catch(() => {});
	const started = () => server.logLines().some(({ msg }) => msg === "worker started again");
	await until(started, "a new worker");
	expect(warnings()).toContainEqual(expect.stringContaining("was cut short"));
	expect(await server.stop()).toBe(0);
	await start();
	await expectShared("after it was cut");
});
