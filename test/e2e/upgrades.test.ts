/**
 * One weir takes over from another (contract 1, "Upgrades"): real processes, real connections, real kills. The load is
 * a short run of `scripts/upgrades.mjs`.
 */
import { execFile, spawn } from "node:child_process";
import { closeSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { addon } from "../../src/native-addon.ts";
import { managerInbox } from "../process/service/inbox.ts";
import {
	KEY,
	kill,
	MAIN,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "upgrades.mjs");
const TAKES_OVER = "another weir takes over: writes are refused until it has";

it("no connection is lost and no count while one weir after the other takes over", async () => {
	const words = [SCRIPT, "--upgrades", "2", "--rate", "150", "--connections", "500", "--json"];
	const { stdout } = await promisify(execFile)(process.execPath, words);
	const { connections, answered, reset, refused, limit, admitted } = JSON.parse(stdout);
	expect({ answered, reset, refused }).toEqual({ answered: connections, reset: 0, refused: 0 });
	expect(connections).toBeGreaterThanOrEqual(500);
	expect(admitted).toBe(limit);
}, 120_000);

interface Outcome {
	readonly status: number;
	readonly stdout: string;
	readonly stderr: string;
}

const servers: Server[] = [];
afterEach(async () => {
	// A test that failed may have left it shut.
	upstream.gate = undefined;
	for (const server of servers.splice(0)) {
		const pid = lastPid(server);
		kill(pid, "SIGTERM");
		await until(() => !isThere(pid) || undefined, "the last one to end", 40_000);
		kill(server.child.pid ?? 0, "SIGKILL");
		await server.cleanUp();
	}
});

async function started(...args: Parameters<typeof startServer>): Promise<Server> {
	const server = await startServer(...args);
	servers.push(server);
	return server;
}

/** Who serves, or would if it had not been killed. */
const lastPid = (server: Server): number =>
	server.logLines().findLast(({ msg }) => msg === "weir is ready")?.pid as number;

function isThere(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** `weir upgrade` beside a server. */
const upgrade = (server: Server): Promise<Outcome> =>
	new Promise((resolve) => {
		const words = [MAIN, "upgrade", "--data-dir", join(server.folder, "data")];
		execFile(process.execPath, words, (error, stdout, stderr) => {
			resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
		});
	});

/** The process that is just taking over, as soon as the store is being handed to it. */
const taker = (server: Server, count = 1): Promise<number> =>
	until(() => {
		const lines = server.logLines().filter(({ msg }) => msg === TAKES_OVER);
		return lines.length < count ? undefined : (lines.at(-1)?.process as number);
	}, "a takeover");

let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
});
afterAll(() => upstream.close());

const answering = (content: string) => ({
	inbound: [{ actions: [{ type: "custom-response", config: { content } }] }],
});

