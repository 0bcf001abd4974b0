/**
 * What an operator gets wrong about a fleet: each is a sentence with its remedy, and changes nothing. And what a machine may
 * not do: an edge's writes, requests of one that was cut off for too long.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeCertificate } from "../../certificate.ts";
import { type EchoUpstream, startEcho } from "../../e2e/echo.ts";
import { until } from "../../e2e/harness.ts";
import { freePort } from "../../e2e/programs.ts";
import { type Engines, PROGRAMS, startEngine } from "../engine.ts";
import { Machine } from "./machine.ts";

const program = PROGRAMS.at(-1);
// Processes start and end in each of them.
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(program === undefined)("a fleet refuses", () => {
	let engines: Engines;
	let echo: EchoUpstream;
	let first: Machine;
	const machines: Machine[] = [];
	const machine = (name: string, more = {}, servers = engines.urls): Machine => {
		const made = new Machine(name, servers, more);
		machines.push(made);
		return made;
	};

	beforeAll(async () => {
		if (program === undefined) return;
		engines = await startEngine(program);
		echo = await startEcho();
		first = machine("first");
		await first.weir("init");
		await first.start();
		await first.running.route(echo.port);
	});
	afterAll(async () => {
		await Promise.all(machines.map((each) => each.cleanUp()));
		await Promise.all([engines?.close(), echo?.close()]);
	});

	it("an address where nobody is", async () => {
		const lost = machine("lost", {}, [`nats://127.0.0.1:${await freePort()}`]);
		const joined = await lost.weir("join");
		expect(joined.status).toBe(1);
		expect(joined.stderr).toMatch(
			/127\.0\.0\.1:\d+ refuses the connection: start nats-server there, or correct fleet\.servers/,
		);
		expect((await lost.weir("init")).stderr).toMatch(/refuses the connection/);
		await lost.start();
		const ready = await lost.running.api("GET", "/readyz");
		expect([ready.status, ready.body]).toEqual([503, expect.stringMatching(/no configuration of/)]);
		expect((await lost.running.get("/")).status).toBe(503);
	});

	it("a name that no fleet has there, and one that has another fleet", async () => {
		const misspelt = machine("misspelt", { name: "prd" });
		expect((await misspelt.weir("join")).stderr).toMatch(
			/holds no stream WEIR_PRD_LOG: fleet\.name "prd" is misspelt/,
		);
		expect((await misspelt.weir("init", "--replicas", "2")).stderr).toMatch(/--replicas: 1 or 3/);
		const rival = machine("rival");
		expect((await rival.weir("init")).stderr).toMatch(/has a fleet of that name/);
		expect((await rival.weir("status")).stderr).toMatch(/no weir runs/);
		expect((await rival.weir("join")).status).toBe(0);
		rival.fleet = { ...rival.fleet, name: "prd" };
		expect(await rival.fails()).toMatch(
			/belongs to the fleet "prod", and the configuration names "prd"/,
		);
		rival.fleet = null;
		expect(await rival.fails()).toMatch(
			/belongs to the fleet "prod", and the configuration names none/,
		);
		expect((await rival.weir("init")).stderr).toMatch(/the configuration names no fleet/);
	});

	it("another fleet of the same name at another engine", async () => {
		if (program === undefined) return;
		const other = await startEngine(program);
		try {
			const begun = machine("begun", {}, other.urls);
			expect((await begun.weir("init")).status).toBe(0);
			const before = (await begun.weir("verify")).stdout;
			begun.fleet = { ...begun.fleet, servers: engines.urls };
			await begun.start();
			await until(async () => {
				const { stdout } = await begun.weir("status");
				return /belongs to another fleet of the same name "prod"/.test(stdout) || undefined;
			}, "the sentence");
			expect((await begun.weir("status")).status).toBe(1);
			await begun.stop();
			expect((await begun.weir("verify")).stdout).toBe(before);
		} finally {
			await other.close();
		}
	});

	it("a name that another machine has", async () => {
		const twin = machine("twin", { member: { name: "first" } });
		await until(async () => {
			const { members } = (await first.seen()) as { members?: readonly unknown[] };
			return (members?.length ?? 0) > 0 || undefined;
		}, "the first to be heard of");
		const joined = await twin.weir("join");
		expect([joined.status, joined.stderr]).toEqual([
			1,
			expect.stringMatching(/is called "first" too \(m_.*fleet\.member\.name/),
		]);
		expect((await twin.weir("verify")).stderr).toMatch(/is in no fleet/);
	});

	it("an engine that takes small messages only", async () => {
		if (program === undefined) return;
		const small = await startEngine(program, { maxPayload: "1MB" });
		try {
			const begun = machine("small", {}, small.urls);
			expect((await begun.weir("init")).stderr).toMatch(
				/takes messages of 1048576 bytes, .*write `max_payload: 8MB` into its nats-server\.conf/,
			);
			expect((await begun.weir("verify")).stderr).toMatch(/is in no fleet/);
		} finally {
			await small.close();
		}
	});

	it("writes of an edge, and says where they go", async () => {
		const edge = machine("edge", { role: "edge" });
		await edge.start();
		await edge.is("in_sync");
		const put = await edge.running.api("PUT", "/edges/https/x", { hostports: ["x.test"] });
		expect(put.status).toBe(403);
		expect(JSON.parse(put.body)).toMatchObject({ error_code: "ERR_FLEET_READ_ONLY" });
		expect((await edge.running.get("/")).status).toBe(200);
	});

	it("requests, where the configuration says so, once it is cut off for long", async () => {
		const strict = machine("strict", { when_cut_off: { refuse_after: "2s" } });
		await strict.start();
		await strict.is("in_sync");
		const answers = async () => ((await strict.running.get("/")).status === 200 ? true : undefined);
		// Its workers hear a moment after it that it is not cut off any more.
		await until(answers, "requests to be answered");
		await engines.first.kill();
		await until(async () => {
			const { status, body } = await strict.running.get("/");
			return (status === 503 && /ERR_FLEET_CUT_OFF/.test(body)) || undefined;
		}, "requests to be refused");
		const ready = await strict.running.api("GET", "/readyz");
		expect([ready.status, ready.body]).toEqual([
			503,
			expect.stringMatching(/cut off from the fleet prod since .*when_cut_off/),
		]);
		// A restart is no way round it.
		await strict.stop();
		await strict.start();
		expect((await strict.running.get("/")).status).toBe(503);
		expect((await first.running.get("/")).status).toBe(200);
		await engines.first.start();
		await until(answers, "requests to be answered again");
	});

	it("certificates that nobody vouches for; takes renewed ones at SIGHUP", async () => {
		if (program === undefined) return;
		const folder = mkdtempSync(join(tmpdir(), "weir-fleet-tls-"));
		const good = await writeCertificate(folder, "good", "localhost", ["localhost"]);
		const bad = await writeCertificate(folder, "bad", "localhost", ["localhost"]);
		const secure = await startEngine(program, {
			config: `tls { cert_file: "${good.cert}", key_file: "${good.key}" }`,
		});
		try {
			const servers = [`tls://localhost:${secure.first.port}`];
			const ca = join(folder, "ca.crt");
			copyFileSync(bad.cert, ca);
			const own = machine("secure", { tls: { ca } }, servers);
			expect((await own.weir("init")).stderr).toMatch(/fleet\.tls\.ca must name the CA/);
			copyFileSync(good.cert, ca);
			expect((await own.weir("init")).status).toBe(0);
			copyFileSync(bad.cert, ca);
			await own.start();
			await own.is("cut_off");
			copyFileSync(good.cert, ca);
			own.running.child.kill("SIGHUP");
			await own.is("in_sync");
		} finally {
			await secure.close();
			rmSync(folder, { recursive: true });
		}
	});

	it("credentials that the engine does not know", async () => {
		if (program === undefined) return;
		const closed = await startEngine(program, {
			config: 'authorization { users: [{ user: "somebody", password: "secret" }] }',
		});
		try {
			const stranger = machine("stranger", {}, closed.urls);
			expect((await stranger.weir("init")).stderr).toMatch(
				/does not accept this machine's credentials: fleet\.credentials/,
			);
			expect(existsSync(stranger.dataDir)).toBe(true);
			expect((await stranger.weir("verify")).stderr).toMatch(/is in no fleet/);
		} finally {
			await closed.close();
		}
	});
});
