/**
 * Supervisor and workers for real (contract 1, 2): a policy is in force when PUT answers, on every
 * worker; workers that die or hang cost their own connections only; signals do what they should.
 */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
	kill,
	refuses,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const answering = (content: string) => ({
	inbound: [{ actions: [{ type: "custom-response", config: { content } }] }],
});

let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
});
afterAll(() => upstream.close());

const servers: Server[] = [];
async function started(...args: Parameters<typeof startServer>): Promise<Server> {
	const server = await startServer(...args);
	servers.push(server);
	return server;
}
afterEach(async () => {
	upstream.gate = undefined;
	for (const server of servers.splice(0)) await server.cleanUp();
});

/** Bodies of `count` requests, each on a connection of its own. */
async function bodies(server: Server, count = 12): Promise<Set<string>> {
	const answers = await Promise.all(Array.from({ length: count }, () => server.get("/")));
	return new Set(answers.map(({ body }) => body));
}

describe("publishing", () => {
	it("puts every acknowledged change in force on all workers before it answers", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		const change = fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constant(undefined));
		let stored = false;
		await fc.assert(
			fc.asyncProperty(change, async (value) => {
				if (value === undefined) {
					const answer = await server.api("DELETE", "/edges/https/e/routes/r/policy");
					expect(answer.status).toBe(stored ? 204 : 404);
					stored = false;
					expect(await bodies(server)).toEqual(new Set(["upstream"]));
				} else {
					await server.policy(answering(`policy ${value}`));
					stored = true;
					expect(await bodies(server)).toEqual(new Set([`policy ${value}`]));
				}
			}),
			{ numRuns: 40 },
		);
	});

	it("converges on the last commit when several clients write at once", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		for (let round = 0; round < 5; round++) {
			await Promise.all(
				Array.from({ length: 16 }, (_, n) => server.policy(answering(`${round}/${n}`))),
			);
			const stored = await server.api("GET", "/edges/https/e/routes/r/policy");
			const { content } = JSON.parse(stored.body).inbound[0].actions[0].config;
			expect(await bodies(server)).toEqual(new Set([content]));
		}
	});

	it("applies changed and deleted routes and edges at once", async () => {
		const server = await started({ workers: 2 });
		expect((await server.get("/")).status).toBe(404);
		await server.policy(answering("stored before its route"));
		await server.route(upstream.port);
		expect(await bodies(server)).toEqual(new Set(["stored before its route"]));
		await server.must(server.api("DELETE", "/edges/https/e/routes/r"));
		expect((await server.get("/")).status).toBe(404);
		await server.must(server.api("DELETE", "/edges/https/e"));
		expect((await server.get("/")).status).toBe(404);
	});

	it("deletes a route's policy with it, and an edge's with that, on all workers", async () => {
		const server = await started({ workers: 2 });
		const policies = async () => [
			(await server.api("GET", "/edges/https/e/routes/r/policy")).status,
			await server.metric("weir_policies"),
		];
		for (const path of ["/edges/https/e/routes/r", "/edges/https/e"]) {
			await server.route(upstream.port);
			await server.policy(answering("of the old route"));
			expect(await bodies(server)).toEqual(new Set(["of the old route"]));
			await server.must(server.api("DELETE", path));
			expect(await policies()).toEqual([404, 0]);
			await server.route(upstream.port);
			expect(await bodies(server)).toEqual(new Set(["upstream"]));
			// deleted and put again at once, so that both may share a commit
			await server.policy(answering("of the old route"));
			const gone = server.api("DELETE", path);
			const again = server.route(upstream.port).catch(() => server.route(upstream.port));
			await Promise.all([server.must(gone), again]);
			expect(await policies()).toEqual([404, 0]);
			await server.route(upstream.port);
			expect(await bodies(server)).toEqual(new Set(["upstream"]));
		}
	});

	it("goes on serving and answering while a policy of full size is checked and taken over", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		const large = {
			inbound: Array.from({ length: 250 }, (_, rule) => ({
				expressions: Array.from(
					{ length: 16 },
					(_, n) => `req.headers['x-${rule}-${n}'].exists(v, v.contains('${rule}/${n}'))`,
				),
				actions: [{ type: "deny" }],
			})),
		};
		let pending = true;
		const put = server.policy(large).finally(() => {
			pending = false;
		});
		let served = 0;
		while (pending) {
			const [answer, health] = await Promise.all([server.get("/"), server.api("GET", "/healthz")]);
			expect([answer.status, health.status]).toEqual([200, 200]);
			if (!pending) break;
			served += 1;
		}
		expect(JSON.parse((await put).body).inbound).toHaveLength(250);
		expect(served).toBeGreaterThan(5);
		expect(server.workerPids()).toHaveLength(2);
		expect(await server.metric("weir_worker_restarts_total")).toBe(0);
	});

	it("leaves a request in flight its policy", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		const marking = (content: string) => ({
			outbound: [{ actions: [{ type: "custom-response", config: { content } }] }],
		});
		await server.policy(marking("old"));
		let open = (): void => {};
		upstream.gate = new Promise((resolve) => {
			open = resolve;
		});
		const before = upstream.seen.length;
		const inFlight = server.get("/");
		await until(() => upstream.seen.length > before || undefined, "the request to arrive");
		await server.policy(marking("new"));
		open();
		expect((await inFlight).body).toBe("old");
		expect((await server.get("/")).body).toBe("new");
	});
});

