/** What the system and DNS say: real lookups of `localhost`, and a scripted DNS server for times to live. */
import { expect, it } from "vitest";
import type { Result } from "../../../src/errors.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { SystemLookups } from "../../../src/upstream/names/name-lookups.ts";
import { NameResolver } from "../../../src/upstream/names/name-resolver.ts";
import type { DnsRecord } from "../../../src/upstream/names/time-to-live.ts";
import { until } from "../probe.ts";
import { DnsServer, type Zone } from "./dns-server.ts";
import { Listener, ManualTimers } from "./support.ts";

const addressesOf = (name: string): Promise<Result<readonly string[], string>> =>
	new Promise((resolve) => new SystemLookups().addresses(name, resolve));

const BOTH = ["10.0.0.1", "fd00::1"];

/** What is told of `name` by a server of this zone, by address, and what it was asked. */
async function asking(zone: Zone, name: string, families = BOTH, timeout = 1000) {
	const server = await DnsServer.start(zone);
	const lookups = new SystemLookups(() => server.resolver(timeout));
	const records = await new Promise<readonly DnsRecord[]>((resolve) =>
		lookups.records(name, families, resolve),
	);
	const sorted = records.toSorted((a, b) => (a.address < b.address ? -1 : 1));
	return { records: sorted, asked: server.asked.toSorted() };
}

it("the system knows localhost", async () => {
	const found = await addressesOf("localhost");
	expect(found.ok && found.value.length).toBeGreaterThan(0);
	if (found.ok) for (const address of found.value) expect(["127.0.0.1", "::1"]).toContain(address);
});

it("a name that can be none fails with a message that names it", async () => {
	const name = `${"a".repeat(64)}.example`;
	expect(await addressesOf(name)).toEqual({ ok: false, error: expect.stringContaining(name) });
	// Too long for any resolver: refused before it is asked for.
	expect(await addressesOf("a.".repeat(130))).toMatchObject({ ok: false });
});

it("DNS tells the times to live of both families", async () => {
	const zone = {
		"two.test": [
			{ address: "10.0.0.1", ttlSeconds: 7 },
			{ address: "10.0.0.2", ttlSeconds: 9 },
			{ address: "fd00::1", ttlSeconds: 11 },
		],
	};
	expect(await asking(zone, "two.test")).toEqual({
		records: zone["two.test"],
		asked: ["A two.test", "AAAA two.test"],
	});
});

it("an alias that is over earlier counts", async () => {
	const zone = { "alias.test": [{ address: "10.0.0.1", ttlSeconds: 600, aliasSeconds: 5 }] };
	const { records } = await asking(zone, "alias.test");
	expect(records).toEqual([{ address: "10.0.0.1", ttlSeconds: 5 }]);
});

it("only the families that the system gave are asked for, localhost never", async () => {
	const zone = { "a.test": [{ address: "10.0.0.1", ttlSeconds: 7 }] };
	expect((await asking(zone, "a.test", ["10.9.9.9"])).asked).toEqual(["A a.test"]);
	expect((await asking(zone, "a.test", ["::1"])).asked).toEqual(["AAAA a.test"]);
	for (const name of ["localhost", "localhost.", "app.localhost"]) {
		expect(await asking(zone, name)).toEqual({ records: [], asked: [] });
	}
	expect((await asking(zone, "notlocalhost", ["::1"])).asked).toEqual(["AAAA notlocalhost"]);
});

it("no such name, no addresses, half an answer and none at all are no records, or half of them", async () => {
	const half = { "half.test": [{ address: "fd00::1", ttlSeconds: 4 }] };
	expect((await asking({}, "gone.test")).records).toEqual([]);
	expect((await asking({ "empty.test": [] }, "empty.test")).records).toEqual([]);
	expect((await asking(half, "half.test")).records).toEqual(half["half.test"]);
	const silent = await asking({ "silent.test": "silent" }, "silent.test", ["10.0.0.1"], 50);
	expect(silent.records).toEqual([]);
});

it("a name is looked up again when DNS's time to live of its addresses is over", async () => {
	const server = await DnsServer.start({
		"app.test": [
			{ address: "10.0.0.1", ttlSeconds: 60 },
			{ address: "10.0.0.2", ttlSeconds: 45 },
		],
	});
	const system = new SystemLookups(() => server.resolver());
	const timers = new ManualTimers();
	let found = ["10.0.0.2", "10.0.0.1"];
	const resolver = new NameResolver({
		onLookupFailed() {},
		timers,
		lookups: {
			addresses: (_name, done) => setImmediate(() => done({ ok: true, value: found })),
			records: (name, addresses, done) => system.records(name, addresses, done),
		},
	});
	const listener = new Listener();
	const end = resolver.watch("app.test", listener);
	const waits = () => timers.delays.length === 1 && listener.heard.length > 0;
	await until(waits, "the time to live is known");
	expect(timers.delays).toEqual([45_000]);
	// Not what DNS says: it is no word on this address.
	found = ["10.9.9.9"];
	timers.advance(45_000);
	await until(() => listener.heard.length === 2 && waits(), "the new address is known");
	expect(timers.delays).toEqual([LIMITS.nameRefreshDefaultMs]);
	expect(listener.heard).toEqual([["10.0.0.2", "10.0.0.1"], ["10.9.9.9"]]);
	end();
	expect(timers.pending).toBe(0);
});
