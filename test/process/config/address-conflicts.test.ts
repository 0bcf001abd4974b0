/** Addresses that two listeners would share, by their text, by what they mean, and once names are known. */
import { describe, expect, it } from "vitest";
import { parseAddress } from "../../../src/process/config/address.ts";
import {
	assertDistinct,
	sharedAddresses,
	sharedNames,
} from "../../../src/process/config/address-conflicts.ts";
import { listenerWith } from "../../listener.ts";

const address = (text: string) => parseAddress(text) ?? { host: "", port: 0 };
const shared = (listen: readonly string[], management: string): string[] =>
	sharedAddresses({ listen: listen.map(address), management: address(management) }).map(
		({ pointer, message }) => `${pointer}: ${message}`,
	);

describe("listeners", () => {
	it("have an address once", () => {
		expect(shared(["127.0.0.1:80", "127.0.0.1:81", "127.0.0.1:80"], ":1")).toEqual([
			"/listen/2/address: 127.0.0.1:80 is to be listened on twice",
		]);
		expect(shared(["[::1]:80", "[0:0:0:0:0:0:0:1]:80"], ":1")).toEqual([
			"/listen/1/address: [0:0:0:0:0:0:0:1]:80 is to be listened on twice; [::1]:80 is the same address",
		]);
	});

	it("may be one for all interfaces and others for single ones, and take free ports", () => {
		expect(shared(["0.0.0.0:80", "127.0.0.1:80", "[::]:80"], ":1")).toEqual([]);
		expect(shared(["127.0.0.1:0", "127.0.0.1:0"], "127.0.0.1:0")).toEqual([]);
		// What was no address has been told of already.
		expect(shared(["nonsense", "nonsense"], "nonsense")).toEqual([]);
	});
});

it.each([
	["127.0.0.1:80", "127.0.0.1:80", "; give them"],
	["0.0.0.0:80", "127.0.0.1:80", ", as 0.0.0.0:80; give them"],
	["[::]:80", "127.0.0.1:80", ", as [::]:80; give them"],
	["[::]:80", "[::1]:80", ", as [::]:80; give them"],
	["127.0.0.1:80", "0.0.0.0:80", ", as 127.0.0.1:80; give them"],
])("the management API takes its port for itself: %s beside %s", (listen, management, as) => {
	expect(shared([listen], management)).toEqual([
		`/management/address: ${management} is listened on twice: by the management API, and by the data path${as} ports of their own`,
	]);
});

it.each([
	["0.0.0.0:80", "[::1]:80"],
	["127.0.0.2:80", "127.0.0.1:80"],
	["127.0.0.1:80", "127.0.0.1:81"],
])("%s beside %s is no conflict", (listen, management) => {
	expect(shared([listen], management)).toEqual([]);
});

it("names are compared by where they lead", async () => {
	const config = (listen: string, management: string) => ({
		listen: [listenerWith(address(listen))],
		management: { ...address(management), tls: [], hosts: [], ui: true },
	});
	const local = await sharedNames(config("localhost:80", "127.0.0.1:80"));
	const other = await sharedNames(config("localhost:80", "[::1]:80"));
	expect([...local, ...other].map(({ pointer }) => pointer)).toEqual(["/management/address"]);
	await expect(assertDistinct(config("localhost:80", "127.0.0.1:80"))).rejects.toThrow("twice");
	await assertDistinct(config("127.0.0.1:80", "127.0.0.1:81"));
	expect(await sharedNames(config("name.invalid:80", "127.0.0.1:80"))).toEqual([]);
	expect(await sharedNames(config("127.0.0.1:80", "127.0.0.1:80"))).toEqual([]);
});
