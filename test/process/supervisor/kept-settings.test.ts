/** What a reload takes over of the management API's settings, and what it says that it can't. */
import { describe, expect, it } from "vitest";
import type { Config, ManagementAddress } from "../../../src/config.ts";
import {
	keptSettings,
	managementSettings,
	nextManagement,
} from "../../../src/process/supervisor/kept-settings.ts";
import { configOf } from "../../edge/harness.ts";

const files = { cert: "a.crt", key: "a.key" };
const others = { cert: "b.crt", key: "b.key" };
const plain: ManagementAddress = { host: "127.0.0.1", port: 4040, tls: [], hosts: [], ui: true };
const secure: ManagementAddress = { ...plain, tls: [files] };

const config = (management: ManagementAddress, more: Partial<Config> = {}): Config =>
	({ dataDir: "/data", countersFile: "/data/counters", management, ...more }) as Config;

describe("keptSettings", () => {
	it.each([
		["nothing", plain, plain, []],
		["a port that was any", { ...plain, port: 0 }, plain, []],
		["names", { ...plain, hosts: ["weir.test"] }, plain, []],
		["certificates", { ...secure, tls: [others] }, secure, []],
		["the port", { ...plain, port: 1 }, plain, ["management.address"]],
		["the host", { ...plain, host: "::1" }, plain, ["management.address"]],
		["TLS instead of plain", secure, plain, ["management.tls"]],
		["plain instead of TLS", plain, secure, ["management.tls"]],
	])("%s", (_what, wanted, current, kept) => {
		expect(keptSettings(config(wanted), config(current))).toEqual(kept);
	});

	it("folder and counters", () => {
		const wanted = config(plain, { dataDir: "/other", countersFile: "/dev/shm/counters" });
		expect(keptSettings(wanted, config(plain))).toEqual(["data_dir", "counters.file"]);
	});
});

it("the next management has new names and certificates at the old address", () => {
	const wanted = { host: "::1", port: 1, tls: [others], hosts: ["weir.test"], ui: false };
	expect(nextManagement(wanted, secure)).toEqual({
		...secure,
		...{ tls: [others], hosts: ["weir.test"], ui: false },
	});
	expect(nextManagement(wanted, plain)).toEqual({
		...plain,
		...{ hosts: ["weir.test"], ui: false },
	});
	expect(nextManagement(plain, secure)).toEqual(secure);
});

it("the API is told of TLS where there is a certificate, and of the front where it is on", () => {
	const tls = { minVersion: "TLSv1.3", ciphers: "x" } as const;
	const { front, timeouts, limits } = configOf();
	const { requestHeaderMs, idleMs } = timeouts;
	const { requestHeaderBytes } = limits;
	expect(managementSettings({ management: plain, tls, front, timeouts, limits })).toEqual({
		tls: undefined,
		hosts: [],
		ui: true,
		frontSettings: { requestHeaderMs, idleMs, requestHeaderBytes },
	});
	expect(managementSettings({ management: secure, tls, front: "off", timeouts, limits })).toEqual({
		tls: { files, settings: tls },
		hosts: [],
		ui: true,
		frontSettings: undefined,
	});
});
