/**
 * The addresses of a backend's `urls`, a list that changes when DNS does (contract 6). A URL with an IP address is
 * in it at once, one with a name as soon as the name is resolved; each address of a name is an address of the
 * backend. Once the list has addresses it is never empty again. Made for each backend by
 * `../native/native-upstream.ts`.
 */
import { isIP } from "node:net";
import { LIMITS } from "../../limits/limits.ts";
import type { NameResolver } from "./name-resolver.ts";

export interface BackendAddress {
	/**
	 * Belongs to this url, ip and port, within its `BackendAddresses`. An address that goes and comes back has its
	 * old number, unless `LIMITS.addressesRemembered` others have been there meanwhile.
	 */
	readonly id: number;
	/** as written in the document */
	readonly url: string;
	/** IPv4 or IPv6 without brackets */
	readonly ip: string;
	readonly port: number;
}

interface Origin {
	readonly url: string;
	/** name or IP address */
	readonly host: string;
	readonly port: number;
}

function originOf(url: string): Origin {
	const { hostname, port, protocol } = new URL(url);
	const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
	return { url, host, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

export class BackendAddresses {
	readonly #origins: readonly Origin[];
	readonly #onChange: (addresses: readonly BackendAddress[]) => void;
	readonly #onFailed: (message: string) => void;
	/** addresses by host; an IP address is its own */
	readonly #found = new Map<string, readonly string[]>();
	/** the last failure of each name; of interest while there are no addresses */
	readonly #failures = new Map<string, string>();
	readonly #watches: (() => void)[] = [];
	/** current and former addresses, by ip and url; the ones listed last are at the end */
	readonly #known = new Map<string, BackendAddress>();
	/** as last told to `onChange` */
	#current: readonly BackendAddress[] = [];
	#nextId = 0;
	#open = false;

	/**
	 * Throws if one of the URLs is none. Calls `onChange` or `onFailed` before it returns if enough is known.
	 * @param urls validated origins; one that is written twice counts once
	 * @param onChange gets the new list, never an empty one: in the order of `urls`, the addresses of a name in the
	 *   order in which they were found
	 * @param onFailed there has been no address yet, and each name has failed or takes long: waiting requests
	 *   can be answered with 502. Called for every further failure, until there is an address
	 */
	constructor(
		urls: readonly string[],
		resolver: NameResolver,
		onChange: (addresses: readonly BackendAddress[]) => void,
		onFailed: (message: string) => void,
	) {
		this.#origins = [...new Set(urls)].map(originOf);
		this.#onChange = onChange;
		this.#onFailed = onFailed;
		for (const host of new Set(this.#origins.map(({ host }) => host))) {
			if (isIP(host) === 0) this.#watch(host, resolver);
			else this.#found.set(host, [host]);
		}
		this.#open = true;
		this.#update();
	}

	/** The address with this number, as long as it is remembered, though it may have gone. For logs. */
	find(id: number): BackendAddress | undefined {
		for (const address of this.#known.values()) if (address.id === id) return address;
		return undefined;
	}

	/** Ends the watches of names. Neither `onChange` nor `onFailed` is called any more. */
	close(): void {
		this.#open = false;
		for (const endWatch of this.#watches.splice(0)) endWatch();
	}

	#watch(name: string, resolver: NameResolver): void {
		const endWatch = resolver.watch(name, {
			onAddresses: (addresses) => {
				this.#found.set(name, addresses);
				this.#update();
			},
			onFailed: (message) => {
				this.#failures.set(name, message);
				this.#update();
			},
		});
		this.#watches.push(endWatch);
	}

	#update(): void {
		if (!this.#open) return;
		const addresses = this.#origins.flatMap((origin) =>
			(this.#found.get(origin.host) ?? []).map((ip) => this.#addressOf(origin, ip)),
		);
		if (addresses.length === 0) {
			this.#tellFailure();
			return;
		}
		const before = this.#current;
		if (addresses.length === before.length && addresses.every((each, at) => each === before[at])) {
			return;
		}
		this.#current = addresses;
		this.#forget();
		this.#onChange(addresses);
	}

	/** Not while a name has neither been found nor failed: it may still be found. */
	#tellFailure(): void {
		const messages = [...this.#failures.values()];
		const [first] = messages;
		const unanswered = this.#origins.some(({ host }) => !this.#failures.has(host));
		if (first === undefined || unanswered) return;
		this.#onFailed(messages.length === 1 ? first : `${first}, and ${messages.length - 1} more`);
	}

	#addressOf({ url, port }: Origin, ip: string): BackendAddress {
		const key = `${ip} ${url}`;
		const known = this.#known.get(key);
		const address = known ?? { id: this.#nextId++, url, ip, port };
		this.#known.delete(key);
		this.#known.set(key, address);
		return address;
	}

	#forget(): void {
		const most = Math.max(LIMITS.addressesRemembered, this.#current.length);
		for (const key of this.#known.keys()) {
			if (this.#known.size <= most) return;
			this.#known.delete(key);
		}
	}
}
