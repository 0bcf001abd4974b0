/**
 * Who sent a request (contract 4, `conn.client_ip`): the peer, unless the peer is a trusted proxy; then
 * the right-most address of `x-forwarded-for` that is not one itself. What stands left of that was
 * written by somebody whom nobody trusts.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const parseAddress = (text: string): Address | undefined => {
	// Four decimal parts only: `010.1` or `1.2.3` mean different things to different readers.
	if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
	if (!text.includes(":") || text.includes("%") || !ipaddr.IPv6.isValid(text)) return undefined;
	const address = ipaddr.IPv6.parse(text);
	return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
};

/** The one spelling of an address that policies and upstreams see: IPv4-mapped as IPv4, IPv6 compressed. */
export function canonicalAddress(text: string): string {
	if (!text.includes(":")) return text;
	return parseAddress(text)?.toString() ?? text;
}

const decoder = new TextDecoder("latin1");
/** @param bytes an address as uWebSockets.js prints it; empty if there is none */
export const addressOf = (bytes: ArrayBuffer): string => canonicalAddress(decoder.decode(bytes));

const FORWARDED_ENTRY =
	/^"?(?:\[([0-9A-Fa-f:.]+)\](?::\d+)?|([0-9.]+)(?::\d+)?|([0-9A-Fa-f:.]+))"?$/;

/** One element of `x-forwarded-for`: an address, perhaps in brackets, quotes or with a port. */
const parseForwarded = (entry: string): Address | undefined => {
	const match = FORWARDED_ENTRY.exec(entry.trim());
	const text = match?.[1] ?? match?.[2] ?? match?.[3];
	return text === undefined ? undefined : parseAddress(text);
};

/** @returns undefined if `text` is no address or CIDR range */
const parseNetwork = (text: string): [Address, number] | undefined => {
	const [base = "", bits, ...rest] = text.split("/");
	const address = parseAddress(base);
	const widest = address?.kind() === "ipv4" ? 32 : 128;
	const mapped = base.includes(":") && widest === 32 ? 96 : 0;
	const length = bits === undefined ? widest : Number(bits) - mapped;
	const valid = bits === undefined || /^\d{1,3}$/.test(bits);
	if (address === undefined || !valid || rest.length > 0) return undefined;
	return length < 0 || length > widest ? undefined : [address, length];
};

/** Whether `TrustedProxies` takes it; the config is checked with this. */
export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

export class TrustedProxies {
	readonly #networks: readonly [Address, number][];

	/** @param networks addresses and CIDR ranges, IPv4 and IPv6 @throws Error naming one that isn't */
	constructor(networks: readonly string[]) {
		this.#networks = networks.map((text) => {
			const network = parseNetwork(text);
			if (network !== undefined) return network;
			throw new Error(`trusted_proxies: ${JSON.stringify(text)} is no address or CIDR range`);
		});
	}

	trusts(address: string): boolean {
		if (this.#networks.length === 0) return false;
		const parsed = parseAddress(address);
		return parsed !== undefined && this.#contains(parsed);
	}

	/**
	 * @param forwardedFor lines of `x-forwarded-for` in order, added by a peer that is trusted
	 * @returns the right-most untrusted address; if all are trusted the left-most; at an entry that is no
	 *   address the walk ends with the one to its right
	 */
	clientBehind(peer: string, forwardedFor: readonly string[]): string {
		let client = peer;
		for (let line = forwardedFor.length - 1; line >= 0; line--) {
			const entries = (forwardedFor[line] ?? "").split(",");
			for (let index = entries.length - 1; index >= 0; index--) {
				const address = parseForwarded(entries[index] ?? "");
				if (address === undefined) return client;
				client = address.toString();
				if (!this.#contains(address)) return client;
			}
		}
		return client;
	}

	#contains(address: Address): boolean {
		for (const [network, bits] of this.#networks) {
			if (network.kind() === address.kind() && address.match(network, bits)) return true;
		}
		return false;
	}
}
