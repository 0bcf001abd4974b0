import { closeSync, readdirSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { Config } from "../../../src/config.ts";
import { canInherit } from "../../../src/http/inherited-listener.ts";
import { addon } from "../../../src/native-addon.ts";
import { ChosenPorts } from "../../../src/process/supervisor/chosen-ports.ts";
import { configOf } from "../../edge/harness.ts";
import { listenerWith } from "../../listener.ts";

const wanted = (host: string, port = 0): Config => ({
	...configOf(),
	listen: [{ ...listenerWith({}), host, port }],
	management: { ...configOf().management, host: "127.0.0.1", port: 0 },
});

/** What this process has bound. The system gives nobody a port that somebody has bound. */
const boundPorts = (): number[] =>
	readdirSync("/proc/self/fd")
		.map((name) => addon.boundPort(Number(name)))
		.filter((port) => port > 0);

const made: ChosenPorts[] = [];
const chosenPorts = (canHold?: boolean): ChosenPorts => {
	const ports = new ChosenPorts(canHold);
	made.push(ports);
	return ports;
};
afterEach(() => {
	for (const ports of made.splice(0)) ports.release();
});

describe("ChosenPorts", () => {
	it.skipIf(!canInherit())("holds what the system chose until it is released", async () => {
		const ports = chosenPorts();
		const { config, isHeld } = await ports.claim(wanted("localhost"));
		const chosen = [config.listen[0]?.port ?? 0, config.management.port];
		expect(isHeld).toBe(true);
		expect(boundPorts()).toEqual(expect.arrayContaining(chosen));
		for (const port of chosen) {
			// Those that listen there are bound beside it.
			const beside = addon.bindShared("127.0.0.1", port);
			expect(beside).toBeGreaterThan(0);
			closeSync(beside);
		}
		ports.release();
		for (const port of chosen) expect(boundPorts()).not.toContain(port);
	});

	it.skipIf(!canInherit())("leaves ports alone that were named", async () => {
		const { config } = await chosenPorts(false).claim(wanted("127.0.0.1"));
		const { port } = config.management;
		const named = { ...config, management: { ...config.management, port } };
		expect(await chosenPorts().claim(named)).toEqual({ config: named, isHeld: false });
		expect(boundPorts()).not.toContain(port);
	});

	it("claims without holding where sockets can't be bound beside each other", async () => {
		const { config, isHeld } = await chosenPorts(false).claim(wanted("127.0.0.1"));
		expect(isHeld).toBe(false);
		expect(config.listen[0]?.port).toBeGreaterThan(0);
		expect(config.management.port).toBeGreaterThan(0);
	});

	it("says why an address can't be had", async () => {
		const claimed = chosenPorts().claim(wanted("192.0.2.1"));
		await expect(claimed).rejects.toThrow("this machine has no such address");
	});
});
