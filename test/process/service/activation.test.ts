/** Sockets that the service manager passes, as real ones; the start of a real server with them is test/e2e/upgrades. */
import { closeSync, openSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { addon } from "../../../src/native-addon.ts";
import { passedSockets } from "../../../src/process/service/activation.ts";
import { listenerWith } from "../../listener.ts";

function listening(listens = true): { readonly descriptor: number; readonly port: number } {
	const descriptor = addon.bindShared("127.0.0.1", 0);
	if (listens) addon.listenShared(descriptor, 8);
	onTestFinished(() => closeSync(descriptor));
	return { descriptor, port: addon.boundPort(descriptor) };
}

const passed = (more: Record<string, string> = {}) => ({
	LISTEN_PID: String(process.pid),
	LISTEN_FDS: "1",
	LISTEN_FDNAMES: "weir.socket",
	...more,
});
const management = { host: "127.0.0.1", port: 4040, tls: [], hosts: [], ui: true };

it("are listeners', by their addresses, also where the configuration names a host", async () => {
	const { descriptor, port } = listening();
	for (const host of ["127.0.0.1", "localhost"]) {
		const config = {
			listen: [listenerWith({ port: 1 }), listenerWith({ host, port })],
			management,
		};
		expect(await passedSockets(passed(), config, descriptor)).toEqual({
			groups: [
				{
					address: "127.0.0.1",
					port,
					descriptors: [descriptor],
					order: [0],
					led: "",
					canLead: false,
					isFixed: true,
				},
			],
			management: undefined,
			listen: [],
		});
	}
});

it("or the management API's", async () => {
	const { descriptor, port } = listening();
	const config = { listen: [listenerWith({ port: 1 })], management: { ...management, port } };
	expect(await passedSockets(passed(), config, descriptor)).toEqual({
		groups: [],
		management: descriptor,
		listen: [],
	});
});

it("one at another address is a mistake that names both", async () => {
	const { descriptor, port } = listening();
	const config = { listen: [listenerWith({ port: 1 })], management };
	await expect(passedSockets(passed(), config, descriptor)).rejects.toThrow(
		`passes a socket at 127.0.0.1:${port} (weir.socket), but listen has 127.0.0.1:1 and management has 127.0.0.1:4040; write the same address into the .socket unit (ListenStream=) and into weir's configuration`,
	);
});

it("what is no TCP socket that listens is a mistake", async () => {
	const config = { listen: [listenerWith({ port: 1 })], management };
	const file = openSync("/dev/null", "r");
	onTestFinished(() => closeSync(file));
	for (const descriptor of [file, listening(false).descriptor])
		await expect(passedSockets(passed({ LISTEN_FDNAMES: "" }), config, descriptor)).rejects.toThrow(
			`passes descriptor ${descriptor}, which is no TCP socket that listens`,
		);
});

it.each([
	["none", {}],
	["for another process", { LISTEN_PID: "1", LISTEN_FDS: "1" }],
	["no number", passed({ LISTEN_FDS: "x" })],
	["zero", passed({ LISTEN_FDS: "0" })],
])("%s: nothing is passed", async (_name, environment) => {
	const config = { listen: [listenerWith()], management };
	expect(await passedSockets(environment, config)).toBeUndefined();
});
