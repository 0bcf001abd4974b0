/** A backend's addresses: which there are, in what order, with what numbers, and when there are none. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import {
	type BackendAddress,
	BackendAddresses,
} from "../../../src/upstream/names/backend-addresses.ts";
import { NameResolver } from "../../../src/upstream/names/name-resolver.ts";
import { until } from "../probe.ts";
import { resolving } from "./support.ts";

function opened(urls: readonly string[], parts = resolving()) {
	const heard: (readonly BackendAddress[] | string)[] = [];
	const addresses = new BackendAddresses(
		urls,
		parts.resolver,
		(list) => heard.push(list),
		(message) => heard.push(message),
	);
	/** as told last */
	const current = () => heard.findLast((each) => typeof each !== "string") ?? [];
	const places = () => current().map(({ ip, port }) => `${ip} ${port}`);
	return { ...parts, addresses, heard, current, places };
}

describe("IP addresses", () => {
	it("are there at once, as written, and need no clock", () => {
		const urls = ["http://127.0.0.1:9000", "HTTP://[::1]", "https://10.0.0.1/", "http://127.1:80"];
		const { addresses, heard, lookups, timers } = opened(urls);
		expect(heard).toEqual([
			[
				{ id: 0, url: urls[0], ip: "127.0.0.1", port: 9000 },
				{ id: 1, url: urls[1], ip: "::1", port: 80 },
				{ id: 2, url: urls[2], ip: "10.0.0.1", port: 443 },
				{ id: 3, url: urls[3], ip: "127.0.0.1", port: 80 },
			],
		]);
		expect([lookups.names, timers.pending]).toEqual([[], 0]);
		addresses.close();
	});

	it("a url that is written twice counts once", () => {
		const { places } = opened(["http://10.0.0.1:1", "http://10.0.0.1:2", "http://10.0.0.1:1"]);
		expect(places()).toEqual(["10.0.0.1 1", "10.0.0.1 2"]);
	});
});

describe("names", () => {
	it("all addresses count, of every url, in the order of the urls", () => {
		const { lookups, places, heard } = opened([
			"http://b:1",
			"http://10.0.0.9",
			"http://a:2",
			"http://b:3",
		]);
		expect(lookups.names).toEqual(["b", "a"]);
		lookups.found("a", "10.0.0.1");
		lookups.found("b", "10.0.0.2", "10.0.0.3");
		expect(places()).toEqual([
			"10.0.0.2 1",
			"10.0.0.3 1",
			"10.0.0.9 80",
			"10.0.0.1 2",
			"10.0.0.2 3",
			"10.0.0.3 3",
		]);
		expect(heard.length).toBe(3);
	});

	it("known already, they are there before the constructor returns; failures are told, too", () => {
		const first = opened(["http://a"]);
		first.lookups.failed("a", "gone");
		const failing = opened(["http://a:1"], first);
		expect(failing.heard).toEqual(["gone"]);
		first.timers.advance(LIMITS.nameRetryMs);
		first.lookups.found("a", "10.0.0.1");
		const found = opened(["http://a:2", "http://a:3"], first);
		expect(found.heard.length).toBe(1);
		expect(found.places()).toEqual(["10.0.0.1 2", "10.0.0.1 3"]);
	});

	it("failures are told when there is nothing left to hope for, and until there is an address", () => {
		const { lookups, timers, heard, places } = opened(["http://a", "http://b"]);
		lookups.failed("a", "no a");
		expect(heard).toEqual([]);
		timers.advance(LIMITS.nameFirstLookMs);
		expect(heard).toEqual(["no a, and 1 more"]);
		lookups.failed("a", "no a again");
		expect(heard.at(-1)).toBe("no a again, and 1 more");
		lookups.found("b", "10.0.0.1");
		expect(places()).toEqual(["10.0.0.1 80"]);
		const count = heard.length;
		for (let round = 0; round < 3; round += 1) {
			timers.advance(LIMITS.nameRefreshMaxMs);
			while (lookups.names.length > 0) lookups.failed(lookups.names[0] ?? "");
		}
		expect([heard.length, places()]).toEqual([count, ["10.0.0.1 80"]]);
	});

	it("failures are not told beside an IP address", () => {
		const { lookups, heard } = opened(["http://a", "http://10.0.0.1"]);
		lookups.failed("a");
		expect(heard.length).toBe(1);
	});

	it("nothing is heard after close, and nothing goes on", () => {
		const { addresses, lookups, heard, timers, resolver } = opened(["http://a", "http://b"]);
		lookups.found("a", "10.0.0.1");
		const count = heard.length;
		addresses.close();
		addresses.close();
		lookups.found("b", "10.0.0.2");
		expect([heard.length, timers.pending, resolver.size]).toEqual([count, 0, 0]);
	});

	it("may be closed by who hears of them", () => {
		const { resolver, lookups, timers } = resolving();
		const heard: number[] = [];
		const addresses: BackendAddresses = new BackendAddresses(
			["http://a", "http://b"],
			resolver,
			(list) => {
				heard.push(list.length);
				addresses.close();
			},
			() => {},
		);
		lookups.found("a", "10.0.0.1");
		lookups.found("b", "10.0.0.2");
		expect([heard, timers.pending, resolver.size]).toEqual([[1], 0, 0]);
	});

	it("localhost, by the system's own means", async () => {
		const failures: string[] = [];
		const resolver = new NameResolver({ onLookupFailed: (_, message) => failures.push(message) });
		const parts = { ...resolving(), resolver };
		const { addresses, places } = opened(["http://localhost:8080"], parts);
		await until(() => places().length > 0, "localhost is found");
		for (const place of places()) expect(["127.0.0.1 8080", "::1 8080"]).toContain(place);
		addresses.close();
		expect([resolver.size, failures]).toEqual([0, []]);
	});
});

