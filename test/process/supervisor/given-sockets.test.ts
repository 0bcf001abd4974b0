/** Which configured addresses the sockets of another process are for, and how the others are claimed. */
import { closeSync, fstatSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Config } from "../../../src/config.ts";
import { addon } from "../../../src/native-addon.ts";
import {
	claimBeside,
	type GivenSocket,
	givenFor,
	isAddressOf,
} from "../../../src/process/supervisor/given-sockets.ts";
import { listenerWith } from "../../listener.ts";

const socketAt = (address: string, port: number): GivenSocket => ({
	...{ address, port, descriptors: [], order: [], led: "", canLead: true, isFixed: false },
});

describe("an address is a socket's", () => {
	it.each([
		["127.0.0.1", "127.0.0.1", 80, true],
		["127.0.0.1", "localhost", 80, true],
		["::1", "0:0::1", 80, true],
		["127.0.0.1", "127.0.0.2", 80, false],
		["127.0.0.1", "127.0.0.1", 81, false],
		["127.0.0.1", "0.0.0.0", 80, false],
		["127.0.0.1", "nowhere.invalid", 80, false],
	])("%s and %s port %i: %s", async (address, host, port, expected) => {
		expect(await isAddressOf({ address, port: 80 }, { host, port })).toBe(expected);
	});

	it("the first that fits is taken", async () => {
		const groups = [socketAt("127.0.0.1", 1), socketAt("127.0.0.1", 2)];
		expect(await givenFor({ host: "localhost", port: 2 }, groups)).toBe(groups[1]);
		expect(await givenFor({ host: "localhost", port: 3 }, groups)).toBeUndefined();
	});
});

describe("claiming", () => {
	const management = { host: "127.0.0.1", port: 0, tls: [], hosts: [] };
	/** Taken, so that claiming it would fail. */
	function taken(): number {
		const descriptor = addon.bindShared("127.0.0.1", 0);
		addon.listenShared(descriptor, 1);
		onTestFinished(() => {
			try {
				closeSync(descriptor);
			} catch {
				// the test has had it closed
			}
		});
		return descriptor;
	}

	it("leaves given addresses alone, takes over ports that were chosen, and finds free ones for others", async () => {
		const [data, api] = [taken(), taken()];
		const [port, apiPort] = [addon.boundPort(data), addon.boundPort(api)];
		const config = { listen: [listenerWith(), listenerWith()], management } as unknown as Config;
		const claimed = await claimBeside(config, {
			groups: [socketAt("127.0.0.1", port)],
			management: api,
			listen: [{ host: "127.0.0.1", port }],
			managementAddress: { host: "127.0.0.1", port: apiPort },
		});
		expect(claimed.inherited).toBe(api);
		expect(claimed.config.management.port).toBe(apiPort);
		expect(claimed.config.listen.map((listener) => listener.port)).toEqual([
			port,
			expect.any(Number),
		]);
		expect(claimed.config.listen[1]?.port).not.toBe(0);
	});

	it("a management API that moves gets a port of its own, and the socket of before is closed", async () => {
		const api = taken();
		const config = { listen: [], management: { ...management, port: 0 } } as unknown as Config;
		const given = { groups: [], management: api, listen: [] };
		const managementAddress = { host: "127.0.0.2", port: addon.boundPort(api) };
		const claimed = await claimBeside(config, { ...given, managementAddress });
		expect(claimed.inherited).toBeUndefined();
		expect(claimed.config.management.port).not.toBe(managementAddress.port);
		expect(() => fstatSync(api)).toThrow("EBADF");
	});
});
