/** Versions and cipher suites of TLS listeners (contract 1), as clients that offer others find them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { configSchema, type TlsFiles, type TlsSettings } from "../../../src/config.ts";
import { writeCertificate } from "../../certificate.ts";
import { startEdge, type TestEdge } from "../../edge/harness.ts";
import { listenerWith } from "../../listener.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-suites-"));
const DEFAULT: TlsSettings = {
	minVersion: "TLSv1.2",
	ciphers: configSchema.parse({}).tls.ciphers,
};
let certificates: readonly TlsFiles[];
let edge: TestEdge | undefined;

beforeAll(async () => {
	certificates = [
		await writeCertificate(folder, "first", "first.test"),
		await writeCertificate(folder, "second", "second.test"),
	];
});
afterEach(async () => {
	await edge?.close();
	edge = undefined;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function start(tls: TlsSettings): Promise<void> {
	const listener = listenerWith({ tls: certificates });
	edge = await startEdge({ listen: [listener], config: { tls } });
}

/** What was agreed upon, as `VERSION SUITE`; else the server's alert. */
function offer(options: ConnectionOptions, servername = "first.test"): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(
			{ host: "127.0.0.1", port: edge?.port, servername, rejectUnauthorized: false, ...options },
			() => {
				resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
				socket.destroy();
			},
		);
		socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
	});
}

const only = (ciphers: string): ConnectionOptions => ({ maxVersion: "TLSv1.2", ciphers });
/** as OpenSSL 3.0 and later ones call the alert handshake_failure */
const REFUSED = expect.stringMatching(/^ERR_SSL_SSL(V3|\/TLS)_ALERT_HANDSHAKE_FAILURE$/);

describe("by default", () => {
	it.each(["first.test", "second.test", "unknown.test"])(
		"agrees with %s only on suites with forward secrecy and AEAD",
		async (name) => {
			await start(DEFAULT);
			for (const suite of [
				"AES128-SHA",
				"AES256-SHA",
				"AES128-GCM-SHA256",
				"AES256-GCM-SHA384",
				"ECDHE-RSA-AES128-SHA",
				"ECDHE-RSA-AES256-SHA",
			]) {
				expect([suite, await offer(only(suite), name)]).toEqual([suite, REFUSED]);
			}
			for (const suite of [
				"ECDHE-RSA-AES128-GCM-SHA256",
				"ECDHE-RSA-AES256-GCM-SHA384",
				"ECDHE-RSA-CHACHA20-POLY1305",
			]) {
				expect(await offer(only(suite), name)).toBe(`TLSv1.2 ${suite}`);
			}
			expect(await offer({}, name)).toMatch(/^TLSv1\.3 TLS_/);
		},
	);

	it("speaks nothing older than TLS 1.2", async () => {
		await start(DEFAULT);
		const old: ConnectionOptions = {
			minVersion: "TLSv1",
			maxVersion: "TLSv1.1",
			ciphers: "DEFAULT@SECLEVEL=0",
		};
		expect(await offer(old)).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
	});
});

describe("as configured", () => {
	it("min_version TLSv1.3: no handshake of 1.2, for any name", async () => {
		await start({ ...DEFAULT, minVersion: "TLSv1.3" });
		for (const name of ["first.test", "second.test"]) {
			expect(await offer({ maxVersion: "TLSv1.2" }, name)).toEqual(REFUSED);
			expect(await offer(only("DEFAULT:PSK@SECLEVEL=0"), name)).toEqual(REFUSED);
			expect(await offer({}, name)).toMatch(/^TLSv1\.3 TLS_/);
		}
	});

	it("ciphers: those and no others of TLS 1.2", async () => {
		await start({ ...DEFAULT, ciphers: "ECDHE+AESGCM:!AES256:AES128-SHA" });
		expect(await offer(only("AES128-SHA"))).toBe("TLSv1.2 AES128-SHA");
		expect(await offer(only("ECDHE-RSA-AES128-GCM-SHA256"), "second.test")).toMatch(/AES128-GCM/);
		expect(await offer(only("ECDHE-RSA-AES256-GCM-SHA384"))).toEqual(REFUSED);
		expect(await offer(only("ECDHE-RSA-CHACHA20-POLY1305"))).toEqual(REFUSED);
	});

	it("ciphers that OpenSSL knows and the library doesn't end the start with their name", async () => {
		await expect(start({ ...DEFAULT, ciphers: "DHE-RSA-AES128-GCM-SHA256" })).rejects.toThrow(
			/^tls\/ciphers: the server library can't use "DHE-RSA-AES128-GCM-SHA256"/,
		);
	});
});
