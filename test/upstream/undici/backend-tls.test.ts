/** A backend's `tls`, against real TLS servers: whom weir trusts, which name it asks for, how it says who it is. */
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BackendTls } from "../../../src/store/backend-tls.ts";
import { tlsSettings } from "../../../src/upstream/undici/backend-tls.ts";
import { createUndiciUpstream } from "../../../src/upstream/undici/undici-upstream.ts";
import { type CertificateFiles, writeCertificate } from "../../certificate.ts";
import { type Answer, backend, bench } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

const folder = mkdtempSync(join(tmpdir(), "weir-backend-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));
let server: CertificateFiles & { readonly keyPem: string };
let client: CertificateFiles;
let stranger: CertificateFiles;

beforeAll(async () => {
	const made = await writeCertificate(folder, "server", "backend.test");
	server = { ...made, keyPem: readFileSync(made.key, "utf8") };
	client = await writeCertificate(folder, "client", "weir.test");
	stranger = await writeCertificate(folder, "stranger", "stranger.test");
});

/** A backend with the server's certificate. @param clients the authority of clients, which it then asks for */
const listening = (clients?: string) =>
	backend(answering(OK), {
		cert: server.pem,
		key: server.keyPem,
		...(clients === undefined ? {} : { ca: clients, requestCert: true, rejectUnauthorized: true }),
	});

const asked = (url: string, tls: BackendTls): Promise<Answer> =>
	bench(createUndiciUpstream, [url], {}, { tls }).ask();

it("trusts the authorities of `ca`, for the name of `server_name`, which it sends as SNI", async () => {
	const { url, connections } = await listening();
	const answer = await asked(url, { ca: server.cert, server_name: "backend.test" });
	expect([answer.message, answer.body.toString()]).toEqual(["", "ok"]);
	const socket = connections[0]?.socket as (TLSSocket & { servername?: unknown }) | undefined;
	expect(socket?.servername).toBe("backend.test");
});

it("reads the same files into one context, changed ones into another", () => {
	const contextOf = (tls: BackendTls) => tlsSettings(tls).secureContext;
	const [first, again] = [contextOf({ ca: server.cert }), contextOf({ ca: server.cert })];
	expect(again).toBe(first);
	expect(contextOf({ ca: stranger.cert })).not.toBe(first);
	expect(contextOf({})).not.toBe(first);
});

it("refuses authorities that are no PEM, which the library would pass over", () => {
	const file = join(folder, "authority.der");
	writeFileSync(file, new X509Certificate(server.pem).raw);
	expect(() => tlsSettings({ ca: file })).toThrow("has no certificate in PEM");
});

it("says why a certificate is refused", async () => {
	const { url } = await listening();
	const failures = async (tls: BackendTls) => {
		const { failure, message } = await asked(url, tls);
		return `${failure}: ${message}`;
	};
	expect(await failures({})).toMatch(/^connect: .*self-signed certificate/);
	expect(await failures({ ca: stranger.cert, server_name: "backend.test" })).toMatch(
		/^connect: .*self-signed certificate/,
	);
	expect(await failures({ ca: server.cert, server_name: "other.test" })).toMatch(
		/^connect: .*other\.test/,
	);
	expect(await failures({ ca: server.cert })).toMatch(/^connect: .*127\.0\.0\.1/);
});

it("verifies nothing with `verify: false`, and lets no other backend use such a session", async () => {
	const { url } = await listening();
	for (let round = 0; round < 2; round++) {
		expect((await asked(url, { verify: false })).body.toString()).toBe("ok");
		expect((await asked(url, {})).failure).toBe("connect");
		expect((await asked(url, { verify: true })).failure).toBe("connect");
	}
});

it("identifies itself with `client_cert`, and is refused without", async () => {
	const { url } = await listening(client.pem);
	const tls = { ca: server.cert, server_name: "backend.test" };
	const own = { client_cert: client.cert, client_key: client.key };
	expect((await asked(url, { ...tls, ...own })).body.toString()).toBe("ok");
	const other = { client_cert: stranger.cert, client_key: stranger.key };
	for (const bad of [tls, { ...tls, ...other }]) {
		const { failure, message } = await asked(url, bad);
		expect(failure).toBeDefined();
		expect(message).not.toBe("");
	}
});

it("names the file that it can't use", () => {
	const noPem = join(folder, "no.pem");
	writeFileSync(noPem, "nothing");
	const saying = (tls: BackendTls): string => {
		try {
			tlsSettings(tls);
			return "";
		} catch (error) {
			return (error as Error).message;
		}
	};
	expect(saying({ ca: "/no/such/file" })).toMatch(/^tls\.ca \/no\/such\/file: ENOENT/);
	expect(saying({ ca: folder })).toBe(`tls.ca ${folder}: is no regular file`);
	expect(saying({ ca: "/dev/zero" })).toBe("tls.ca /dev/zero: is no regular file");
	expect(saying({ ca: noPem })).toMatch(new RegExp(`^tls\\.ca ${noPem}: .`));
	const mixed = { client_cert: client.cert, client_key: stranger.key };
	expect(saying(mixed)).toMatch(
		new RegExp(`^tls\\.client_cert ${client.cert} with tls\\.client_key ${stranger.key}: .`),
	);
	expect(saying({ client_cert: noPem, client_key: client.key })).toContain(noPem);
	expect(saying({ ca: server.cert, client_cert: client.cert, client_key: client.key })).toBe("");
});
