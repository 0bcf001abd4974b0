/** A fleet's life over one real engine: begun, joined, written to, cut off, back, exported, restored, left. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type EchoUpstream, startEcho } from "../../e2e/echo.ts";
import { send, until } from "../../e2e/harness.ts";
import { type Engines, PROGRAMS, startEngine } from "../engine.ts";
import { Machine } from "./machine.ts";

const program = PROGRAMS.at(-1);
// Processes start and end in each of them.
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(program === undefined)("a fleet of machines", () => {
	let engines: Engines;
	let echo: EchoUpstream;
	let a: Machine;
	let b: Machine;

	beforeAll(async () => {
		if (program === undefined) return;
		engines = await startEngine(program);
		echo = await startEcho();
		a = new Machine("machine-a", engines.urls);
		b = new Machine("machine-b", engines.urls);
	});
	afterAll(async () => {
		await Promise.all([a?.cleanUp(), b?.cleanUp(), engines?.close()]);
		await echo?.close();
	});

	it("begins with what its first machine has, and with a key", async () => {
		a.fleet = { name: "prod", servers: engines.urls, member: { name: "machine-a" } };
		const begun = await a.weir("init", "--monitor", engines.first.monitor);
		expect(begun).toMatchObject({
			status: 0,
			stdout: expect.stringMatching(
				/^The fleet "prod" begins at revision 0.*\nIts log is at 127\.0\.0\.1:\d+ \(nats-server [\d.]+\); one server keeps it\.\nAPI key, shown this once.*: weir_/,
			),
		});
		const again = await a.weir("init");
		expect(again.status).toBe(1);
		expect(again.stderr).toMatch(/has a fleet of that name|member of the fleet "prod" already/);
	});

	it("shows no machine that does not run", async () => {
		const asked = await a.weir("status");
		expect(asked.status).toBe(1);
		expect(asked.stderr).toMatch(/no weir runs on .*; start it with weir serve/);
	});

	it("has another machine join by its start, and a request there served as was put here", async () => {
		await Promise.all([a.start(), b.start()]);
		await b.is("in_sync");
		await a.running.route(echo.port);
		const put = await a.running.api("PUT", "/edges/https/e/routes/r/policy?wait=fleet", {
			on_http_request: [
				{
					actions: [
						{ type: "custom-response", config: { status_code: 418, body: "from the fleet" } },
					],
				},
			],
		});
		expect(put.status).toBe(200);
		expect(put.headers["fleet-applied"]).toBe("2/2");
		const answer = await b.running.get("/");
		expect([answer.status, answer.body]).toEqual([418, "from the fleet"]);
		expect((await a.weir("status")).stdout).toMatch(
			/machine-a \* +in_sync[\s\S]*machine-b +in_sync/,
		);
		expect((await b.weir("verify")).stdout).toMatch(
			/is the state of revision \d+ of the fleet "prod"/,
		);
		expect((await b.weir("log", "--limit", "1")).stdout).toMatch(/put p\/e\/r/);
	});

	it("has the same versions of a policy on all machines, and goes back to one from any", async () => {
		const policy = "/edges/https/e/routes/r/policy";
		const deny = { on_http_request: [{ actions: [{ type: "deny" }] }] };
		const put = await b.running.api("PUT", `${policy}?wait=fleet`, deny);
		expect([put.status, put.headers["fleet-applied"]]).toEqual([200, "2/2"]);
		const versionsAt = async (machine: Machine) =>
			JSON.parse((await machine.running.api("GET", `${policy}/versions`)).body).versions;
		expect(await versionsAt(a)).toMatchObject([{ version: 2, in_force: true }, { version: 1 }]);
		expect(await versionsAt(a)).toEqual(await versionsAt(b));
		const back = await b.running.api("POST", `${policy}/rollback?wait=fleet`, { to: 1 });
		expect([back.status, back.headers["fleet-applied"]]).toEqual([200, "2/2"]);
		expect((await a.running.get("/")).status).toBe(418);
		expect(await versionsAt(a)).toEqual(await versionsAt(b));
		expect((await a.weir("log", "--limit", "1")).stdout).not.toContain("v/");
	});

	it("has one set of keys, and keys of one machine", async () => {
		const [, key = ""] = (await a.keys("create", "--name", "ops")).stdout.trim().split(/ +/);
		const [, own = ""] = (await a.keys("create", "--local", "--name", "island")).stdout
			.trim()
			.split(/ +/);
		const statusAt = async (machine: Machine, bearer: string) =>
			(
				await send(machine.running.managementPort, "/edges/https", {
					headers: { authorization: `Bearer ${bearer}` },
				})
			).status;
		await until(async () => ((await statusAt(b, key)) === 200 ? true : undefined), "the key at B");
		expect([await statusAt(a, own), await statusAt(b, own)]).toEqual([200, 403]);
		expect((await a.keys("list")).stdout).toMatch(/island \(this machine alone\)/);
		expect((await b.keys("list")).stdout).not.toMatch(/island/);
		expect((await b.keys("revoke", "ops")).status).toBe(0);
		await until(async () => ((await statusAt(a, key)) === 403 ? true : undefined), "its end at A");
	});

	it("serves on without its engine, restarts too, and refuses writes with the reason", async () => {
		const members = 'weir_fleet_members{state="in_sync"}';
		await until(
			async () => ((await a.running.metric(members)) === 2 ? true : undefined),
			"both to be seen",
			30_000,
		);
		await engines.first.kill();
		await a.is("cut_off");
		expect(await a.running.metric(members)).toBeNaN();
		const put = await a.running.api("PUT", "/edges/https/e", { hostports: ["x.test"] });
		expect(put).toMatchObject({
			status: 503,
			headers: expect.objectContaining({ "retry-after": "5", "fleet-state": "cut_off" }),
			body: expect.stringMatching(/cut off from the fleet since .* Nothing was changed\./),
		});
		await b.stop();
		expect((await b.keys("create")).stderr).toMatch(/whose keys are changed through the weir/);
		await b.start();
		expect((await b.running.get("/")).status).toBe(418);
		expect((await b.running.api("GET", "/readyz")).status).toBe(200);
		const status = await b.weir("status");
		expect(status.status).toBe(1);
		expect(status.stdout).toMatch(/No engine since .*127\.0\.0\.1:\d+ refuses the connection/);
		expect((await b.keys("create")).stderr).toMatch(/cut off from the fleet/);
	});

	it("goes on by itself when the engine is back", async () => {
		await engines.first.start();
		await Promise.all([a.is("in_sync"), b.is("in_sync")]);
		await until(async () => {
			const { members } = (await a.seen()) as { members?: readonly unknown[] };
			return members?.length === 2 || undefined;
		}, "both to be heard of");
		const put = await b.running.api("PUT", "/edges/https/two?wait=fleet", {
			hostports: ["two.test"],
		});
		expect([put.status, put.headers["fleet-applied"]]).toEqual([201, "2/2"]);
	});

	it("is exported, and goes back to that as a change like any other", async () => {
		const file = join(a.folder, "export.gz");
		expect(await a.weir("export", file)).toMatchObject({
			status: 0,
			stdout: expect.stringMatching(/^Saved revision \d+: \d+ documents/),
		});
		await b.running.must(b.running.api("DELETE", "/edges/https/e"));
		await until(async () => ((await a.running.get("/")).status === 404 ? true : undefined), "404");
		expect((await b.weir("restore", file)).stdout).toMatch(
			/^Restored: 3 documents written, 0 deleted, in revision \d+ of the fleet/,
		);
		await until(async () => ((await a.running.get("/")).status === 418 ? true : undefined), "418");
		expect((await b.weir("restore", file)).stdout).toMatch(/is that of the file already/);
		expect((await b.weir("restore", a.config)).stderr).toMatch(/is no export of weir fleet export/);
		expect((await b.weir("restore", join(a.folder, "none"))).stderr).toMatch(/can't read .*ENOENT/);
	});

	it("is handed over to another weir of the machine", async () => {
		const taken = await (await import("../../e2e/commands.ts")).run(
			"upgrade",
			"--config",
			a.config,
		);
		expect(taken.stderr + taken.stdout).toMatch(/Upgraded: process \d+/);
		const put = await b.running.api("PUT", "/edges/https/three?wait=fleet", {
			hostports: ["three.test"],
		});
		expect([put.status, put.headers["fleet-applied"]]).toEqual([201, "2/2"]);
		const { pid } = /Upgraded: process (?<pid>\d+)/.exec(taken.stdout)?.groups ?? {};
		const own = await a.running.api("PUT", "/edges/https/four?wait=fleet", {
			hostports: ["four.test"],
		});
		expect([own.status, own.headers["fleet-applied"]]).toEqual([201, "2/2"]);
		process.kill(Number(pid), "SIGTERM");
		await a.running.exited;
		await until(async () => {
			const asked = await a.weir("status");
			return /no weir runs/.test(asked.stderr) || undefined;
		}, "the new one to end");
		a.server = undefined;
	});

	it("is left with what the machine has, and joined again with that saved", async () => {
		const left = (await a.weir("leave")).stdout;
		expect(left).toMatch(/^Left the fleet "prod" at revision \d+\. This machine is its own/);
		const [, former = ""] = /weir fleet forget (m_[\w-]+)/.exec(left) ?? [];
		expect((await b.weir("forget", "m_nobody")).stderr).toMatch(/has no member "m_nobody"/);
		expect((await b.weir("forget", former)).stdout).toMatch(/^Forgotten: m_/);
		expect(await a.fails()).toMatch(
			/^1 [\s\S]*has a configuration of its own and is not in the fleet "prod" yet; .*weir fleet init; .*--discard-local/,
		);
		a.fleet = null;
		await a.start();
		await a.running.must(a.running.api("PUT", "/edges/https/island", { hostports: ["i.test"] }));
		await a.stop();
		a.fleet = { name: "prod", servers: engines.urls, member: { name: "machine-a" } };
		const refused = await a.weir("join");
		expect(refused.status).toBe(1);
		expect(refused.stderr).toMatch(/not joined: .*--discard-local/);
		const joined = await a.weir("join", "--discard-local");
		expect(joined.stdout).toMatch(/^Joined: the fleet "prod" at revision \d+/);
		const saved = readdirSync(a.dataDir).filter((name) => name.startsWith("before-fleet-"));
		expect(saved).toHaveLength(1);
		await a.start();
		expect((await a.running.api("GET", "/edges/https/island")).status).toBe(404);
		expect((await a.running.get("/")).status).toBe(418);
	});

	it("has a lost log begun again, and the others go over to it", async () => {
		await a.stop();
		await engines.first.stop();
		engines.first.wipe();
		await engines.first.start();
		await until(async () => {
			const { stdout } = await b.weir("status");
			return /holds no stream .* run `weir fleet reseed`/.test(stdout) || undefined;
		}, "B to name the remedy");
		await b.stop();
		expect((await b.weir("reseed")).stdout).toMatch(
			/^The fleet "prod" goes on from revision \d+, with what this machine has/,
		);
		await Promise.all([a.start(), b.start()]);
		await Promise.all([a.is("in_sync"), b.is("in_sync")]);
		const put = await a.running.api("PUT", "/edges/https/after?wait=fleet", {
			hostports: ["after.test"],
		});
		expect([put.status, put.headers["fleet-applied"]]).toEqual([201, "2/2"]);
		expect((await a.running.get("/")).status).toBe(418);
	});

	it("gives its state to a machine whose folder was lost", async () => {
		await b.stop();
		rmSync(b.dataDir, { recursive: true });
		await b.start();
		await b.is("in_sync");
		expect(existsSync(b.dataDir)).toBe(true);
		// Its workers are told a moment later.
		await until(
			async () => (await b.running.get("/")).status === 418 || undefined,
			"the machine to serve what was given",
			20_000,
		);
	});
});
