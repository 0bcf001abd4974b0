/** What the addon is told of the bounds, and what is counted and said of refused connections; real ones are in `test/e2e`. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import {
	CONNECTIONS_FILE,
	ConnectionLimits,
	hasConnectionLimits,
} from "../../src/edge/connection-limits.ts";
import { TrustedProxies } from "../../src/edge/request/client-address.ts";
import { Front } from "../../src/http/front.ts";
import { addon } from "../../src/native-addon.ts";
import type { Log } from "../../src/telemetry/log.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { configOf } from "./harness.ts";

if (Front.open() === undefined) throw new Error("there is no front on this machine");
const folder = mkdtempSync(join(tmpdir(), "weir-limits-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const limits = { ...configOf().limits, connections: 7, connectionsPerAddress: 2 };
const scene = (dataDir = folder) => {
	const metrics = new Metrics();
	const log = { warn: vi.fn(), error: vi.fn() };
	const made = new ConnectionLimits(
		{ limits, dataDir },
		new TrustedProxies(["10.0.0.0/8"]),
		metrics,
		log as unknown as Log,
	);
	return { metrics, log, made };
};

it("is wanted where a bound is set", () => {
	expect(hasConnectionLimits({ limits })).toBe(true);
	expect(hasConnectionLimits({ limits: { ...limits, connections: 0 } })).toBe(true);
	expect(hasConnectionLimits({ limits: { ...limits, connectionsPerAddress: 0 } })).toBe(true);
	expect(hasConnectionLimits(configOf())).toBe(false);
});

it("tells the addon, with the answer for those beyond, and has the file made", () => {
	const told = vi.spyOn(addon, "boundClients");
	const { log } = scene();
	const [file, bounds, networks] = told.mock.calls[0] ?? [];
	expect(file).toBe(join(folder, CONNECTIONS_FILE));
	expect(existsSync(join(folder, CONNECTIONS_FILE))).toBe(true);
	expect(bounds).toMatchObject({ total: 7, perAddress: 2 });
	const [head = "", body = ""] = bounds?.refusal.split("\r\n\r\n") ?? [];
	expect(head.split("\r\n")).toEqual([
		"HTTP/1.1 503 Service Unavailable",
		"content-type: application/json",
		`content-length: ${body.length}`,
		"connection: close",
	]);
	expect(JSON.parse(body)).toMatchObject({ error_code: "ERR_TOO_MANY_CONNECTIONS" });
	expect(networks).toHaveLength(17);
	expect(log.error).not.toHaveBeenCalled();
});

it("says so where the file can't be had, and goes on", () => {
	const { log } = scene(join(folder, "missing"));
	expect(log.error).toHaveBeenCalledExactlyOnceWith(
		{ file: join(folder, "missing", CONNECTIONS_FILE), reason: "ENOENT" },
		expect.stringContaining("this worker bounds its own alone"),
	);
});

it("counts by listener and reason, and says now and then who it was", () => {
	const { metrics, log, made } = scene();
	made.listening("a:1");
	made.listening("b:2");
	const none = { total: 0, address: 0, last: new Uint8Array() };
	const some = { total: 2, address: 5, last: Uint8Array.of(192, 0, 2, 1) };
	const refused = vi.spyOn(addon, "refusedClients");
	const series = (reason: string, listener: string): number | undefined =>
		metrics.snapshot()[
			`weir_connections_over_limit_total{reason="${reason}",listener="${listener}"}`
		];
	refused.mockImplementation((number) => (number === 1 ? some : none));
	made.count();
	made.count();
	expect([series("total", "a:1"), series("address", "a:1")]).toEqual([undefined, undefined]);
	expect([series("total", "b:2"), series("address", "b:2")]).toEqual([2, 5]);
	expect(log.warn.mock.calls).toEqual([
		[
			{ listener: "b:2", refused_so_far: 2, most: 7 },
			expect.stringContaining("limits.connections allows"),
		],
		[
			{ listener: "b:2", refused_so_far: 5, most: 2, last: "192.0.2.1" },
			expect.stringContaining("limits.connections_per_address allows"),
		],
	]);
	refused.mockImplementation(() => ({ ...some, address: 6 }));
	made.count();
	expect(series("address", "b:2")).toBe(6);
	// Of the listener that had none before, and of the other one not so soon again.
	expect(log.warn).toHaveBeenCalledTimes(4);
});
