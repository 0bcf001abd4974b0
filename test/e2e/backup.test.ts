/**
 * `weir backup` and `weir restore` (contract 1) with real processes: a backup is one moment of a store that is written
 * to, a restore is whole or has not happened whenever it is killed, neither gets in a running server's way, and a
 * copied data folder is a store of its own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { edgeOf, policyOf, routeOf } from "../store/documents.ts";
import { MAIN, Server, startServer, startUpstream, type TestUpstream } from "./harness.ts";

/** milliseconds: dozens of processes, one after the other */
const LONG = { timeout: 120_000 };
const folder = mkdtempSync(join(tmpdir(), "weir-backup-"));
const servers: Server[] = [];
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
});
afterEach(async () => {
	for (const server of servers.splice(0)) await server.cleanUp();
});
afterAll(async () => {
	await upstream.close();
	rmSync(folder, { recursive: true, force: true });
});

const inFolder = (name: string): string => join(folder, name);

interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

function run(words: readonly string[], meanwhile?: (child: ChildProcess) => void): Promise<Ran> {
	const child = spawn(process.execPath, [MAIN, ...words], { cwd: folder });
	const ran = { stdout: "", stderr: "" };
	child.stdout.on("data", (piece) => {
		ran.stdout += piece;
	});
	child.stderr.on("data", (piece) => {
		ran.stderr += piece;
	});
	meanwhile?.(child);
	child.stdin.on("error", () => {});
	if (meanwhile === undefined) child.stdin.end();
	return new Promise((resolve) => {
		child.once("close", (status) => resolve({ status, ...ran }));
	});
}

const weir = (...words: string[]): Promise<Ran> => run(words);

async function start(options: ConstructorParameters<typeof Server>[0] = {}): Promise<Server> {
	const server = await startServer({ workers: 1, ...options });
	servers.push(server);
	return server;
}

const dataOf = (server: Server): string => join(server.folder, "data");

/** The lines between the first and the last, which say when and by whom. */
const entriesOf = (backup: string): string[] => backup.split("\n").slice(1, -2);

async function entriesIn(data: string): Promise<string[]> {
	const { status, stdout, stderr } = await weir("backup", "-", "--data-dir", data);
	expect([status, stderr]).toEqual([0, expect.stringContaining("to stdout")]);
	return entriesOf(stdout);
}

/** `count` routes with policies under an edge of this name. */
async function fill(data: string, edge: string, count: number): Promise<void> {
	const store = openStore(data);
	await store.putEdge(edge, edgeOf(`${edge}.example`), {});
	const puts: Promise<unknown>[] = [];
	for (let index = 0; index < count; index++) {
		puts.push(store.putRoute(edge, `r${index}`, routeOf(`/${index}/`), {}));
		puts.push(store.putPolicy(edge, `r${index}`, policyOf("x".repeat(1500)), {}));
	}
	await Promise.all(puts);
	await store.close();
}

