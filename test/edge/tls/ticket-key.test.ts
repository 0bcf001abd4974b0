/** What counts as a proof that bytes are a ticket's key, and the keys that secrets become. */
import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { expiringAt, isKeyOf, keyFrom, nameOf } from "../../../src/edge/tls/ticket-key.ts";

const NOW = 1_900_000_000;
const PERIOD = 172_800;
const SESSION = Buffer.concat([Buffer.from([0x30, 0x10]), Buffer.alloc(16, "s")]);

const key = expiringAt(new Uint8Array(randomBytes(56)), BigInt(NOW + PERIOD));

function sealed(state: Buffer, withKey = key): Buffer {
	const iv = randomBytes(16);
	const cipher = createCipheriv("aes-128-cbc", withKey.subarray(32, 48), iv);
	const body = Buffer.concat([nameOf(withKey), iv, cipher.update(state), cipher.final()]);
	const mac = createHmac("sha256", withKey.subarray(16, 32)).update(body).digest();
	return Buffer.concat([body, mac]);
}

const changedAt = (bytes: Uint8Array, index: number): Uint8Array => {
	const changed = new Uint8Array(bytes);
	changed[index] = (changed[index] ?? 0) ^ 1;
	return changed;
};

it("a key is one that opens the ticket and was made just now", () => {
	const ticket = sealed(SESSION);
	expect(isKeyOf(ticket, key, NOW)).toBe(true);
	for (const index of [16, 31, 32, 47]) {
		expect([index, isKeyOf(ticket, changedAt(key, index), NOW)]).toEqual([index, false]);
	}
	for (const index of [0, 20, 40, ticket.length - 1]) {
		expect([index, isKeyOf(changedAt(ticket, index), key, NOW)]).toEqual([index, false]);
	}
	for (const moment of [NOW - 100, NOW + 100]) expect(isKeyOf(ticket, key, moment)).toBe(false);
	expect(isKeyOf(sealed(Buffer.from("no session")), key, NOW)).toBe(false);
	expect(isKeyOf(Buffer.alloc(8), key, NOW)).toBe(false);
});

it("a secret is one key for each listener, replaced by nobody else", () => {
	const secret = Buffer.alloc(32, "x").toString("base64");
	const current = keyFrom(secret, "127.0.0.1 443", "current");
	const previous = keyFrom(secret, "127.0.0.1 443", "previous");
	expect(current).toHaveLength(56);
	expect(previous.subarray(0, 48)).toEqual(current.subarray(0, 48));
	const seconds = (bytes: Uint8Array) => Buffer.from(bytes).readBigUInt64LE(48);
	expect(seconds(current)).toBe(0n);
	expect(seconds(previous)).toBeGreaterThan(BigInt(NOW) * 1000n);
	for (const other of [
		keyFrom(secret, "127.0.0.1 444", "current"),
		keyFrom(Buffer.alloc(32, "y").toString("base64"), "127.0.0.1 443", "current"),
	]) {
		for (const at of [0, 16, 32]) {
			expect(other.subarray(at, at + 16)).not.toEqual(current.subarray(at, at + 16));
		}
	}
});
