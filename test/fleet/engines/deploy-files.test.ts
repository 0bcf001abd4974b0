/** The example files in deploy/fleet as they are, but for places: TLS, users by their certificates, rights of each role. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { connected, setUp } from "../../../src/fleet/log/nats/setup.ts";
import { until } from "../../e2e/harness.ts";
import { freePort } from "../../e2e/programs.ts";
import { Engine, Engines, NEW_PROGRAM } from "../engine.ts";
import { recordOn } from "../log/examples.ts";
import { Authority } from "./certificates.ts";
import { DEPLOY, moved } from "./deploy-files.ts";
import { settingsFor, setupAt } from "./nats-bench.ts";

const DAY_MS = 86_400_000;

describe.skipIf(NEW_PROGRAM === undefined)("one.conf", () => {
	let folder: string;
	let engines: Engines | undefined;
	const opened: NatsLog[] = [];
	afterEach(async () => {
		for (const log of opened.splice(0)) await log.close();
	});

	beforeAll(async () => {
		if (NEW_PROGRAM === undefined) return;
		folder = mkdtempSync(join(tmpdir(), "weir-deploy-"));
		const [ours, theirs] = [
			await Authority.make(folder, "ca"),
			await Authority.make(folder, "other-ca"),
		];
		await ours.sign("server", ["localhost", "127.0.0.1"]);
		for (const user of ["weir-admin", "ams-1", "edge-1", "nobody"]) await ours.sign(user, [user]);
		await theirs.sign("stranger", ["ams-1"]);
		const past = (days: number) => new Date(Date.now() - days * DAY_MS);
		await ours.sign("expired", ["ams-1"], { notBeforeDate: past(9), notAfterDate: past(1) });
		const [port, monitorPort] = [await freePort(), await freePort()];
		const config = moved(folder, "one.conf", {
			"0.0.0.0:4222": `127.0.0.1:${port}`,
			"127.0.0.1:8222": `127.0.0.1:${monitorPort}`,
		});
		copyFileSync(join(DEPLOY, "rights.conf"), join(folder, "rights.conf"));
		const engine = new Engine(NEW_PROGRAM, port, monitorPort, folder, config);
		await engine.start();
		engines = new Engines([engine], folder);
		const admin = as("weir-admin");
		const made = await setUp(admin, setupAt(0, { monitors: [engine.monitor] }));
		expect(made).toMatchObject({ replicas: 1, warnings: [] });
	});
	afterAll(async () => {
		await engines?.close();
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	});

	/** @param user whose certificate is shown; undefined: none */
	function as(user: string | undefined, ca = "ca", host = "127.0.0.1"): NatsLog {
		const own = (end: string) => (user === undefined ? null : join(folder, `${user}.${end}`));
		const log = new NatsLog(
			settingsFor([`tls://${host}:${engines?.first.port ?? 0}`], null, {
				tls: { ca: join(folder, `${ca}.crt`), cert: own("crt"), key: own("key") },
			}),
		);
		opened.push(log);
		return log;
	}

	function reasonOf(log: NatsLog): Promise<string> {
		return until(() => {
			let why: string | undefined;
			log.connection((state) => {
				if (!state.isUp && !state.why.includes("was made yet")) why = state.why;
			})();
			return why;
		}, "a reason");
	}

	it("lets a manager write", async () => {
		const log = as("ams-1", "ca", "localhost");
		await connected(log);
		expect(await log.append(recordOn((await log.tail()).last), 5000)).toHaveProperty("revision");
	});

	it("lets an edge read, and not write", async () => {
		const log = as("edge-1");
		await connected(log);
		const { last } = await log.tail();
		expect(await log.append(recordOn(last), 5000)).toMatchObject({
			refused: "not_permitted",
			why: expect.stringContaining("has no right to publish weir.prod.log"),
		});
		await expect(log.forget("m_one")).rejects.toMatchObject({ kind: "not_permitted" });
		expect((await log.tail()).last).toBe(last);
	});

	it("lets nobody else do anything", async () => {
		expect(await reasonOf(as("nobody"))).toContain("does not accept this machine's credentials");
		expect(await reasonOf(as(undefined))).toContain("does not take this machine's certificate");
		expect(await reasonOf(as("stranger"))).toContain("does not take this machine's certificate");
	});

	it("is told apart from another, and from certificates that are no good any more", async () => {
		expect(await reasonOf(as("ams-1", "other-ca"))).toContain(
			"shows a certificate that nobody here vouches for",
		);
		expect(await reasonOf(as("expired"))).toContain("expired.crt has expired on ");
		const plain = new NatsLog(settingsFor([`nats://127.0.0.1:${engines?.first.port}`], null));
		opened.push(plain);
		expect(await reasonOf(plain)).toContain("127.0.0.1");
	});

	it("and three.conf are understood by the server", () => {
		if (NEW_PROGRAM === undefined || folder === undefined) return;
		for (const name of ["one.conf", "three.conf"]) {
			const file = join(folder, name);
			writeFileSync(join(folder, "leafnodes.conf"), moved(folder, "leafnodes.conf", {}));
			const config = moved(folder, name, { "# include": "include" });
			writeFileSync(file, config);
			const said = spawnSync(NEW_PROGRAM.path, ["-t", "-c", file], { encoding: "utf8" });
			expect(said.stderr + said.stdout).toContain("is valid");
		}
	});
});
