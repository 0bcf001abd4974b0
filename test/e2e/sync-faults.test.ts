/**
 * A disk that fails under the running server (contract 2, "Durable"): what could not be synced is not
 * acknowledged, what was acknowledged before and after is there at the next start, and nothing is half there.
 */
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { preload } from "../faults/preload.ts";
import { type Server, startServer, startUpstream, type TestUpstream } from "./harness.ts";

let upstream: TestUpstream;
let server: Server;
let faults = "";
beforeAll(async () => {
	upstream = await startUpstream();
});
afterEach(() => server.cleanUp());
afterAll(() => upstream.close());

const fail = (what: string): void => writeFileSync(faults, what);
const mend = (): void => rmSync(faults);

async function startOnFaultyDisk(): Promise<void> {
	const { file } = preload("sync");
	faults = join(tmpdir(), `weir-faults-${process.pid}`);
	server = await startServer({
		workers: 1,
		environment: { LD_PRELOAD: file, WEIR_FAULTS: faults },
	});
	await server.route(upstream.port);
}

const edge = (id: string) => `/edges/https/${id}`;

/** Of several pages, so that a write of half of it could be seen. */
const put = async (id: string) => {
	const document = { hostports: [`${id}.example`], metadata: id.repeat(30) };
	const { status, body } = await server.api("PUT", edge(id), document);
	return [status, status === 201 ? "" : JSON.parse(body).error_code];
};

const stored = async (id: string) => {
	const { status, body } = await server.api("GET", edge(id));
	if (status === 200) expect(JSON.parse(body).metadata).toBe(id.repeat(30));
	return status;
};

/** All processes die at once, and a server on a sound disk begins with what is in the file. */
async function restart(): Promise<void> {
	await server.killAll();
	server = await startServer({ workers: 1, folder: server.folder });
	expect((await server.get("/")).body).toBe("upstream");
}

describe.runIf(process.platform === "linux")("a disk", () => {
	const FAULTS: readonly (readonly [string, number, string])[] = [
		["sync lose", 500, "ERR_INTERNAL"],
		["data eio", 500, "ERR_INTERNAL"],
		["sync enospc", 507, "ERR_STORE_FULL"],
		["data enospc", 507, "ERR_STORE_FULL"],
		["sync lose", 500, "ERR_INTERNAL"],
	];

	it("that fails to write or sync, and forgets: the write is refused, the next ones work", async () => {
		await startOnFaultyDisk();
		expect(await put("before")).toEqual([201, ""]);
		for (const [round, [fault, ...refusal]] of FAULTS.entries()) {
			fail(fault);
			for (const id of [`lost${round}`, `again${round}`]) {
				expect([fault, ...(await put(id))]).toEqual([fault, ...refusal]);
				expect(await stored(id)).toBe(404);
			}
			// What is stored as it is asked for needs no disk.
			expect(await put("before")).toEqual([200, undefined]);
			expect(await stored("before")).toBe(200);
			expect((await server.get("/")).body).toBe("upstream");
			mend();
			for (const id of [`a${round}`, `b${round}`]) expect(await put(id)).toEqual([201, ""]);
		}
		expect((await server.api("GET", "/readyz")).status).toBe(200);
		await restart();
		expect(await stored("before")).toBe(200);
		for (const round of FAULTS.keys()) {
			for (const id of [`a${round}`, `b${round}`]) expect(await stored(id)).toBe(200);
			for (const id of [`lost${round}`, `again${round}`]) expect(await stored(id)).toBe(404);
		}
	});

	it("that fails to write the index: nothing is stored any more until a restart", async () => {
		await startOnFaultyDisk();
		expect(await put("before")).toEqual([201, ""]);
		fail("meta eio");
		expect(await put("unsure")).toEqual([500, "ERR_INTERNAL"]);
		mend();
		expect(await put("late")).toEqual([503, "ERR_STORE_LOST"]);
		expect((await server.api("GET", "/readyz")).status).toBe(503);
		expect((await server.get("/")).body).toBe("upstream");
		await restart();
		expect(await stored("before")).toBe(200);
		// in force or not, but whole
		expect([200, 404]).toContain(await stored("unsure"));
		expect(await stored("late")).toBe(404);
		expect(await put("after")).toEqual([201, ""]);
	});
});
