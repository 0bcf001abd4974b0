/**
 * A backend's `urls` as a list of addresses that changes while DNS does (contract 6). IP addresses are there at
 * once, names as soon as they are resolved; every address of a name counts as one of its own. Once there are
 * addresses there always are some. Made for each backend by whoever connects to it.
 */
import { isIP } from "node:net";
import { LIMITS } from "../../limits.ts";
import type { NameResolver } from "./name-resolver.ts";

export interface BackendAddress {
	/**
	 * of this url, ip and port, within its `BackendAddresses`; never another's. One that comes back has its old
	 * number, unless `LIMITS.addressesRemembered` others have been there meanwhile
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
	/** by name, the last one; they count while there are no addresses */
	readonly #failures = new Map<string, string>();
	readonly #watches: (() => void)[] = [];
	/** current and former ones, those in use last at the end */
	readonly #known = new Map<string, BackendAddress>();
	/** as last told to `onChange` */
	#current: readonly BackendAddress[] = [];
	#nextId = 0;
	#open = false;

	/**
	 * Calls `onChange` or `onFailed` before it returns if everything needed for that is known.
	 * @param urls validated origins; one that is written twice counts once. Throws if one is no URL
	 * @param onChange other addresses than before, never none: in the order of `urls`, those of a name in the
	 *   order in which they were found
	 * @param onFailed there has been no address yet and each name has failed or takes long: waiting requests
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

	/** The address of a number, also one that has gone, as long as it is remembered. For logs. */
	find(id: number): BackendAddress | undefined {
		return [...this.#known.values()].find((address) => address.id === id);
	}

	/** No name is resolved for this backend any more, and nothing is called. */
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

	/** A name may still be found while others have failed. */
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
