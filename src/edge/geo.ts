/**
 * Country and place of a client address (contract 4, `conn.geo`), from an MMDB file. No other module imports
 * maxmind. The file is opened once per process. An exchange looks its address up only when an expression or a line of the
 * log reads the result (1 to 2 µs, some 30 ns for an address that was lately looked up).
 */

import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { open, type Reader } from "maxmind";
import { asciiUpperCase } from "../ascii.ts";
import type { GeoRecord } from "../cel/attributes.ts";
import { Cache } from "../cel/cache.ts";
import { fileMark } from "../file-mark.ts";
import { addressRangeOf } from "../http/address-range.ts";
import { AddressSet } from "../http/address-set.ts";
import { LIMITS } from "../limits/limits.ts";

export interface Geo {
	/** Never throws; unknown addresses and fields give empty strings. */
	lookup(address: string): GeoRecord;
}

export interface GeoFile extends Geo {
	/** Whether the file is the one that was read. */
	readonly isFresh: boolean;
}

const BUNDLED = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

export const UNKNOWN_PLACE: GeoRecord = Object.freeze({
	countryCode: "",
	country: "",
	city: "",
	latitude: "",
	longitude: "",
	subdivision: "",
});

/**
 * Addresses that belong to nobody in particular (IANA's registries of special-purpose addresses, and multicast). The bundled
 * database gives some of them the country of whoever has what lies around them.
 */
const SPECIAL_ADDRESSES = [
	...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
	...[
		"192.0.0.0/24",
		"192.0.2.0/24",
		"192.88.99.0/24",
		"192.168.0.0/16",
		"198.18.0.0/15",
		"198.51.100.0/24",
	],
	...["203.0.113.0/24", "224.0.0.0/3"],
	...["::/127", "64:ff9b:1::/48", "100::/64", "2001:db8::/32", "3fff::/20", "5f00::/16"],
	...["2001:2::/48", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

function specialAddresses(): AddressSet {
	const ranges = SPECIAL_ADDRESSES.map((text) => {
		const range = addressRangeOf(text);
		if (!range.ok) throw new Error(range.error);
		return range.value;
	});
	return AddressSet.of(ranges);
}

/** The value at the first of these paths that holds text or a number. */
const textAt = (record: unknown, ...paths: readonly (readonly string[])[]): string => {
	for (const path of paths) {
		let value: unknown = record;
		for (const key of path) {
			value =
				typeof value === "object" && value !== null
					? (value as Record<string, unknown>)[key]
					: undefined;
		}
		if (typeof value === "string") return value;
		if (typeof value === "number") return String(value);
	}
	return "";
};

/** MaxMind's nested layout, and the flat one of ip-location-db. */
const toGeoRecord = (record: unknown): GeoRecord => ({
	countryCode: asciiUpperCase(
		textAt(record, ["country", "iso_code"], ["country_code"], ["registered_country", "iso_code"]),
	),
	country: textAt(record, ["country", "names", "en"], ["country_name"], ["country"]),
	city: textAt(record, ["city", "names", "en"], ["city"]),
	latitude: textAt(record, ["location", "latitude"], ["latitude"]),
	longitude: textAt(record, ["location", "longitude"], ["longitude"]),
	subdivision: textAt(record, ["subdivisions", "0", "names", "en"], ["state1"], ["region"]),
});

/**
 * @param database an MMDB file, or null for the bundled country database
 * @throws Error if the file can't be read or is no MMDB
 */
export async function openGeo(database: string | null): Promise<GeoFile> {
	const file = database ?? createRequire(import.meta.url).resolve(BUNDLED);
	const mark = fileMark(file);
	let reader: Reader<object>;
	try {
		if (!statSync(file).isFile()) throw new Error("it is no regular file");
		reader = (await open(file)) as Reader<object>;
	} catch (error) {
		throw new Error(`geo database ${file}: ${(error as Error).message}`);
	}
	const known = new Cache<GeoRecord>(LIMITS.geoAddresses);
	const nobodys = database === null ? specialAddresses() : undefined;
	const read = (address: string): GeoRecord => {
		if (nobodys?.has(address) === true) return UNKNOWN_PLACE;
		try {
			const record: unknown = reader.get(address);
			return record === null ? UNKNOWN_PLACE : toGeoRecord(record);
		} catch {
			return UNKNOWN_PLACE;
		}
	};
	return {
		get isFresh() {
			return fileMark(file) === mark;
		},
		// As keys addresses are kept: those of clients and of `x-forwarded-for` are no parts of longer texts.
		lookup: (address) => known.get(address) ?? known.put(address, read(address)),
	};
}
