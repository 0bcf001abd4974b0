/** A member that can't reach its engine says which server, why, and what to do; it goes on trying. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUser } from "@nats-io/nkeys";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Connection, FleetLog } from "../../../src/fleet/log/log.ts";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import type { EngineSettings } from "../../../src/fleet/log/nats/settings.ts";
import { connected, setUp } from "../../../src/fleet/log/nats/setup.ts";
import { until } from "../../e2e/harness.ts";
import { freePort } from "../../e2e/programs.ts";
import { type Engines, NEW_PROGRAM, PROGRAMS, startEngine } from "../engine.ts";
import { recordOn } from "../log/examples.ts";
import { settingsFor, setupAt } from "./nats-bench.ts";

const program = NEW_PROGRAM ?? PROGRAMS[0];

const opened: { close(): unknown }[] = [];
afterEach(async () => {
	for (const one of opened.splice(0)) await one.close();
});

function logAt(server: string | readonly string[], fields: Partial<EngineSettings> = {}): NatsLog {
	const log = new NatsLog(settingsFor([server].flat(), null, fields));
	opened.push(log);
	return log;
}

/** Why it is not connected, once it has tried. @param part of what is waited for */
function reasonOf(log: FleetLog, part = ""): Promise<string> {
	return until(() => {
		let why: string | undefined;
		log.connection((state: Connection) => {
			const isTold = !state.isUp && !state.why.includes("was made yet");
			if (isTold && state.why.includes(part)) why = state.why;
		})();
		return why;
	}, `a reason: ${part}`);
}

async function listening(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	opened.push({ close: () => server.close() });
	return `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a server that is not there", () => {
	it("refuses the connection", async () => {
		const port = await freePort();
		const log = logAt(`nats://127.0.0.1:${port}`);
		expect(await reasonOf(log)).toBe(
			`127.0.0.1:${port} refuses the connection: start nats-server there, or correct fleet.servers (ECONNREFUSED).`,
		);
		await expect(log.tail()).rejects.toMatchObject({ kind: "unreachable" });
		expect(await log.append(recordOn(0), 100)).toEqual({ unknown: await reasonOf(log) });
		await expect(connected(log, 500)).rejects.toThrow("refuses the connection");
	});

	it("has no address", async () => {
		expect(await reasonOf(logAt("nats://no-such-host.invalid:4222"))).toContain(
			"no-such-host.invalid:4222 has no address: correct the name in fleet.servers",
		);
	});

	it("is told of for each of several", async () => {
		const [one, two] = [await freePort(), await freePort()];
		const why = await reasonOf(logAt([`nats://127.0.0.1:${one}`, `nats://127.0.0.1:${two}`]));
		expect(why.match(/refuses the connection/g)?.length).toBe(2);
	});

	it("says nothing", { timeout: 30_000 }, async () => {
		const server = await listening(createTcpServer(() => {}));
		expect(await reasonOf(logAt(server))).toContain("does not answer: look at the network");
	});

	it("is something else", async () => {
		const server = await listening(createServer((_, answer) => answer.end()));
		expect(await reasonOf(logAt(server))).toContain("does not answer");
		const chatty = await listening(createTcpServer((socket) => socket.end("220 smtp ready\r\n")));
		expect(await reasonOf(logAt(chatty))).toContain("not as nats-server does");
	});
});

describe.skipIf(program === undefined)("a server that is not as it must be", () => {
	let engines: Engines;
	let folder: string;
	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), "weir-connections-"));
		if (program !== undefined) engines = await startEngine(program, { maxPayload: "1MB" });
	});
	afterAll(async () => {
		await engines?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it("takes messages that are too small", async () => {
		expect(await reasonOf(logAt(engines.first.url))).toContain(
			"takes messages of 1048576 bytes, and a policy can need 2162688: write `max_payload: 8MB` into its nats-server.conf",
		);
	});

	it("has no such fleet", async () => {
		const log = logAt(engines.first.url, { minPayloadBytes: 1000, fleet: "prdo" });
		await connected(log);
		await expect(log.tail()).rejects.toMatchObject({
			kind: "missing",
			message: expect.stringMatching(
				/holds no stream WEIR_PRDO_LOG: fleet.name "prdo" is misspelt, or `weir fleet init` was never run/,
			),
		});
		await expect(log.append(recordOn(0), 1000)).rejects.toMatchObject({ kind: "missing" });
		await expect(log.at(1)).rejects.toMatchObject({ kind: "missing" });
		await expect(log.seen()).rejects.toMatchObject({ kind: "missing" });
		await expect(log.snapshots.list()).rejects.toMatchObject({ kind: "missing" });
	});

	it("offers no TLS", async () => {
		const server = engines.first.url.replace("nats:", "tls:");
		expect(await reasonOf(logAt(server))).toContain("offers no TLS");
	});

	it("is asked with a credentials file that is not there, or holds none", async () => {
		const missing = new NatsLog(settingsFor(engines.urls, join(folder, "none")));
		opened.push(missing);
		expect(await reasonOf(missing)).toContain("fleet.credentials: ");
		expect(await reasonOf(missing)).toContain("ENOENT");
		const file = join(folder, "empty");
		writeFileSync(file, "hello\n");
		const empty = new NatsLog(settingsFor(engines.urls, file));
		opened.push(empty);
		expect(await reasonOf(empty)).toContain("holds no nkey seed");
	});
});

describe.skipIf(program === undefined)("a server with users", () => {
	let engines: Engines;
	let folder: string;
	const [known, deaf, stranger] = [createUser(), createUser(), createUser()];
	const file = (name: string) => join(folder, name);
	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), "weir-connections-"));
		for (const [name, pair] of Object.entries({ known, deaf, stranger }))
			writeFileSync(file(name), pair.getSeed());
		if (program === undefined) return;
		const config = `authorization { users: [
			{ nkey: "${known.getPublicKey()}" }
			{ nkey: "${deaf.getPublicKey()}", permissions: { subscribe: ["_INBOX.weir.>"] } }
		] }`;
		engines = await startEngine(program, { config });
		const admin = new NatsLog(settingsFor(engines.urls, file("known")));
		await setUp(admin, setupAt(0));
		await admin.close();
	});
	afterAll(async () => {
		await engines?.close();
		rmSync(folder, { recursive: true, force: true });
	});
	const as = (name: string) => {
		const log = new NatsLog(settingsFor(engines.urls, file(name)));
		opened.push(log);
		return log;
	};

	it("does not know us", async () => {
		expect(await reasonOf(as("stranger"))).toContain(
			"does not accept this machine's credentials: fleet.credentials",
		);
	});

	it("takes us as soon as the file is right, without a start", async () => {
		const log = as("stranger");
		await reasonOf(log);
		writeFileSync(file("stranger"), known.getSeed());
		await connected(log);
		expect((await log.tail()).last).toBe(0);
		writeFileSync(file("stranger"), stranger.getSeed());
		await log.refresh();
		await reasonOf(log, "does not accept this machine's credentials");
	});

	it("does not let us hear of records", async () => {
		const log = as("deaf");
		log.live(() => {});
		expect(await reasonOf(log)).toContain(
			"does not let this machine's user subscribe to weir.prod.live",
		);
	});
});
