/** A listener of the API: plain or TLS, and how it ends without losing a request. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { configSchema, type TlsFiles } from "../../../src/config.ts";
import type { HttpResponse } from "../../../src/http/uws.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ApiListener } from "../../../src/management/http/listener.ts";
import { writeCertificate } from "../../certificate.ts";
import { freePort, TlsClient } from "./tls-client.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-listener-"));
let files: TlsFiles;
beforeAll(async () => {
	files = await writeCertificate(folder, "a", "a.test");
});
afterAll(() => rmSync(folder, { recursive: true }));

const GET = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";

/** A listener whose requests wait until they are answered by hand. */
async function open(certificate?: TlsFiles, port = 0) {
	const waiting: (() => void)[] = [];
	const settings = { minVersion: "TLSv1.2", ciphers: configSchema.parse({}).tls.ciphers } as const;
	const tls = certificate === undefined ? undefined : { files: certificate, settings };
	const answer = (response: HttpResponse) =>
		new Promise<void>((resolve) => {
			response.onAborted(resolve);
			waiting.push(() => {
				response.cork(() => response.end("done"));
				resolve();
			});
		});
	const options = { host: "127.0.0.1", port, tls, connections: undefined };
	const listener = await ApiListener.open(options, answer);
	onTestFinished(async () => {
		for (const respond of waiting) respond();
		await listener.close();
	});
	const next = async (): Promise<() => void> => {
		await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
		return waiting.shift() ?? (() => {});
	};
	return { listener, next };
}

it("speaks TLS where it has a certificate, to clients that name it and to others", async () => {
	const { listener, next } = await open(files);
	expect(listener.scheme).toBe("https");
	for (const name of ["", "a.test", "other.test"]) {
		const client = await TlsClient.connect(listener.port, name);
		expect(client.certificate).toBe("a.test");
		client.write(GET);
		(await next())();
		expect(await client.until("done")).toMatch(/^HTTP\/1\.1 200 OK/);
	}
});

it("has a plain port to itself, and lets another take a TLS one over", async () => {
	const plain = (await open()).listener;
	expect(plain.scheme).toBe("http");
	await expect(open(undefined, plain.port)).rejects.toThrow(/in use/);
	const port = await freePort();
	for (let time = 0; time < 2; time++) expect((await open(files, port)).listener.port).toBe(port);
	await expect(open({ ...files, cert: "/nowhere" })).rejects.toThrow(/certificate \/nowhere/);
});

it("close waits for what is in flight, and lets nobody in meanwhile", async () => {
	const { listener, next } = await open();
	const client = connect(listener.port, "127.0.0.1");
	client.write(GET);
	const respond = await next();
	let isClosed = false;
	const closed = listener.close().then(() => {
		isClosed = true;
	});
	const late = connect(listener.port, "127.0.0.1");
	expect((await once(late, "error"))[0]).toMatchObject({ code: "ECONNREFUSED" });
	expect(isClosed).toBe(false);
	respond();
	expect(String((await once(client, "data"))[0])).toContain("done");
	await closed;
});

it("close does not wait for ever", async () => {
	const { listener, next } = await open();
	const client = connect(listener.port, "127.0.0.1").on("error", () => {});
	client.write(GET);
	await next();
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const closed = listener.close();
	await vi.advanceTimersByTimeAsync(LIMITS.managementDrainMs);
	await closed;
});

it("finishes as long as it takes, and then waits for clients that keep a connection", async () => {
	const { listener, next } = await open(files);
	const client = await TlsClient.connect(listener.port);
	client.write(GET);
	const respond = await next();
	const { port } = listener;
	await listener.stopAccepting();
	expect(listener.isLeaving).toBe(true);
	await expect(TlsClient.connect(port)).rejects.toThrow("ECONNREFUSED");
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const left = listener.finish();
	await vi.advanceTimersByTimeAsync(10 * LIMITS.managementDrainMs);
	respond();
	await client.until("done");
	client.write(GET);
	(await next())();
	await client.until("done");
	await vi.advanceTimersByTimeAsync(2 * LIMITS.managementDrainMs);
	await left;
	await client.ended;
});