describe("numbers", () => {
	const URLS = ["http://a:1", "http://a:2", "http://b", "http://10.0.0.1"];
	const ips = fc.uniqueArray(fc.constantFrom("10.0.0.1", "10.0.0.2", "10.0.0.3"), { minLength: 1 });
	const round = fc.record({ a: ips, b: ips });

	it("belong to one url, ip and port for ever; every change is one, and what stays keeps its order", () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(URLS, { minLength: 1 }), fc.array(round), (urls, rounds) => {
				const { lookups, timers, heard, addresses, current } = opened(urls);
				const numbers = new Map<number, string>();
				for (const found of rounds) {
					for (const name of ["a", "b"] as const) {
						if (lookups.names.includes(name)) lookups.found(name, ...found[name]);
					}
					timers.advance(LIMITS.nameRefreshMaxMs);
					const expected = urls.flatMap((url) => {
						const { hostname } = new URL(url);
						return hostname === "a" || hostname === "b" ? found[hostname] : [hostname];
					});
					expect(
						current()
							.map(({ ip }) => ip)
							.sort(),
					).toEqual(expected.sort());
				}
				let before: readonly BackendAddress[] = [];
				for (const list of heard) {
					if (typeof list === "string") throw new Error(list);
					expect(new Set(list)).not.toEqual(new Set(before));
					expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
					for (const address of list) {
						const what = JSON.stringify(address);
						expect(numbers.get(address.id) ?? what).toBe(what);
						numbers.set(address.id, what);
						expect(addresses.find(address.id)).toEqual(address);
					}
					const stayed = before.filter((one) => list.includes(one));
					expect(list.filter((one) => before.includes(one))).toEqual(stayed);
					before = list;
				}
				expect(new Set(numbers.values()).size).toBe(numbers.size);
			}),
		);
	});

	it("of addresses long gone are forgotten, never those of current ones", () => {
		const { lookups, timers, addresses, current } = opened(["http://10.9.9.9", "http://a"]);
		const rounds = LIMITS.addressesRemembered + 5;
		for (let at = 0; at < rounds; at += 1) {
			lookups.found("a", `10.0.${at >> 8}.${at & 255}`);
			timers.advance(LIMITS.nameRefreshMaxMs);
		}
		expect(addresses.find(0)?.ip).toBe("10.9.9.9");
		expect(addresses.find(1)).toBeUndefined();
		expect(addresses.find(rounds)?.ip).toBe(current()[1]?.ip);
		lookups.found("a", "10.0.0.0");
		expect(current().map(({ id }) => id)).toEqual([0, rounds + 1]);
	});
});