describe("workers", () => {
	it("a killed one is replaced, and the new one serves what was acknowledged", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		for (let round = 0; round < 3; round++) {
			await server.policy(answering(`round ${round}`));
			const before = server.workerPids();
			expect(before).toHaveLength(2);
			kill(before[round % 2] ?? 0, "SIGKILL");
			await server.policy(answering(`round ${round} after`));
			await until(() => {
				const now = server.workerPids();
				return (now.length === 2 && now.some((pid) => !before.includes(pid))) || undefined;
			}, "a new worker");
			await until(
				async () => ((await server.metric("weir_workers")) === 2 ? true : undefined),
				"two workers to serve",
			);
			expect(await bodies(server)).toEqual(new Set([`round ${round} after`]));
		}
		expect(await server.metric("weir_worker_restarts_total")).toBe(3);
	});

	it("a stopped one never makes the API lie: it is replaced before PUT answers", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		await server.policy(answering("before"));
		const [pid = 0] = server.workerPids();
		kill(pid, "SIGSTOP");
		await server.policy(answering("after"));
		expect(server.workerPids()).not.toContain(pid);
		expect(await bodies(server)).toEqual(new Set(["after"]));
	});

	it("go away with a killed supervisor, and the next server gets the same ports", async () => {
		const first = await started({ workers: 2 });
		await first.route(upstream.port);
		await first.policy(answering("kept"));
		const { port, managementPort } = first;
		first.child.kill("SIGKILL");
		await first.exited;
		const second = await started({
			folder: first.folder,
			config: {
				listen: `127.0.0.1:${port}`,
				management: { address: `127.0.0.1:${managementPort}` },
			},
		});
		expect(await bodies(second)).toEqual(new Set(["kept"]));
	});
});

describe("signals", () => {
	it("SIGTERM finishes what is in flight, takes nothing new and exits 0", async () => {
		const server = await started({ workers: 2 });
		await server.route(upstream.port);
		let open = (): void => {};
		upstream.gate = new Promise((resolve) => {
			open = resolve;
		});
		const before = upstream.seen.length;
		const inFlight = Promise.all(Array.from({ length: 8 }, () => server.get("/slow")));
		await until(() => upstream.seen.length >= before + 8 || undefined, "requests in flight");
		server.child.kill("SIGTERM");
		// Connections only: a request that still gets in would wait behind the gate, as it should.
		await until(async () => (await refuses(server.port)) || undefined, "the port to be closed");
		open();
		for (const answer of await inFlight)
			expect([answer.status, answer.body]).toEqual([200, "upstream"]);
		expect(await server.exited).toBe(0);
	});

	it("SIGTERM ends requests that outlast the drain time", async () => {
		const server = await started({ workers: 1, config: { timeouts: { drain_ms: 200 } } });
		await server.route(upstream.port);
		let open = (): void => {};
		upstream.gate = new Promise((resolve) => {
			open = resolve;
		});
		const before = upstream.seen.length;
		const inFlight = server.get("/stuck").then(
			() => "answered",
			() => "reset",
		);
		await until(() => upstream.seen.length > before || undefined, "the request in flight");
		expect(await server.stop()).toBe(0);
		expect(await inFlight).toBe("reset");
		open();
	});

	it("SIGHUP takes over a changed config under traffic, and keeps the old one if it is wrong", async () => {
		const server = await started({ workers: 1 });
		await server.route(upstream.port);
		const { writeFileSync } = await import("node:fs");
		const path = `${server.folder}/weir.json`;
		const settings = {
			listen: `127.0.0.1:${server.port}`,
			management: { address: `127.0.0.1:${server.managementPort}` },
			data_dir: "data",
			log: { destination: server.logFile },
		};
		let running = true;
		let sent = 0;
		const traffic = (async () => {
			while (running) {
				expect((await server.get("/")).status).toBe(200);
				sent += 1;
			}
		})();
		writeFileSync(path, JSON.stringify({ ...settings, workers: 2 }));
		server.child.kill("SIGHUP");
		const said = (msg: string) =>
			until(() => server.logLines().find((line) => line.msg === msg), msg);
		await said("config reloaded");
		await said("replaced workers have ended");
		expect(server.workerPids()).toHaveLength(2);
		writeFileSync(path, JSON.stringify({ ...settings, wrokers: 3 }));
		server.child.kill("SIGHUP");
		const refused = await said("config not reloaded: it has mistakes");
		expect(JSON.stringify(refused)).toContain("workers");
		expect(server.workerPids()).toHaveLength(2);
		running = false;
		await traffic;
		expect(sent).toBeGreaterThan(0);
	});
});