describe("weir upgrade", () => {
	it("replaces the process; requests go on, writes wait for it, the service manager follows", async () => {
		const inbox = managerInbox();
		const server = await started({ environment: { NOTIFY_SOCKET: inbox.address } });
		const first = server.child.pid;
		await server.route(upstream.port);
		const before = await server.metric('weir_requests_total{class="2xx"}').catch(() => 0);
		let open = (): void => {};
		upstream.gate = new Promise((resolve) => {
			open = resolve;
		});
		const slow = server.get("/slow");
		await until(() => upstream.seen.length > 0 || undefined, "the slow request");

		const upgraded = upgrade(server);
		let isOver = false;
		void upgraded.then(() => {
			isOver = true;
		});
		const writes = new Map<string, string | undefined>();
		while (!isOver) {
			const { status, body, headers } = await server.api("PUT", "/edges/https/e", {
				hostports: ["*"],
			});
			const code = status === 200 ? "stored" : JSON.parse(body).error_code;
			writes.set(`${status} ${code}`, headers["retry-after"]);
			expect((await server.api("GET", "/edges/https/e")).status).toBe(200);
		}
		expect(Object.fromEntries(writes)).toEqual({
			"200 stored": undefined,
			"503 ERR_UPGRADING": "1",
		});
		const { status, stdout } = await upgraded;
		expect(status).toBe(0);
		const pid = Number(/^Upgraded: process (\d+), version/m.exec(stdout)?.[1]);
		expect(pid).not.toBe(first);
		// Its log may be read behind what the command says.
		await until(() => lastPid(server) === pid || undefined, "the new one to say that it is ready");

		// A change reaches the worker that still finishes what it began, and the new ones.
		await server.policy(answering("new"));
		const { body } = await server.get("/");
		expect(body).toBe("new");
		open();
		upstream.gate = undefined;
		expect((await slow).body).toBe("upstream");
		expect(await server.exited).toBe(0);
		expect(inbox.take()).toEqual([
			"READY=1\nSTATUS=serving with 2 workers",
			"STATUS=another version takes over",
			`MAINPID=${pid}\nSTATUS=process ${pid} takes over`,
			"READY=1\nSTATUS=serving with 2 workers",
		]);
		// What both have counted.
		await until(
			async () =>
				(await server.metric('weir_requests_total{class="2xx"}')) >= (before || 0) + 2 || undefined,
			"all counts",
		);
		// The keys' socket is the new one's.
		const { stdout: keys } = await promisify(execFile)(process.execPath, [
			...[MAIN, "keys", "create", "--data-dir", join(server.folder, "data")],
		]);
		expect(keys).toContain("key_");
		kill(pid, "SIGHUP");
		const reloaded = () => server.logLines().some(({ msg }) => msg === "config reloaded");
		await until(() => reloaded() || undefined, "a reload");
		expect(inbox.take().map((said) => said.split("\n")[0])).toEqual(["RELOADING=1", "READY=1"]);
		expect(
			readdirSync(join(server.folder, "data")).filter((name) => name.startsWith("take")),
		).toEqual([]);
	}, 120_000);

	it("goes on with every counter and histogram, and with what the old one counts at its end", async () => {
		const server = await started({ workers: 1 });
		await server.route(upstream.port);
		const dead = { match_type: "exact_path", match: "/dead" };
		const backend = { urls: ["http://127.0.0.1:9"] };
		await server.must(server.api("PUT", "/edges/https/e/routes/dead", { ...dead, backend }));
		const limit = (capacity: number) => ({
			inbound: [
				{ actions: [{ type: "rate-limit", config: { name: "few", capacity, rate: "1h" } }] },
			],
			outbound: [{ name: "out", actions: [{ type: "log" }] }],
		});
		expect((await server.get("/dead")).status).toBe(502);
		const requests = 'weir_route_requests_total{edge="e",route="r",class="2xx"}';
		const limited = '{edge="e",route="r",rule="0",name="few"}';
		const counted = async (): Promise<ReadonlyMap<string, number>> => {
			const { body } = await server.api("GET", "/metrics");
			const lines = body
				.split("\n")
				.map((line) => /^(\w+_(?:total|bucket|count|sum)\b.*) (.+)$/.exec(line));
			return new Map(lines.map((found) => [found?.[1] ?? "", Number(found?.[2])]));
		};
		let before = await counted();
		// The limit that comes last has not counted all that its series has.
		for (const [capacity, rejected] of [
			[3, 2],
			[2, 5],
		] as const) {
			await server.policy(limit(capacity));
			for (let request = 0; request < 5; request++) await server.get("/");
			before = await until(async () => {
				const values = await counted();
				const told = values.get(`weir_rate_limit_rejected_total${limited}`);
				return told === rejected ? values : undefined;
			}, "all to be told");
		}
		expect(before.get(`weir_rate_limit_admitted_total${limited}`)).toBe(5);
		expect(before.get(requests)).toBe(5);

		let open = (): void => {};
		upstream.gate = new Promise((resolve) => {
			open = resolve;
		});
		await server.policy({});
		const seen = upstream.seen.length;
		const slow = server.get("/slow");
		await until(() => upstream.seen.length > seen || undefined, "the slow request");
		await server.policy(limit(2));
		expect((await upgrade(server)).status).toBe(0);
		const after = await counted();
		// Of processes: each has its own.
		const own = [...before].filter(([name]) => name !== "" && !name.includes('{process="'));
		expect(own.length).toBeGreaterThan(50);
		for (const [name, value] of own) expect(after.get(name), name).toBeGreaterThanOrEqual(value);
		open();
		upstream.gate = undefined;
		expect((await slow).status).toBe(200);
		await until(
			async () => ((await counted()).get(requests) === 6 ? true : undefined),
			"the last one",
		);
	}, 60_000);

	it("that can't succeed changes nothing, and says why; so does the end of either in the middle", async () => {
		const server = await started();
		const first = server.child.pid ?? 0;
		await server.route(upstream.port);
		await server.policy(answering("served"));
		const goesOn = async (why: string): Promise<void> => {
			expect(lastPid(server)).toBe(first);
			expect((await server.get("/")).body, why).toBe("served");
			await server.policy(answering("served"));
		};

		server.configure({ nonsense: true });
		const refused = await upgrade(server);
		expect(refused).toMatchObject({ status: 1, stdout: "" });
		expect(refused.stderr).toContain('unknown field "nonsense"');
		expect(refused.stderr).toContain(`process ${first} serves`);
		await goesOn("a config with mistakes");

		// Found out only once the store has been handed over: an address that another process has.
		const taken = addon.bindShared("127.0.0.1", 0);
		addon.listenShared(taken, 1);
		onTestFinished(() => closeSync(taken));
		const address = `127.0.0.1:${addon.boundPort(taken)}`;
		server.configure({ nonsense: undefined, management: { address } });
		const occupied = await upgrade(server);
		expect(occupied.stderr).toContain(`cannot listen on ${address}: another process listens there`);
		await goesOn("an address in use");
		server.configure({ management: { address: "127.0.0.1:0" } });

		const interrupted = upgrade(server);
		kill(await taker(server, 2), "SIGKILL");
		const { status, stderr } = await interrupted;
		expect({ status, stderr }).toMatchObject({
			status: 1,
			stderr: expect.stringContaining("it ended by SIGKILL"),
		});
		await goesOn("the new one was killed");

		const orphaned = upgrade(server);
		const next = await taker(server, 3);
		kill(first, "SIGKILL");
		expect((await orphaned).status).toBe(1);
		await until(() => lastPid(server) === next || undefined, "the new one to go on alone");
		expect((await server.get("/")).body).toBe("served");
		await server.policy(answering("alone"));
		expect((await server.get("/")).body).toBe("alone");
	}, 120_000);
});

