/** The line that says that weir is ready names what is served; its first fields are those that tools read. */
import { expect, it } from "vitest";
import { readyFields } from "../../../src/process/supervisor/ready-fields.ts";
import { versionOf } from "../../../src/process/version.ts";

const listener = { host: "127.0.0.1", port: 8080, tls: [], proxyProtocol: false };
const config = {
	listen: [listener, { ...listener, host: "::1" }],
	management: { host: "127.0.0.1", port: 4040, tls: [], hosts: [], ui: true },
	fleet: null,
	workers: 2,
	dataDir: "/data",
	countersFile: "/data/counters",
};
const store = { counts: () => ({ edges: 1, routes: 2, policies: 3 }) };

it("names addresses, workers, folder, documents, counters and version, in this order", () => {
	const fields = readyFields(config, store, "/proc/1/fd/9");
	expect(Object.entries(fields)).toEqual([
		["listen", ["127.0.0.1:8080", "[::1]:8080"]],
		["management", "127.0.0.1:4040"],
		["workers", 2],
		["data_dir", "/data"],
		["edges", 1],
		["routes", 2],
		["policies", 3],
		["counters", "/data/counters"],
		["version", versionOf()],
	]);
});

it("names no counters file where workers share none", () => {
	expect(readyFields(config, store, null)).toMatchObject({ counters: null });
});
