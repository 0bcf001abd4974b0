/** Session tickets beside real workers: whichever made one, all of them take it, also later ones (contract 1). */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { visit } from "../edge/tls/ticket-client.ts";
import {
	kill,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const VERSIONS = ["TLSv1.2", "TLSv1.3"] as const;
/** with fewer, all might come to one worker by chance: 1 in 2 ^ 23 */
const VISITS = 24;
const folder = mkdtempSync(join(tmpdir(), "weir-tickets-"));
const sessions = new Map<string, Buffer | undefined>();
let server: Server;
let upstream: TestUpstream;
let visits = 0;

beforeAll(async () => {
	upstream = await startUpstream();
	const { cert, key } = await writeCertificate(folder, "ticket", "ticket.test");
	server = await startServer({
		workers: 2,
		config: {
			listen: [{ address: "127.0.0.1:0", tls: { cert, key } }],
			log: { access: true },
		},
	});
	await server.route(upstream.port);
	for (const version of VERSIONS) {
		const first = await visit(server.port, version);
		expect(first.reused).toBe(false);
		expect(first.body).toContain("upstream");
		sessions.set(version, first.session);
	}
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** The clients of the beginning come again. @returns the workers that answered them */
async function comeAgain(): Promise<Set<number>> {
	const paths: string[] = [];
	for (const version of VERSIONS) {
		const reused: boolean[] = [];
		for (let visiting = 0; visiting < VISITS; visiting++) {
			const path = `/${visits++}`;
			paths.push(path);
			const session = sessions.get(version);
			reused.push((await visit(server.port, version, { session, path })).reused);
		}
		expect([version, reused]).toEqual([version, Array(VISITS).fill(true)]);
	}
	return until(() => {
		const by = server.answeredBy();
		const pids = paths.map((path) => by.get(path));
		return pids.includes(undefined) ? undefined : new Set(pids as number[]);
	}, "the access log");
}

it("every worker takes the tickets of every other, and nothing is said against it", async () => {
	expect([...(await comeAgain())].sort()).toEqual(server.workerPids().sort());
	expect(server.logLines().filter(({ level }) => level === "warn")).toEqual([]);
});

it("a worker that took a dead one's place takes them, too", async () => {
	const [victim = 0] = server.workerPids();
	kill(victim, "SIGKILL");
	await until(
		() => server.logLines().find(({ msg }) => msg === "worker started again"),
		"another worker",
	);
	const pids = server.workerPids();
	expect(pids).not.toContain(victim);
	expect([...(await comeAgain())].sort()).toEqual(pids.sort());
});

it("and so do the workers after a reload", async () => {
	const before = server.workerPids();
	server.replaceWorkers();
	await server.replaced();
	const pids = await comeAgain();
	expect([...pids].filter((pid) => before.includes(pid))).toEqual([]);
	expect(pids.size).toBe(2);
});
