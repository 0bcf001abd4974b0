/**
 * A disk that is full, of several kinds (contract 2, "Durable"): a write is refused with 507 and nothing of it is
 * there, no process ends, traffic goes on, and with room again the next write is stored. A start on a full disk
 * works or is a sentence.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DISK_KINDS, SmallDisk, whyNoDisk } from "../faults/small-disk.ts";
import { kill, Server, startServer, startUpstream, type TestUpstream, until } from "./harness.ts";

let upstream: TestUpstream;
let server: Server;
let disk: SmallDisk;
beforeAll(async () => {
	upstream = await startUpstream();
});
afterEach(async () => {
	await server.cleanUp();
	disk.remove();
});
afterAll(() => upstream.close());

const options = (folder?: string) => ({
	workers: 1,
	config: { data_dir: join(disk.folder, "data") },
	...(folder === undefined ? {} : { folder }),
});

const edge = (id: string) => `/edges/https/${id}`;

const put = async (id: string, metadata = id.repeat(10)): Promise<number> => {
	const document = { hostports: [`${id}.example`], metadata };
	const { status, body } = await server.api("PUT", edge(id), document);
	if (status === 507) expect(JSON.parse(body).error_code).toBe("ERR_STORE_FULL");
	return status;
};

const statusOf = async (id: string) => (await server.api("GET", edge(id))).status;

/** Documents of all sizes, so that what is missing is a page, a part of several, or all. */
async function putUntilFull(): Promise<Map<string, number>> {
	const answers = new Map<string, number>();
	for (let round = 0; round < 40; round++) {
		const id = `late${round}`;
		answers.set(id, await put(id, "x".repeat(200 + (round % 8) * 500)));
	}
	const large = "x".repeat(60_000);
	const log = { type: "log", config: { metadata: { large } } };
	const rules = [{ actions: [log, log, log] }];
	const policy = await server.api("PUT", `${edge("e")}/routes/other/policy`, { inbound: rules });
	expect([policy.status, policy.body]).toEqual([507, expect.stringContaining("ERR_STORE_FULL")]);
	const entries = Array.from({ length: 20_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
	const list = await server.api("PUT", "/ip-lists/late", { entries });
	expect([list.status, list.body]).toEqual([507, expect.stringContaining("ERR_STORE_FULL")]);
	return answers;
}

async function expectKept(answers: ReadonlyMap<string, number>): Promise<void> {
	for (const [id, status] of answers) {
		expect([201, 507]).toContain(status);
		expect([id, await statusOf(id)]).toEqual([id, status === 201 ? 200 : 404]);
	}
	expect((await server.api("GET", `${edge("e")}/routes/other/policy`)).status).toBe(404);
	expect((await server.api("GET", "/ip-lists/late")).status).toBe(404);
}

const goesOn = async (): Promise<void> => {
	expect((await server.get("/")).body).toBe("upstream");
	expect((await server.api("GET", "/readyz")).status).toBe(200);
};

/** @returns what was printed by a start that ended; undefined if it did not */
async function startOnFullDisk(folder: string): Promise<string | undefined> {
	server = new Server(options(folder));
	const began = server.ready().then(
		() => undefined,
		() => server.exited,
	);
	const status = await began;
	if (status === undefined) return undefined;
	expect([status, server.stderr]).toEqual([1, expect.stringContaining("has no room left")]);
	return server.stderr;
}

describe.each(DISK_KINDS)("%s", (kind) => {
	const reason = whyNoDisk(kind);
	const title = reason === undefined ? "" : ` (skipped: ${reason})`;

	it.skipIf(reason !== undefined)(`that is full is 507 and ends nothing${title}`, async () => {
		disk = new SmallDisk(kind);
		server = await startServer(options());
		await server.route(upstream.port);
		const limit = { type: "rate-limit", config: { capacity: 1000, rate: "60s" } };
		await server.policy({ inbound: [{ actions: [limit] }] });
		expect(await put("before")).toBe(201);
		const pids = server.workerPids();

		disk.fill();
		const answers = await putUntilFull();
		await expectKept(answers);
		await goesOn();
		expect(server.workerPids()).toEqual(pids);
		kill(pids[0] ?? 0, "SIGKILL");
		await until(() => server.workerPids().some((pid) => pid !== pids[0]), "another worker");
		await until(
			async () => (await server.get("/").catch(() => undefined))?.status === 200,
			"it serves",
		);

		disk.clear();
		expect(await put("room", "x".repeat(3000))).toBe(201);
		disk.fill();
		await server.killAll();
		const { folder } = server;
		if ((await startOnFullDisk(folder)) === undefined) {
			await goesOn();
			await server.stop();
		}
		disk.clear();
		server = await startServer(options(folder));
		await goesOn();
		await expectKept(new Map([...answers, ["before", 201], ["room", 201]]));
		expect(await put("after")).toBe(201);
	});

	it.skipIf(reason !== undefined)(
		`that is full at the first start is a sentence${title}`,
		async () => {
			disk = new SmallDisk(kind);
			disk.fill();
			server = new Server(options());
			expect(await server.exited).toBe(1);
			expect(server.stderr).toContain("weir: the store in ");
			expect(server.stderr).toContain("no room left");
			expect(server.stderr).not.toContain("Write error");
			disk.clear();
			rmSync(server.logFile, { force: true });
			server = await startServer(options(server.folder));
			expect(await put("after")).toBe(201);
		},
	);
});
