import { createServer, type Server } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { claimAddress, formatAddress, parseAddress } from "../../../src/process/config/address.ts";

describe("parseAddress", () => {
	it.each([
		["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }],
		["localhost:0", { host: "localhost", port: 0 }],
		["[::1]:443", { host: "::1", port: 443 }],
		[":80", { host: "0.0.0.0", port: 80 }],
		["*:80", { host: "0.0.0.0", port: 80 }],
	])("reads %s", (text, address) => {
		expect(parseAddress(text)).toEqual(address);
	});

	it.each([
		"",
		"8080",
		"host",
		"host:",
		"host:65536",
		"host:-1",
		"::1:80",
		"[::1]",
		"a b:1",
		"http://h:1",
	])("refuses %j", (text) => {
		expect(parseAddress(text)).toBeUndefined();
	});

	it("reads what formatAddress writes", () => {
		const address = fc.record({
			host: fc.oneof(fc.ipV4(), fc.constantFrom("::1", "fe80::1", "localhost")),
			port: fc.integer({ min: 0, max: 65_535 }),
		});
		fc.assert(
			fc.property(address, (value) => {
				expect(parseAddress(formatAddress(value))).toEqual(value);
			}),
		);
	});
});

describe("claimAddress", () => {
	const servers: Server[] = [];
	afterEach(() => {
		for (const server of servers.splice(0)) server.close();
	});
	const occupy = (): Promise<{ port: number; server: Server }> =>
		new Promise((resolve) => {
			const server = createServer().listen(0, "127.0.0.1", () => {
				servers.push(server);
				resolve({ port: (server.address() as { port: number }).port, server });
			});
		});

	it("picks a free port for 0 and lets go of it", async () => {
		const first = await claimAddress({ host: "127.0.0.1", port: 0 });
		expect(first.port).toBeGreaterThan(0);
		expect(await claimAddress(first)).toEqual(first);
	});

	it("says who is in the way when a port stays in use", async () => {
		const { port } = await occupy();
		await expect(claimAddress({ host: "127.0.0.1", port }, 0)).rejects.toThrow(
			`cannot listen on 127.0.0.1:${port}: another process listens there`,
		);
	});

	it("waits for a port that is let go of within its patience", async () => {
		const { port, server } = await occupy();
		const claimed = claimAddress({ host: "127.0.0.1", port }, 10_000);
		server.close();
		expect(await claimed).toEqual({ host: "127.0.0.1", port });
	});

	it("names other reasons", async () => {
		await expect(claimAddress({ host: "192.0.2.1", port: 1 }, 0)).rejects.toThrow("EADDRNOTAVAIL");
	});
});