describe("a backup", () => {
	it("of a server that runs goes into another one, keys included", async () => {
		const server = await start();
		await server.route(upstream.port);
		await server.policy({
			inbound: [
				{ actions: [{ type: "custom-response", config: { status_code: 200, content: "kept" } }] },
			],
		});
		const [, key = ""] = (await weir("keys", "create", "--data-dir", dataOf(server))).stdout.split(
			/\s+/,
		);
		const file = inFolder("running.backup");
		const saved = await weir("backup", file, "--data-dir", dataOf(server));
		expect(saved.status).toBe(0);
		// Where it takes long it says how far it is.
		expect(saved.stderr).toMatch(/^(weir: backup: \d+ %\n)*$/);
		expect(saved.stdout).toMatch(
			/^saved 1 edge, 1 route, 1 policy, 1 key of .* to .*, \d+ bytes\n$/,
		);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(readFileSync(file, "utf8")).not.toContain(key);

		const other = mkdtempSync(inFolder("other-"));
		const restored = await weir("restore", file, "--data-dir", join(other, "data"));
		expect(restored.status).toBe(0);
		expect(restored.stdout).toMatch(/^restored 1 edge, 1 route, 1 policy, 1 key from /);
		expect(statSync(join(other, "data")).mode & 0o777).toBe(0o700);
		const again = await start({ folder: other, environment: { WEIR_API_KEY: "" } });
		expect((await again.get("/")).body).toBe("kept");
		const answer = await again.api("GET", "/edges/https/e", undefined, {
			authorization: `Bearer ${key}`,
		});
		expect(answer.status).toBe(200);
	});

	it("is one moment of a store that is written to, and holds up nobody", LONG, async () => {
		const data = join(mkdtempSync(inFolder("moment-")), "data");
		await fill(data, "bulk", 4000);
		const server = await start({ folder: join(data, "..") });
		const writers = { stop: false, written: 0 };
		const writer = async (id: number) => {
			const uri = `/edges/https/w${id}`;
			await server.must(server.api("PUT", uri, { hostports: [`w${id}.example`] }));
			for (let count = 1; !writers.stop; count++) {
				// read after the version and the bulk, and each put is one version more
				const route = {
					match_type: "path_prefix",
					match: `/${count}/`,
					backend: { urls: ["http://127.0.0.1:1"] },
				};
				await server.must(server.api("PUT", `${uri}/routes/r`, route));
				writers.written += 1;
			}
		};
		const writing = [0, 1, 2].map(writer);
		for (let round = 0; round < 4; round++) {
			const before = writers.written;
			const lines = await entriesIn(data);
			expect(writers.written).toBeGreaterThan(before);
			const version = Number(lines.find((line) => line.startsWith("!version\t"))?.split("\t")[1]);
			const puts = lines.flatMap(
				(line) => /^r\/w\d\/r\t.*"match":"\/(\d+)\/"/.exec(line)?.[1] ?? [],
			);
			const edges = lines.filter((line) => line.startsWith("e/")).length;
			const sum = puts.reduce((total, count) => total + Number(count), 0);
			expect(version).toBe(edges + 8000 + sum);
		}
		writers.stop = true;
		await Promise.all(writing);
	});

	it.each([
		[["backup"], 2, "backup needs one file"],
		[["backup", "a", "b"], 2, "backup needs one file"],
		[["backup", "a", "--data-dir", "none"], 1, "there is no store in"],
		[["restore"], 2, "restore needs one file"],
		[["restore", "none"], 1, "none can't be read: there is no such file (ENOENT)"],
		[["restore", "/dev/zero"], 1, "/dev/zero is no backup of weir"],
		[["restore", "."], 1, ". is a folder"],
		[["backup", "a", "--force"], 2, 'unknown flag "--force"'],
	])("%j", async (words, status, sentence) => {
		const ran = await weir(...words);
		expect([ran.status, ran.stdout]).toEqual([status, ""]);
		expect(ran.stderr).toContain(`weir: ${sentence}`);
		expect(readdirSync(folder)).not.toContain("a");
	});
});

