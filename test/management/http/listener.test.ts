/** A listener of the API: plain or TLS, and how it ends without losing a request. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { configSchema, type TlsFiles } from "../../../src/config.ts";
import { Front, type FrontSettings } from "../../../src/http/front.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { Incoming } from "../../../src/management/http/incoming.ts";
import { ApiListener } from "../../../src/management/http/listener.ts";
import { writeCertificate } from "../../certificate.ts";
import { freePort, TlsClient } from "./tls-client.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-listener-"));
let files: TlsFiles;
beforeAll(async () => {
	files = await writeCertificate(folder, "a", "a.test");
});
afterAll(() => rmSync(folder, { recursive: true }));

const front: FrontSettings = {
	requestHeaderMs: 10_000,
	idleMs: 60_000,
	requestHeaderBytes: 65_536,
};
const GET = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";

/** A listener whose requests wait until they are answered by hand. */
async function open(certificate?: TlsFiles, port = 0, inherited?: number) {
	const waiting: (() => void)[] = [];
	const settings = { minVersion: "TLSv1.2", ciphers: configSchema.parse({}).tls.ciphers } as const;
	const tls = certificate === undefined ? undefined : { files: certificate, settings };
	const answer = ({ response, client }: Incoming) =>
		new Promise<void>((resolve) => {
			response.onAborted(resolve);
			waiting.push(() => {
				response.cork(() => {
					response.writeStatus("200 OK");
					response.end("done");
				});
				client.answered(false);
				resolve();
			});
		});
	const options = { host: "127.0.0.1", port, inherited, tls, connections: undefined, front };
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

it("tells where the front can't be had, and serves without it", async () => {
	const opened = vi.spyOn(Front, "open").mockReturnValue(undefined);
	onTestFinished(() => opened.mockRestore());
	const missing: string[] = [];
	const frontMissing = (address: string) => void missing.push(address);
	const options = { host: "127.0.0.1", port: 0, tls: undefined, connections: undefined, front };
	const listener = await ApiListener.open({ ...options, frontMissing }, async ({ response }) => {
		response.end("done");
	});
	onTestFinished(() => listener.close());
	expect(listener.front).toBe("unavailable");
	expect(missing).toEqual([`127.0.0.1 port ${listener.port}`]);
	const client = connect(listener.port, "127.0.0.1");
	client.write(GET);
	expect(String((await once(client, "data"))[0])).toContain("done");
	client.destroy();
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

it("leave answers who is connected and asks only then, and ends with the last of them", async () => {
	const { listener, next } = await open();
	const { port } = listener;
	const client = connect(port, "127.0.0.1");
	client.write(GET);
	(await next())();
	expect(String((await once(client, "data"))[0])).toContain("done");
	let hasLeft = false;
	const left = listener.leave().then(() => {
		hasLeft = true;
	});
	await vi.waitFor(() => expect(listener.port).toBe(0));
	const late = connect(port, "127.0.0.1");
	expect((await once(late, "error"))[0]).toMatchObject({ code: "ECONNREFUSED" });
	client.write(GET);
	(await next())();
	expect(String((await once(client, "data"))[0])).toContain("done");
	expect(hasLeft).toBe(false);
	client.end();
	await left;
});

it("leave does not wait for ever for who asks nothing", async () => {
	const { listener, next } = await open();
	const client = connect(listener.port, "127.0.0.1");
	client.write(GET);
	(await next())();
	await once(client, "data");
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const left = listener.leave();
	const ended = once(client.resume(), "end");
	// The library's turns are real.
	for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
	await vi.advanceTimersByTimeAsync(LIMITS.managementLeaveMs);
	await left;
	await ended;
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

it.runIf(process.platform === "linux")(
	"accepts from another one's socket, which goes on when that one has closed it",
	async () => {
		const { listener: first } = await open();
		const { port, descriptor } = first;
		const { listener, next } = await open(undefined, port, descriptor);
		expect(listener.port).toBe(port);
		expect(listener.front).toBe("on");
		await first.close();
		expect(first.descriptor).toBeUndefined();
		const client = connect(port, "127.0.0.1");
		let answer = "";
		client.on("data", (chunk) => {
			answer += chunk;
		});
		client.write(GET);
		(await next())();
		await vi.waitFor(() => expect(answer).toContain("done"));
		client.destroy();
	},
);
