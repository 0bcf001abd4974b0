/** Contract 6, TLS backends: what clients get and what the log says, over a whole edge. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { BackendTls } from "../../src/store/backend-tls.ts";
import { type CertificateFiles, writeCertificate } from "../certificate.ts";
import { ask, get, startEdge, type TestEdge } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-tls-backends-"));
let files: CertificateFiles;
let other: CertificateFiles;
let server: Server;
let url: string;
beforeAll(async () => {
	files = await writeCertificate(folder, "server", "backend.test");
	other = await writeCertificate(folder, "other", "other.test");
	server = createServer({ cert: files.pem, key: readFileSync(files.key) }, (_, response) => {
		response.end("secret");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
	server.close();
	server.closeAllConnections();
	rmSync(folder, { recursive: true });
});

let edge: TestEdge | undefined;
afterEach(() => edge?.close());

const answered = async (tls: BackendTls | undefined): Promise<[number, unknown[]]> => {
	edge = await startEdge({ urls: [url], backend: tls === undefined ? {} : { tls } });
	const { status } = await ask(edge.port, get("/"));
	const lines = edge.lines
		.filter(({ message }) => message !== "upstream failed")
		.map(({ message, fields }) => [message, fields]);
	return [status, lines];
};

const failed = (reason: RegExp) => [
	"request failed upstream",
	{
		edge: "e",
		route: "r",
		request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
		backend: [url],
		failure: "connect",
		reason: expect.stringMatching(reason),
		status: 502,
	},
];

it("passes with the backend's authority", async () => {
	expect(await answered({ ca: files.cert, server_name: "backend.test" })).toEqual([200, []]);
});

it.each([
	["no", undefined, /self-signed certificate/],
	["another", () => ({ ca: other.cert, server_name: "backend.test" }), /self-signed certificate/],
	["no such", () => ({ ca: "/no/such/ca.pem" }), /tls\.ca \/no\/such\/ca\.pem: ENOENT/],
	["the right one, not its name", () => ({ ca: files.cert }), /127\.0\.0\.1/],
])("is 502 with %s authority, and the log says why", async (_, tls, reason) => {
	expect(await answered(tls?.())).toEqual([502, [failed(reason)]]);
});

it("warns of a backend that is not verified, when it comes into use", async () => {
	const warning = ["a backend's certificate is not verified", { backend: [url] }];
	expect(await answered({ verify: false })).toEqual([200, [warning]]);
});