describe("a restore", () => {
	it("is refused where a server runs, also if its store was removed", async () => {
		const server = await start();
		await server.route(upstream.port);
		const file = inFolder("refused.backup");
		await weir("backup", file, "--data-dir", dataOf(server));
		const link = inFolder("link");
		symlinkSync(dataOf(server), link);
		const attempts = async () => {
			for (const data of [dataOf(server), link]) {
				const ran = await weir("restore", file, "--force", "--data-dir", data);
				expect(ran).toMatchObject({ status: 1, stdout: "" });
				expect(ran.stderr).toContain(`weir: a weir runs on ${data}; stop it`);
			}
		};
		await attempts();
		expect(
			(await server.api("PUT", "/edges/https/late", { hostports: ["l.example"] })).status,
		).toBe(201);
		rmSync(join(dataOf(server), "data.mdb"));
		await attempts();
	});

	it("takes stdin, and says what is wrong with a file before anything is made", async () => {
		const data = join(mkdtempSync(inFolder("stdin-")), "data");
		await fill(data, "e", 3);
		const { stdout: backup } = await weir("backup", "-", "--data-dir", data);
		const target = inFolder("from-stdin");
		const feed = (text: string) =>
			run(["restore", "-", "--data-dir", target], (child) => child.stdin?.end(text));
		for (const [text, sentence] of [
			[backup.slice(0, -20), "stdin is damaged: it is cut short"],
			[backup.replace("deny", "denx"), "does not fit its digest"],
			["", "stdin is no backup of weir"],
			[backup.replace("weir-backup 1", "weir-backup 2"), "stdin has format 2"],
		] as const) {
			const ran = await feed(text);
			expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining(sentence)]);
			expect(readdirSync(folder)).not.toContain("from-stdin");
		}
		const restored = await feed(backup);
		expect(restored.status).toBe(0);
		expect(JSON.parse(restored.stderr)).toMatchObject({
			...{ msg: "audit", via: "command", operation: "restore", data_dir: target, backup: "stdin" },
			...{
				restored: { edges: 1, routes: 3, policies: 3, keys: 0, ip_lists: 0 },
				result: "created",
			},
		});
		expect(await entriesIn(target)).toEqual(entriesOf(backup));
		const refused = await feed(backup);
		expect([refused.status, refused.stderr]).toEqual([
			1,
			expect.stringContaining("is not empty, it holds 1 edge, 3 routes"),
		]);
	});

	it("that is killed leaves what was there or what was restored, whole", LONG, async () => {
		const root = mkdtempSync(inFolder("killed-"));
		const [before, after, data] = ["before", "after", "data"].map((name) => join(root, name)) as [
			string,
			string,
			string,
		];
		await fill(before, "before", 300);
		await fill(after, "after", 4000);
		const file = join(root, "after.backup");
		await weir("backup", file, "--data-dir", after);
		const possible = [await entriesIn(before), await entriesIn(after)].map((lines) =>
			lines.join("\n"),
		);
		const fresh = (): void => {
			rmSync(data, { recursive: true, force: true });
			cpSync(before, data, { recursive: true });
		};
		fresh();
		const began = performance.now();
		await weir("restore", file, "--force", "--data-dir", data);
		const wholeMs = performance.now() - began;
		const ends: number[] = [];
		for (let part = 1; part <= 10; part++) {
			fresh();
			const delayMs = (wholeMs * part) / 11;
			await run(["restore", file, "--force", "--data-dir", data], (child) => {
				setTimeout(() => child.kill("SIGKILL"), delayMs);
			});
			const end = possible.indexOf((await entriesIn(data)).join("\n"));
			expect(end).toBeGreaterThanOrEqual(0);
			ends.push(end);
			await openStore(data).close();
		}
		expect(ends[0]).toBe(0);
		fresh();
		const last = await weir("restore", file, "--force", "--data-dir", data);
		expect(last.status).toBe(0);
		expect((await entriesIn(data)).join("\n")).toBe(possible[1]);
		const aside = /before is in (\S+)/.exec(last.stdout)?.[1] ?? "";
		expect(entriesOf(readFileSync(aside, "utf8")).length).toBeGreaterThan(0);
	});
});

describe("a copied data folder", () => {
	it("is a store of its own beside the server that runs on the original", async () => {
		const server = await start();
		await server.route(upstream.port);
		await server.policy({
			inbound: [{ actions: [{ type: "rate-limit", config: { capacity: 9, rate: "60s" } }] }],
		});
		const copy = mkdtempSync(inFolder("copy-"));
		cpSync(dataOf(server), join(copy, "data"), {
			recursive: true,
			filter: (path) => !path.endsWith(".sock"),
		});
		const keys = await weir("keys", "create", "--data-dir", join(copy, "data"));
		expect(keys).toMatchObject({ status: 0 });
		const other = await start({ folder: copy });
		expect((await other.get("/")).body).toBe("upstream");
		expect(
			(await other.api("PUT", "/edges/https/own", { hostports: ["own.example"] })).status,
		).toBe(201);
		expect((await server.api("GET", "/edges/https/own")).status).toBe(404);
		expect((await server.get("/")).body).toBe("upstream");
	});

	it("is told from another path to the folder of a server that runs", async () => {
		const server = await start();
		const second = mkdtempSync(inFolder("second-"));
		symlinkSync(dataOf(server), join(second, "data"));
		const refused = new Server({ folder: second, workers: 1 });
		expect(await refused.exited).toBe(1);
		expect(refused.stderr).toContain(`is in use by another weir (process ${server.child.pid})`);
	});
});
