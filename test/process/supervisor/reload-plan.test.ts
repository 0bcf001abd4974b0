import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
	changedListeners,
	listenerMarks,
	needsWorkers,
} from "../../../src/process/supervisor/reload-plan.ts";
import { writeCertificate } from "../../certificate.ts";
import { configOf } from "../../edge/harness.ts";
import { listenerWith } from "../../listener.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-plan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const current = configOf({ listen: [listenerWith({ port: 8080 })] });

it("names what needs new workers as the config file does", () => {
	const { timeouts, limits } = current;
	const next = {
		...current,
		workers: 7,
		keysPerRateLimit: 2048,
		geoDatabase: "/other.mmdb",
		allowTrace: true,
		trustedProxies: ["10.0.0.0/8"],
		timeouts: { ...timeouts, idleMs: 1, drainMs: 1 },
		limits: { ...limits, requestHeaderBytes: 8192, rules: 600 },
	};
	expect([...needsWorkers(next, current)].sort()).toEqual([
		"allow_trace",
		"counters.keys_max",
		"geo.database",
		"limits.request_header_bytes",
		"timeouts.idle_ms",
		"trusted_proxies",
		"workers",
	]);
});

it("takes over log, management, bounds of documents and drains", () => {
	const { log, timeouts, limits, management, tls } = current;
	const next = {
		...current,
		log: { ...log, level: "error" as const, access: true },
		management: { ...management, hosts: ["api.example"] },
		timeouts: { ...timeouts, drainMs: 0 },
		limits: { ...limits, policyBytes: 2_000_000, rules: 600 },
		tls: { ...tls, minVersion: "TLSv1.3" as const },
	};
	expect(needsWorkers(current, current)).toEqual([]);
	expect(needsWorkers(next, current)).toEqual([]);
});

it("an address more needs new workers; another certificate, or PROXY protocol, a new listener", async () => {
	const first = await writeCertificate(folder, "one", "one.example");
	const secure = { ...current, listen: [listenerWith({ port: 8080, tls: [first] })] };
	const more = { ...current, listen: [...current.listen, listenerWith({ port: 8081 })] };
	expect(needsWorkers(more, current)).toEqual(["listen"]);
	expect(needsWorkers(secure, current)).toEqual([]);
	const marks = listenerMarks(secure);
	expect(changedListeners(listenerMarks(current), marks)).toEqual([0]);
	expect(changedListeners(listenerMarks(secure), marks)).toEqual([]);
	await writeCertificate(folder, "one", "one.example");
	expect(changedListeners(listenerMarks(secure), marks)).toEqual([0]);
	const proxied = { ...current, listen: [listenerWith({ port: 8080, proxyProtocol: true })] };
	expect(changedListeners(listenerMarks(proxied), listenerMarks(current))).toEqual([0]);
});