describe("sockets that the service manager passes", () => {
	/** Starts weir as systemd does, with these descriptors from 3 on. */
	function activated(sockets: readonly number[], listen: string, management: string) {
		const folder = mkdtempSync(join(tmpdir(), "weir-activated-"));
		const log = join(folder, "log");
		const config = join(folder, "weir.json");
		const settings = { listen, management: { address: management }, data_dir: "data", workers: 2 };
		writeFileSync(config, JSON.stringify({ ...settings, log: { destination: log } }));
		const command = 'export LISTEN_PID=$$; exec "$@"';
		const words = ["-c", command, "sh", process.execPath, MAIN, "serve", "--config", config];
		const child = spawn("sh", words, {
			env: { ...process.env, WEIR_API_KEY: KEY, LISTEN_FDS: String(sockets.length) },
			stdio: ["ignore", "ignore", "pipe", ...sockets],
		});
		let stderr = "";
		child.stderr?.on("data", (chunk) => {
			stderr += chunk;
		});
		const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
		onTestFinished(async () => {
			child.kill("SIGTERM");
			await exited;
			rmSync(folder, { recursive: true, force: true });
		});
		return { folder, config, child, exited, stderr: () => stderr };
	}

	function socketOf(): {
		readonly descriptor: number;
		readonly address: string;
		readonly port: number;
	} {
		const descriptor = addon.bindShared("127.0.0.1", 0);
		addon.listenShared(descriptor, 64);
		onTestFinished(() => closeSync(descriptor));
		const port = addon.boundPort(descriptor);
		return { descriptor, port, address: `127.0.0.1:${port}` };
	}

	it("are served by all workers, from the first connection on, and by the version that takes over", async () => {
		const [data, api] = [socketOf(), socketOf()];
		const early = connect(data.port, "127.0.0.1");
		let answer = "";
		early.on("data", (chunk) => {
			answer += chunk;
		});
		early.write("GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n");
		const { config, folder, exited } = activated(
			[data.descriptor, api.descriptor],
			data.address,
			api.address,
		);
		await until(() => answer.includes("HTTP/1.1 404") || undefined, "the early one's answer");
		expect((await send(api.port, "/healthz")).status).toBe(200);
		const words = [MAIN, "upgrade", "--config", config];
		const { stdout } = await promisify(execFile)(process.execPath, words);
		const pid = Number(/process (\d+)/.exec(stdout)?.[1]);
		onTestFinished(() => {
			kill(pid, "SIGKILL");
		});
		expect(await exited).toBe(0);
		for (let request = 0; request < 10; request++)
			expect((await send(data.port, "/")).status).toBe(404);
		expect((await send(api.port, "/healthz")).status).toBe(200);
		expect(readdirSync(join(folder, "data"))).toContain("control.sock");
	}, 120_000);

	it("one at an address that the configuration has not is a mistake that names both", async () => {
		const { descriptor, address } = socketOf();
		const { exited, stderr } = activated([descriptor], "127.0.0.1:1", "127.0.0.1:0");
		expect(await exited).toBe(1);
		expect(stderr()).toContain(`passes a socket at ${address} (descriptor 3), but listen has`);
	}, 60_000);
});
