/**
 * A reload that needs no new workers (contract 1, `SIGHUP`): logs and certificates are taken over by the workers that
 * run, beside a download that goes on; what does need new workers is named.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { type Server, startServer, until } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-settled-"));
const NAMES = ["first.example", "second.example"] as const;
let server: Server;
let pids: number[];
/** that of a download which goes on through all tests */
let held: ServerResponse | undefined;
let received = "";
let end: string | undefined;
const backend = createServer((incoming, outgoing) => {
	if (incoming.url !== "/held") {
		outgoing.end();
		return;
	}
	outgoing.write("begun");
	held = outgoing;
});

/** Serial number and name of what the listener shows. */
const shown = (servername: string): Promise<{ serial: string; name: string }> =>
	new Promise((resolve, reject) => {
		const socket = connect(
			{ host: "127.0.0.1", port: server.ports[1], servername, rejectUnauthorized: false },
			() => {
				const { serialNumber, subject } = socket.getPeerCertificate();
				resolve({ serial: serialNumber, name: String(subject.CN) });
				socket.destroy();
			},
		);
		socket.on("error", reject);
	});

let reloads = 0;
const reloaded = async (): Promise<Record<string, unknown>> => {
	server.child.kill("SIGHUP");
	reloads++;
	return until(
		() => server.logLines().filter(({ msg }) => msg === "config reloaded")[reloads - 1],
		"the reload",
	);
};

beforeAll(async () => {
	for (const name of NAMES) await writeCertificate(folder, name, name);
	await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
	const tls = NAMES.map((name) => ({
		cert: `${folder}/${name}.crt`,
		key: `${folder}/${name}.key`,
	}));
	server = await startServer({
		workers: 2,
		config: {
			listen: [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", tls }],
			log: { access: true },
		},
	});
	await server.route((backend.address() as AddressInfo).port);
	pids = server.workerPids();
	request(
		{
			host: "127.0.0.1",
			port: server.ports[1],
			path: "/held",
			rejectUnauthorized: false,
			agent: false,
		},
		(incoming) => {
			incoming.setEncoding("utf8");
			incoming.on("data", (text) => {
				received += text;
			});
			incoming.on("error", ({ message }) => {
				end = message;
			});
			incoming.on("end", () => {
				end ??= "whole";
			});
		},
	).end();
	await until(() => received === "begun" || undefined, "the beginning of a download");
});
afterAll(async () => {
	await server?.cleanUp();
	backend.closeAllConnections();
	backend.close();
	rmSync(folder, { recursive: true, force: true });
});

it("nothing changed: the same workers go on, in log files that were rotated", async () => {
	const rotated = `${server.logFile}.1`;
	renameSync(server.logFile, rotated);
	expect(await reloaded()).toMatchObject({ workers: 2, new_workers: false });
	expect(existsSync(rotated)).toBe(true);
	const writers = () => new Set(server.logLines().map(({ pid }) => pid));
	await until(async () => {
		await server.get("/");
		return pids.every((pid) => writers().has(pid)) || undefined;
	}, "lines of every worker in the new file");
	expect(server.workerPids()).toEqual(pids);
});

it.runIf(process.platform === "linux")(
	"renewed certificates, the default one too, are shown by the same workers",
	async () => {
		const before = await Promise.all([...NAMES, "unknown.example"].map(shown));
		for (const name of NAMES) await writeCertificate(folder, name, name);
		expect(await reloaded()).toMatchObject({ new_workers: false });
		for (let round = 0; round < 10; round++) {
			const after = await Promise.all([...NAMES, "unknown.example"].map(shown));
			expect(after.map(({ name }) => name)).toEqual([...NAMES, NAMES[0]]);
			for (const [index, { serial }] of after.entries())
				expect(serial).not.toBe(before[index]?.serial);
		}
		expect(server.workerPids()).toEqual(pids);
	},
);

it("settings of the log and of drains take no new workers; others are named", async () => {
	server.configure({ timeouts: { drain_ms: 20_000 }, log: { destination: server.logFile } });
	expect(await reloaded()).toMatchObject({ new_workers: false });
	expect(server.workerPids()).toEqual(pids);
	server.configure({ timeouts: { drain_ms: 20_000, idle_ms: 50_000 }, workers: 1 });
	expect(await reloaded()).toMatchObject({ new_workers: true, workers: 1 });
	const told = server.logLines().filter(({ reasons }) => reasons !== undefined);
	expect(told).toMatchObject([{ reasons: ["workers", "timeouts.idle_ms"] }]);
});

it("the download outlives all of it", async () => {
	expect([received, end]).toEqual(["begun", undefined]);
	held?.end(" and ended");
	await until(() => end, "the end of the download");
	expect([received, end]).toEqual(["begun and ended", "whole"]);
});
