/**
 * The store's files removed, replaced or cut short under the running server: no write is acknowledged that
 * the next start would not find, no process dies of it, and what was served is served on.
 */
import { mkdtempSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
	kill,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

let upstream: TestUpstream;
let server: Server;
beforeAll(async () => {
	upstream = await startUpstream();
});
afterEach(async () => {
	await server.cleanUp();
});
afterAll(async () => {
	await upstream.close();
});

const says = (message: string) => ({
	inbound: [
		{ actions: [{ type: "custom-response", config: { status_code: 200, content: message } }] },
	],
});

const route = (match: string) => ({
	match_type: "exact_path",
	match,
	backend: { urls: [`http://127.0.0.1:${upstream.port}`] },
});

/** `/` goes upstream, `/known` has a policy that every worker has opened, `/new` one that none has. */
async function startServing(): Promise<{
	readonly data: string;
	readonly pids: readonly number[];
}> {
	const folder = mkdtempSync(join(tmpdir(), "weir-e2e-"));
	// where the copies go, so that they are removed with the rest
	const environment = { TMPDIR: folder };
	server = await startServer({
		workers: 2,
		folder,
		environment,
		config: { log: { access: true } },
	});
	await server.route(upstream.port);
	for (const name of ["known", "new"]) {
		const path = `/edges/https/e/routes/${name}`;
		// in this order it is not compiled when the route comes into force, but by the first request
		await server.must(server.api("PUT", `${path}/policy`, says(`policy of ${name}`)));
		await server.must(server.api("PUT", path, route(`/${name}`)));
	}
	const pids = server.workerPids();
	await until(async () => {
		expect((await server.get("/known")).body).toBe("policy of known");
		const answers = server.logLines().filter(({ path }) => path === "/known");
		return new Set(answers.map(({ pid }) => pid)).size === pids.length || undefined;
	}, "every worker to have opened the policy");
	return { data: join(server.folder, "data"), pids };
}

const lossLines = () => server.logLines().filter(({ msg }) => msg === "the store is lost");

async function expectLost(pids: readonly number[]): Promise<void> {
	const put = await server.api("PUT", "/edges/https/late", { hostports: ["late.example"] });
	expect([put.status, JSON.parse(put.body).error_code]).toEqual([503, "ERR_STORE_LOST"]);
	const removal = await server.api("DELETE", "/edges/https/e");
	expect([removal.status, JSON.parse(removal.body).error_code]).toEqual([503, "ERR_STORE_LOST"]);
	expect((await server.api("GET", "/readyz")).status).toBe(503);
	expect((await server.api("GET", "/healthz")).status).toBe(200);
	expect(await server.metric("weir_store_lost")).toBe(1);
	for (let count = 0; count < 20; count++) {
		expect((await server.get("/")).body).toBe("upstream");
		expect((await server.get("/known")).body).toBe("policy of known");
	}
	await until(() => lossLines().length > 0 || undefined, "the log to say it");
	expect(lossLines()).toHaveLength(1);
	expect(server.workerPids()).toEqual(pids);
}

const file = (data: string, name: string) => join(data, name);
const cut = (name: string, part: number) => (data: string) =>
	truncateSync(file(data, name), Math.floor(statSync(file(data, name)).size * part));

it("the folder is removed: reads go on", async () => {
	const { data, pids } = await startServing();
	rmSync(data, { recursive: true });
	await expectLost(pids);
	expect((await server.api("GET", "/edges/https/e")).status).toBe(200);
	expect((await server.get("/new")).body).toBe("policy of new");
	// New workers read a copy.
	const copied = await until(
		() => server.logLines().find(({ msg }) => String(msg).startsWith("the store was copied")),
		"the copy",
	);
	for (const pid of pids) kill(pid, "SIGKILL");
	await until(
		() =>
			server.logLines().filter(({ msg }) => msg === "worker started again").length ===
				pids.length || undefined,
		"new workers",
	);
	for (const name of ["known", "new"])
		expect((await server.get(`/${name}`)).body).toBe(`policy of ${name}`);
	expect(await server.stop()).toBe(0);
	// And the operator has it, too.
	renameSync(String(copied.folder), data);
	server = await startServer({ folder: server.folder });
	expect((await server.get("/known")).body).toBe("policy of known");
});

it.each<[string, (data: string) => void]>([
	["the data file is cut to nothing", cut("data.mdb", 0)],
	["the data file is cut to half", cut("data.mdb", 0.5)],
	["the lock file is cut to nothing", cut("lock.mdb", 0)],
])("%s: what was not read yet is refused, and nobody dies", async (_name, damage) => {
	const { data, pids } = await startServing();
	damage(data);
	await expectLost(pids);
	const stored = await server.api("GET", "/edges/https/e");
	expect([stored.status, JSON.parse(stored.body).error_code]).toEqual([503, "ERR_STORE_LOST"]);
	for (let count = 0; count < 20; count++) expect((await server.get("/new")).status).toBe(500);
	expect(server.workerPids()).toEqual(pids);
	expect(await server.stop()).toBe(0);
	const unread = server.logLines().filter(({ msg }) => msg === "stored policy can't be run");
	expect(unread.length).toBeGreaterThan(0);
	expect(unread.length).toBeLessThanOrEqual(pids.length);
});

it("is noticed where nobody writes, and stays noticed when the files are back", async () => {
	const { data, pids } = await startServing();
	renameSync(data, `${data}.old`);
	await until(() => lossLines().length > 0 || undefined, "the look at intervals");
	renameSync(`${data}.old`, data);
	await expectLost(pids);
	expect(await server.stop()).toBe(0);
	server = await startServer({ folder: server.folder });
	expect((await server.get("/known")).body).toBe("policy of known");
	expect((await server.api("PUT", "/edges/https/late", { hostports: ["l.example"] })).status).toBe(
		201,
	);
});
