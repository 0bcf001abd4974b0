import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGeo } from "../../src/edge/geo.ts";
import { LIMITS } from "../../src/limits/limits.ts";

describe("the bundled country database", () => {
	it("knows IPv4 and IPv6 addresses, and gives empty strings for the rest", async () => {
		const geo = await openGeo(null);
		expect(geo.lookup("8.8.8.8").countryCode).toBe("US");
		expect(geo.lookup("2001:4860:4860::8888").countryCode).toBe("US");
		const nobodys = [
			...["127.0.0.1", "10.0.0.1", "172.17.0.2", "192.168.1.10", "100.64.0.1", "169.254.1.1"],
			...["192.0.2.1", "198.51.100.7", "203.0.113.5", "::ffff:192.168.1.10", "224.0.0.1"],
			...["255.255.255.255", "::1", "2001:db8::1", "fd00::1", "fe80::1"],
		];
		for (const address of [...nobodys, "", "garbage"]) {
			expect(Object.values(geo.lookup(address)).join("")).toBe("");
		}
	});
});

describe("another database", () => {
	it("names a file that is missing or no database", async () => {
		const folder = mkdtempSync(join(tmpdir(), "weir-geo-"));
		const file = join(folder, "x.mmdb");
		await expect(openGeo(file)).rejects.toThrow(file);
		writeFileSync(file, "not a database");
		await expect(openGeo(file)).rejects.toThrow(file);
		rmSync(folder, { recursive: true });
	});

	it("says the same of an address that was looked up before", async () => {
		const [geo, other] = [await openGeo(null), await openGeo(null)];
		const addresses = Array.from({ length: 3 * LIMITS.geoAddresses }, (_, n) =>
			[1 + (n % 220), (n * 7) % 256, (n * 13) % 256, n % 256].join("."),
		);
		for (const address of addresses) geo.lookup(address);
		const [first = ""] = addresses;
		const last = addresses.at(-1) ?? "";
		expect(geo.lookup(last)).toBe(geo.lookup(last));
		for (const address of [first, last, ...addresses.slice(-500), "garbage", ""])
			expect(geo.lookup(address)).toEqual(other.lookup(address));
	});

	it("is read in MaxMind's nested layout too", async () => {
		const folder = mkdtempSync(join(tmpdir(), "weir-geo-"));
		const file = join(folder, "nested.mmdb");
		writeFileSync(file, nestedDatabase());
		const geo = await openGeo(file);
		expect(geo.lookup("1.2.3.4")).toEqual({
			countryCode: "BR",
			country: "Brazil",
			city: "Recife",
			latitude: "-8.5",
			longitude: "",
			subdivision: "Pernambuco",
		});
		expect(geo.isFresh).toBe(true);
		rmSync(file);
		expect(geo.isFresh).toBe(false);
		rmSync(folder, { recursive: true });
	});
});

/** The smallest MMDB: a tree of one node whose both sides lead to one record. */
function nestedDatabase(): Buffer {
	const text = (value: string) =>
		Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
	const map = (entries: [string, Buffer][]) =>
		Buffer.concat([
			Buffer.from([0xe0 | entries.length]),
			...entries.flatMap(([key, value]) => [text(key), value]),
		]);
	const uint = (type: number, value: number) =>
		type < 8 ? Buffer.from([(type << 5) | 2, value >> 8, value & 255]) : Buffer.alloc(0);
	const long = (value: number) => Buffer.from([0x01, type64, value]);
	const type64 = 9 - 7;
	const double = Buffer.alloc(9);
	double[0] = 0x68;
	double.writeDoubleBE(-8.5, 1);
	const array = (items: Buffer[]) => Buffer.concat([Buffer.from([items.length, 11 - 7]), ...items]);
	const names = (value: string) => map([["names", map([["en", text(value)]])]]);
	const data = map([
		[
			"country",
			map([
				["iso_code", text("BR")],
				["names", map([["en", text("Brazil")]])],
			]),
		],
		["city", names("Recife")],
		["location", map([["latitude", double]])],
		["subdivisions", array([names("Pernambuco")])],
	]);
	const pointer = Buffer.from([0, 0, 1 + 16]);
	const metadata = map([
		["binary_format_major_version", uint(5, 2)],
		["binary_format_minor_version", uint(5, 0)],
		["build_epoch", long(1)],
		["database_type", text("test")],
		["description", map([])],
		["ip_version", uint(5, 4)],
		["languages", array([])],
		["node_count", uint(6, 1)],
		["record_size", uint(5, 24)],
	]);
	return Buffer.concat([
		pointer,
		pointer,
		Buffer.alloc(16),
		data,
		Buffer.from("\xab\xcd\xefMaxMind.com", "latin1"),
		metadata,
	]);
}
