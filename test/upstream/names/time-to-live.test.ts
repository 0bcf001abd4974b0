/** How long addresses count: DNS's word, within bounds, where it is of the same addresses. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { type DnsRecord, refreshAfterMs } from "../../../src/upstream/names/time-to-live.ts";

const address = fc.constantFrom("10.0.0.1", "10.0.0.2", "10.0.0.3", "::1");
const addresses = fc.uniqueArray(address, { minLength: 1 });
const ttlSeconds = fc.oneof(fc.nat(400), fc.constantFrom(0, 1, 30, 300, 301, 2 ** 31 - 1));
const record: fc.Arbitrary<DnsRecord> = fc.record({ address, ttlSeconds });
const records = fc.array(record, { maxLength: 6 });

it("never leaves the bounds", () => {
	fc.assert(
		fc.property(addresses, records, (given, known) => {
			const delayMs = refreshAfterMs(given, known);
			expect(delayMs).toBeGreaterThanOrEqual(LIMITS.nameRefreshMinMs);
			expect(delayMs).toBeLessThanOrEqual(LIMITS.nameRefreshMaxMs);
		}),
	);
});

it("is the shortest time to live, where DNS knows all the addresses", () => {
	fc.assert(
		fc.property(addresses, fc.integer({ min: 1, max: 300 }), fc.nat(300), (given, least, more) => {
			const known = given.map((each, at) => ({
				address: each,
				ttlSeconds: at === 0 ? least : least + more,
			}));
			expect(refreshAfterMs(given, known)).toBe(least * 1000);
		}),
	);
});

it("is the default where DNS knows nothing; another answer can only shorten it", () => {
	const delay = (ttl: number) =>
		refreshAfterMs(["10.0.0.1", "::1"], [{ address: "10.0.0.1", ttlSeconds: ttl }]);
	expect(refreshAfterMs(["10.0.0.1"], [])).toBe(LIMITS.nameRefreshDefaultMs);
	expect([delay(5), delay(29), delay(31), delay(86_400)]).toEqual([5000, 29_000, 30_000, 30_000]);
});
