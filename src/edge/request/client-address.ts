/**
 * The address of the client that sent a request (contract 4, `conn.client_ip`). It is the peer's address, unless the
 * peer is a trusted proxy. Then it is the right-most address of `x-forwarded-for` that is no trusted proxy, because
 * anybody may have written what stands left of it. Made by `edge-parts.ts`.
 */
import {
	type Address,
	addressText,
	inRanges,
	parseAddress,
	parseRange,
	type Range,
	textInRanges,
} from "../../http/ip-address.ts";

/** Without a zone: what carries one is no address of a client. */
const readAddress = (text: string): Address | undefined =>
	text.includes("%") ? undefined : parseAddress(text);

const FORWARDED_ENTRY =
	/^"?(?:\[([0-9A-Fa-f:.]+)\](?::\d+)?|([0-9.]+)(?::\d+)?|([0-9A-Fa-f:.]+))"?$/;

/** White space as HTTP knows it, or nothing. */
const EMPTY = /^[ \t]*$/;

/** One element of `x-forwarded-for`: an address, perhaps in brackets, quotes or with a port. */
const parseForwarded = (entry: string): Address | undefined => {
	const match = FORWARDED_ENTRY.exec(entry.trim());
	const text = match?.[1] ?? match?.[2] ?? match?.[3];
	return text === undefined ? undefined : readAddress(text);
};

const MAPPED_WORDS = [0, 0, 0, 0, 0, 0xffff];

/** @returns undefined if `text` is no address or CIDR range */
function parseNetwork(text: string): Range | undefined {
	if (text.includes("/")) return parseRange(text);
	return parseRange(`${text}/${text.includes(":") ? 128 : 32}`);
}

/** Whether `TrustedProxies` takes it; the config is checked with this. */
export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

export class TrustedProxies {
	readonly #networks: readonly Range[];

	/** @param networks addresses and CIDR ranges, IPv4 and IPv6 @throws Error naming one that isn't */
	constructor(networks: readonly string[]) {
		this.#networks = networks.map((text) => {
			const network = parseNetwork(text);
			if (network !== undefined) return network;
			throw new Error(`trusted_proxies: ${JSON.stringify(text)} is no address or CIDR range`);
		});
	}

	/** For the addon: of each network 16 bytes, IPv4 as mapped into IPv6, and how many of their bits count. */
	bytes(): Uint8Array {
		const bytes = this.#networks.flatMap(({ network, length }) => {
			const words = network.length === 2 ? [...MAPPED_WORDS, ...network] : network;
			const bits = length + (words.length - network.length) * 16;
			return [...words.flatMap((word) => [word >> 8, word & 0xff]), bits];
		});
		return Uint8Array.from(bytes);
	}

	trusts(address: string): boolean {
		return this.#networks.length > 0 && textInRanges(address, this.#networks) === true;
	}

	/**
	 * @param forwardedFor lines of `x-forwarded-for` in order, added by a peer that is trusted
	 * @returns the right-most untrusted address; if all are trusted the left-most; at an entry that is no
	 *   address the walk ends with the one to its right; empty elements are none (RFC 9110 5.6.1.2)
	 */
	clientBehind(peer: string, forwardedFor: readonly string[]): string {
		let client = peer;
		for (let line = forwardedFor.length - 1; line >= 0; line--) {
			const entries = (forwardedFor[line] ?? "").split(",");
			for (let index = entries.length - 1; index >= 0; index--) {
				const entry = entries[index] ?? "";
				if (EMPTY.test(entry)) continue;
				const address = parseForwarded(entry);
				if (address === undefined) return client;
				client = addressText(address);
				if (!inRanges(address, this.#networks)) return client;
			}
		}
		return client;
	}
}
