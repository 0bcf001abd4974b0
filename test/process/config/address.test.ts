import { createServer, type Server } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
	claimAddress,
	claimNew,
	formatAddress,
	parseAddress,
	unusable,
} from "../../../src/process/config/address.ts";
import { configOf } from "../../edge/harness.ts";
import { listenerWith } from "../../listener.ts";

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

describe("claimAddress", () => {
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

describe("a reload", () => {
	const configs = (host: string, port: number) =>
		configOf({ listen: [listenerWith({ host, port })] });

	it("keeps what is listened on, and names weir where weir is in the way", async () => {
		const { port } = await occupy();
		const current = configs("127.0.0.1", port);
		expect(await claimNew(current, current)).toEqual(current.listen);
		await expect(claimNew(configs("0.0.0.0", port), current)).rejects.toThrow(
			`cannot listen on 0.0.0.0:${port}: weir itself listens on 127.0.0.1:${port}, and another address of the same port takes a restart`,
		);
	});

	it("waits for replaced workers to let go of an address", async () => {
		const { port, server } = await occupy();
		const wanted = configs("127.0.0.1", port);
		const claimed = claimNew(wanted, configs("127.0.0.1", 1));
		server.close();
		expect(await claimed).toEqual(wanted.listen);
	});
});

describe("unusable", () => {
	it("says what has nothing to do with who listens, and leaves a listener alone", async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as { port: number };
		expect(await unusable({ host: "127.0.0.1", port })).toBeUndefined();
		expect(server.listening).toBe(true);
		server.close();
		for (const host of ["0.0.0.0", "localhost", ""])
			expect(await unusable({ host, port })).toBeUndefined();
		expect(await unusable({ host: "192.0.2.1", port })).toBe(
			`cannot listen on 192.0.2.1:${port}: this machine has no such address; :PORT means every IPv4 address that it has (EADDRNOTAVAIL)`,
		);
		expect(await unusable({ host: "name.invalid", port: 1 })).toMatch(
			/^cannot listen on name\.invalid:1: the name (?:leads to no address|can't be resolved now) \(E/,
		);
	});

	it("is the sentence of the start", async () => {
		const address = { host: "192.0.2.1", port: 4000 };
		await expect(claimAddress(address, 0)).rejects.toThrow(await unusable(address));
	});
});
