/**
 * A key for session tickets as BoringSSL keeps it: name, HMAC key and AES key of 16 bytes each, as
 * `SSL_CTX_set_tlsext_ticket_keys` takes them, and the second at which BoringSSL replaces it. `isKeyOf` proves that
 * some bytes are the key of a ticket (RFC 5077 4: name, IV, state in AES-128-CBC, HMAC-SHA256). Used by
 * `key-donor.ts` and `worker-tickets.ts`.
 */
import { createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { addon } from "../../native-addon.ts";

/** 32 random bytes each, in base64. Known to this server's processes, and never written anywhere. */
export interface TicketSecrets {
	/** new tickets are made with it */
	readonly seal: string;
	/** tickets made with it are accepted, too */
	readonly open: string;
}

const { nameBytes: NAME_BYTES, keyBytes } = addon.ticketKeyLayout;
export const KEY_BYTES = keyBytes;

/** Expiry times that keep BoringSSL from replacing a key itself. */
const NEVER_AS_CURRENT = 0n;
const NEVER_AS_PREVIOUS = 2n ** 62n;
/** life of a key that BoringSSL makes itself */
const OWN_SECONDS = 172_800;
/** for the time between making and finding a key, and for a clock that is set meanwhile */
const SLACK_SECONDS = 60;
/** SEQUENCE, which a session in DER begins with */
const DER_SEQUENCE = 0x30;

/** The name of the key that a ticket was made with. */
export const nameOf = (ticket: Uint8Array): Uint8Array =>
	new Uint8Array(ticket.subarray(0, NAME_BYTES));

/** @param second since 1970, in which BoringSSL is to replace the key */
export const expiringAt = (key: Uint8Array, second: bigint): Uint8Array => {
	const changed = new Uint8Array(key);
	new BigUint64Array(changed.buffer)[6] = second;
	return changed;
};

/** Whether all four parts of `key` are where they are expected: it opens the ticket, and was made just now. */
export function isKeyOf(ticket: Uint8Array, key: Uint8Array, nowSeconds: number): boolean {
	const sealed = ticket.subarray(0, -32);
	const mac = createHmac("sha256", key.subarray(16, 32)).update(sealed).digest();
	if (!mac.equals(ticket.subarray(-32))) return false;
	const decipher = createDecipheriv("aes-128-cbc", key.subarray(32, 48), sealed.subarray(16, 32));
	try {
		const state = Buffer.concat([decipher.update(sealed.subarray(32)), decipher.final()]);
		if (state[0] !== DER_SEQUENCE) return false;
	} catch {
		return false;
	}
	const second = Number(new BigUint64Array(new Uint8Array(key).buffer)[6]);
	return Math.abs(second - nowSeconds - OWN_SECONDS) < SLACK_SECONDS;
}

/**
 * @param listener its address: a ticket of one listener is none at another, which may have other names
 * @param role as current key or as previous one
 */
export function keyFrom(
	secret: string,
	listener: string,
	role: "current" | "previous",
): Uint8Array {
	const key = new Uint8Array(KEY_BYTES);
	const purpose = `weir session tickets ${listener}`;
	key.set(new Uint8Array(hkdfSync("sha256", Buffer.from(secret, "base64"), "", purpose, 48)));
	return expiringAt(key, role === "current" ? NEVER_AS_CURRENT : NEVER_AS_PREVIOUS);
}
