/** Session tickets under keys that several edges share, as workers do, and that are replaced. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Config, configSchema, type TlsFiles, type TlsSettings } from "../../../src/config.ts";
import type { TicketSecrets } from "../../../src/edge/tls/ticket-key.ts";
import { WorkerTickets } from "../../../src/edge/tls/worker-tickets.ts";
import type { us_listen_socket } from "../../../src/http/uws.ts";
import { writeCertificate } from "../../certificate.ts";
import { listenerWith } from "../../listener.ts";
import { recordedLog } from "../../process/recorded-log.ts";
import { RawUpstream, startEdge, type TestEdge } from "../harness.ts";
import { visit } from "./ticket-client.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-tickets-"));
const upstream = new RawUpstream();
const secret = (letter: string): string => Buffer.alloc(32, letter).toString("base64");
const A_B: TicketSecrets = { seal: secret("a"), open: secret("b") };
const VERSIONS = ["TLSv1.2", "TLSv1.3"] as const;

let url = "";
let certificates: readonly TlsFiles[];
const edges: TestEdge[] = [];

beforeAll(async () => {
	url = await upstream.listen();
	certificates = [
		await writeCertificate(folder, "first", "ticket.test"),
		await writeCertificate(folder, "second", "second.test"),
	];
});
afterEach(async () => {
	for (const edge of edges.splice(0)) await edge.close();
});
afterAll(async () => {
	await upstream.close();
	rmSync(folder, { recursive: true });
});

async function start(
	tickets?: TicketSecrets,
	host = "127.0.0.1",
	config: Partial<Config> = {},
): Promise<TestEdge> {
	const listener = listenerWith({ host, tls: certificates });
	const edge = await startEdge({ listen: [listener], urls: [url], tickets, config });
	edges.push(edge);
	return edge;
}

describe.each(VERSIONS)("%s", (version) => {
	const come = async (edge: TestEdge, session?: Buffer, servername?: string) => {
		const came = await visit(edge.port, version, { session, servername });
		expect([came.protocol, came.body]).toEqual([version, "ok"]);
		return came;
	};

	it("a ticket of one edge is taken by another, for every name, again and again", async () => {
		const [one, other] = [await start(A_B), await start(A_B)];
		for (const name of ["ticket.test", "second.test", "unknown.test"]) {
			let { reused, session } = await come(one, undefined, name);
			expect(reused).toBe(false);
			for (const edge of [other, one, other]) {
				const again = await come(edge, session, name);
				expect([name, again.reused]).toEqual([name, true]);
				session = again.session ?? session;
			}
		}
	});

	it("without shared secrets it is not, and neither by an edge with others", async () => {
		const { session } = await come(await start(), undefined);
		expect((await come(await start(), session)).reused).toBe(false);
		expect((await come(await start(A_B), session)).reused).toBe(false);
		const mine = await come(await start(A_B));
		const others = await start({ seal: secret("x"), open: secret("y") });
		expect((await come(others, mine.session)).reused).toBe(false);
	});

	it("the secret that only opens takes tickets; one that is gone means a full handshake", async () => {
		const edge = await start(A_B);
		const { session: byA } = await come(edge);
		edge.edge.setTickets({ seal: secret("b"), open: secret("a") });
		expect((await come(edge, byA)).reused).toBe(true);
		const { session: byB } = await come(edge);
		expect((await come(await start(A_B), byB)).reused).toBe(true);
		edge.edge.setTickets({ seal: secret("c"), open: secret("b") });
		expect((await come(edge, byB)).reused).toBe(true);
		expect((await come(edge, byA)).reused).toBe(false);
		edge.edge.setTickets({ seal: secret("d"), open: secret("c") });
		const afresh = await come(edge, byB);
		expect(afresh.reused).toBe(false);
		expect((await come(edge, afresh.session)).reused).toBe(true);
	});

	it("a listener takes none of another listener", async () => {
		const { session } = await come(await start(A_B));
		const elsewhere = await start(A_B, "0.0.0.0");
		expect((await come(elsewhere, session)).reused).toBe(false);
	});
});

it("a ticket is no way round tls.min_version or tls.ciphers that came with a reload", async () => {
	const before: TlsSettings = { minVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES256-GCM-SHA384" };
	const startWith = (tls: TlsSettings) => start(A_B, "127.0.0.1", { tls });
	const { session } = await visit((await startWith(before)).port, "TLSv1.2");
	expect((await visit((await startWith(before)).port, "TLSv1.2", { session })).reused).toBe(true);

	const { ciphers } = configSchema.parse({}).tls;
	const newer = await startWith({ minVersion: "TLSv1.3", ciphers });
	await expect(visit(newer.port, "TLSv1.2", { session })).rejects.toThrow(/handshake failure/);
	const others = await startWith({ minVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256" });
	expect(await visit(others.port, "TLSv1.2", { session })).toMatchObject({
		reused: false,
		body: "ok",
	});
});

it("says once where keys can't be shared, and serves all the same", async () => {
	const { log, lines } = recordedLog();
	const tickets = new WorkerTickets(A_B, log);
	const missing = { cert: join(folder, "missing"), key: join(folder, "missing") };
	const listener = listenerWith({ tls: [missing] });
	const edge = await start();
	for (const _listener of [1, 2]) {
		const giveKeys = await tickets.prepare(listener);
		giveKeys({} as us_listen_socket);
	}
	tickets.set(A_B);
	expect(lines).toMatchObject([
		{ level: "warn", message: "TLS session tickets are not shared: each worker has its own" },
	]);
	const { session } = await visit(edge.port, "TLSv1.3");
	expect((await visit(edge.port, "TLSv1.3", { session })).reused).toBe(true);
});
