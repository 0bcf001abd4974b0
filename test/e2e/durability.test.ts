/**
 * `kill -9` of supervisor and workers in a storm of writes (contract 2, "Durable"): after a restart
 * nothing acknowledged is lost, nothing is half there, and the data path serves it.
 */
import { afterAll, expect, it } from "vitest";
import { type Server, startServer, startUpstream, until } from "./harness.ts";

const CLIENTS = 6;
const ROUNDS = 4;

/** A document whose parts can be checked against each other: half of one can't pass for a whole. */
const policy = (client: number, version: number) => ({
	inbound: Array.from({ length: 5 }, (_, rule) => ({
		name: `${client}/${version}/${rule}`,
		actions: [{ type: "log", config: { metadata: { message: `v${version}` } } }],
	})),
	outbound: [{ name: `${client}/${version}/out`, actions: [{ type: "log", config: {} }] }],
});

function versionOf(client: number, body: string): number {
	const module = JSON.parse(body) as { inbound: { name: string }[]; outbound: { name: string }[] };
	const version = Number(module.inbound[0]?.name.split("/")[1]);
	expect(module.inbound.map(({ name }) => name)).toEqual(
		policy(client, version).inbound.map(({ name }) => name),
	);
	expect(module.outbound[0]?.name).toBe(`${client}/${version}/out`);
	return version;
}

let server: Server | undefined;
afterAll(async () => {
	await server?.cleanUp();
});

it("loses nothing that was acknowledged", { timeout: 120_000 }, async () => {
	const upstream = await startUpstream();
	server = await startServer({ workers: 2 });
	await server.route(upstream.port);
	const acknowledged = new Array<number>(CLIENTS).fill(0);
	let version = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const current: Server = server;
		const attempted = [...acknowledged];
		let writing = true;
		let answers = 0;
		const clients = acknowledged.map(async (_, client) => {
			while (writing) {
				version += 1;
				const mine = version;
				attempted[client] = mine;
				const path = `/edges/https/e/routes/r${client}/policy`;
				const answer = await current.api("PUT", path, policy(client, mine)).catch(() => undefined);
				if (answer === undefined) return;
				expect(answer.status).toBe(200);
				acknowledged[client] = mine;
				answers += 1;
			}
		});
		await until(() => (answers >= 40 * (round + 1) ? true : undefined), "writes to be answered");
		await current.killAll();
		writing = false;
		await Promise.all(clients);
		server = await startServer({ folder: current.folder, workers: 2 });
		for (let client = 0; client < CLIENTS; client++) {
			const stored = await server.api("GET", `/edges/https/e/routes/r${client}/policy`);
			expect(stored.status).toBe(200);
			// Either the last acknowledged one, or the one that was on its way when everything died.
			const found = versionOf(client, stored.body);
			expect([acknowledged[client], attempted[client]]).toContain(found);
			acknowledged[client] = found;
		}
		expect((await server.get("/")).body).toBe("upstream");
	}
	await upstream.close();
});
