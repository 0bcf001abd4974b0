/** A member behind a leaf node, with the example files of hub and leaf: it follows and writes as others do. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { connected, setUp } from "../../../src/fleet/log/nats/setup.ts";
import { until } from "../../e2e/harness.ts";
import { freePort } from "../../e2e/programs.ts";
import { Engine, Engines, NEW_PROGRAM } from "../engine.ts";
import { allOf, recordOn, snapshotOf, statusOf } from "../log/examples.ts";
import { Authority } from "./certificates.ts";
import { DEPLOY, moved } from "./deploy-files.ts";
import { settingsFor, setupAt } from "./nats-bench.ts";

describe.skipIf(NEW_PROGRAM === undefined)("a leaf", () => {
	let folder: string | undefined;
	let engines: Engines | undefined;
	let behind: NatsLog;
	let direct: NatsLog;

	beforeAll(async () => {
		if (NEW_PROGRAM === undefined) return;
		folder = mkdtempSync(join(tmpdir(), "weir-leaf-"));
		const authority = await Authority.make(folder, "ca");
		const rights = readFileSync(join(DEPLOY, "rights.conf"), "utf8");
		const servers: Engine[] = [];
		const [hubPort, leafPort, link] = [await freePort(), await freePort(), await freePort()];
		for (const [name, port] of [
			["hub", hubPort],
			["leaf", leafPort],
		] as const) {
			const own = join(folder, name);
			mkdirSync(own);
			const monitorPort = await freePort();
			const places = {
				"0.0.0.0:4222": `127.0.0.1:${port}`,
				"127.0.0.1:8222": `127.0.0.1:${monitorPort}`,
				"0.0.0.0:7422": `127.0.0.1:${link}`,
				"nats-1:7422": `127.0.0.1:${link}`,
				"# include leafnodes.conf": "include leafnodes.conf",
			};
			const ownAuthority = authority.in(own);
			await ownAuthority.sign("server", ["127.0.0.1", ...(name === "leaf" ? ["leaf-ams"] : [])]);
			writeFileSync(join(own, "leafnodes.conf"), moved(own, "leafnodes.conf", places));
			writeFileSync(
				join(own, "rights.conf"),
				name === "hub" ? rights : rights.replaceAll("$JS.API.", "$JS.hub.API."),
			);
			const config = moved(own, name === "hub" ? "one.conf" : "leaf.conf", places);
			servers.push(new Engine(NEW_PROGRAM, port, monitorPort, own, config));
		}
		engines = new Engines(servers, folder);
		for (const user of ["weir-admin", "ams-1", "edge-1"]) await authority.sign(user, [user]);
		await Promise.all(servers.map((server) => server.start()));
		direct = as("weir-admin", hubPort, null);
		behind = as("ams-1", leafPort, "hub");
	});
	beforeEach(async () => {
		await setUp(direct, setupAt(0));
		await connected(behind);
		// The hub hears a moment later who wants to hear what behind the leaf.
		await until(() => behind.tail().catch(() => undefined), "the way through the leaf");
	});
	afterAll(async () => {
		await Promise.all([direct?.close(), behind?.close()]);
		await engines?.close();
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	});

	function as(user: string, port: number, domain: string | null): NatsLog {
		const path = (end: string) => join(folder ?? "", end);
		const tls = { ca: path("ca.crt"), cert: path(`${user}.crt`), key: path(`${user}.key`) };
		return new NatsLog(settingsFor([`tls://127.0.0.1:${port}`], null, { tls, domain }));
	}

	it("lets through records, statuses and snapshots, both ways", async () => {
		const heard: number[] = [];
		behind.live(({ revision }) => heard.push(revision));
		await behind.tail();
		expect(await behind.append(recordOn(0), 5000)).toEqual({ revision: 1 });
		expect(await direct.append(recordOn(1), 5000)).toEqual({ revision: 2 });
		expect(await behind.append(recordOn(0), 5000)).toEqual({ conflict: 2 });
		await vi.waitFor(() => expect(heard).toEqual([1, 2]), { timeout: 5000 });
		expect((await allOf(behind.read(1, 2))).map(({ revision }) => revision)).toEqual([1, 2]);
		behind.say(statusOf("m_behind"));
		await vi.waitFor(async () => expect((await direct.seen()).length).toBe(1), { timeout: 5000 });
		await behind.snapshots.put(snapshotOf(2, [["e/a", "b"]]));
		expect((await direct.snapshots.list()).map(({ revision }) => revision)).toEqual([2, 0]);
		const opened = await behind.snapshots.open("s-0000000000000002");
		expect(opened && (await allOf(opened.entries))).toEqual([["e/a", "b"]]);
	});

	it("says what is missing where the domain is", async () => {
		const lost = as("ams-1", engines?.servers[1]?.port ?? 0, null);
		await connected(lost);
		await expect(lost.tail()).rejects.toThrow(
			/no right to publish|the hub's domain as fleet.domain/,
		);
		await lost.close();
	});
});
