/**
 * Which edge a host belongs to (contract 6). The order is: exact name with the port, exact name, longest wildcard,
 * any host. At each step a hostport with a port comes before one without. Used by `route-table.ts`.
 */

import type { Authority } from "../../http/target.ts";
import type { Hostport } from "../../store/hostport.ts";

/** `*`, `.example.com` for a wildcard, or the name. */
const nameOf = ({ host, wildcard }: Hostport): string =>
	!wildcard ? host : host === "" ? "*" : `.${host}`;

/** The values of one name: one for each port, and one for any port. */
interface Entry<T> {
	any: T | undefined;
	byPort: Map<number, T> | undefined;
}

/** A result that is remembered. */
interface Found<T> {
	readonly schemePort: number;
	readonly listenerPort: number;
	readonly value: T | undefined;
}

/** Hosts remembered. One more, and all are forgotten, because clients choose the names. */
const FOUND_KEPT = 1024;

export class HostTable<T> {
	readonly #byName = new Map<string, Entry<T>>();
	/** The same object stands for the same host (`authorities.ts`), which needs no hashing of names. */
	readonly #found = new Map<Authority, Found<T>>();

	set(hostport: Hostport, value: T): void {
		this.#found.clear();
		const name = nameOf(hostport);
		let entry = this.#byName.get(name);
		if (entry === undefined) {
			entry = { any: undefined, byPort: undefined };
			this.#byName.set(name, entry);
		}
		if (hostport.port === undefined) {
			entry.any = value;
			return;
		}
		entry.byPort ??= new Map();
		entry.byPort.set(hostport.port, value);
	}

	/** Does nothing if another value has taken the hostport over in the same change. */
	delete(hostport: Hostport, value: T): void {
		this.#found.clear();
		const name = nameOf(hostport);
		const { port } = hostport;
		const entry = this.#byName.get(name);
		if (entry === undefined) return;
		if (port === undefined) {
			if (entry.any === value) entry.any = undefined;
		} else if (entry.byPort?.get(port) === value) {
			entry.byPort.delete(port);
			if (entry.byPort.size === 0) entry.byPort = undefined;
		}
		if (entry.any === undefined && entry.byPort === undefined) this.#byName.delete(name);
	}

	/**
	 * Hot. A host without port is taken to mean the scheme's default or the listener's (contract 2).
	 * @returns undefined if no edge has it
	 */
	find(authority: Authority, schemePort: number, listenerPort: number): T | undefined {
		const known = this.#found.get(authority);
		if (known?.schemePort === schemePort && known.listenerPort === listenerPort) return known.value;
		const value = this.#look(authority, schemePort, listenerPort);
		if (this.#found.size >= FOUND_KEPT) this.#found.clear();
		this.#found.set(authority, { schemePort, listenerPort, value });
		return value;
	}

	/** Spelled as the hostports are, so that no label is empty (`http/host.ts`). */
	#look({ host, port }: Authority, schemePort: number, listenerPort: number): T | undefined {
		const first = port ?? schemePort;
		const second = port ?? listenerPort;
		let found = this.#at(host, first, second);
		if (found !== undefined) return found;
		for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
			found = this.#at(host.slice(dot), first, second);
			if (found !== undefined) return found;
		}
		return this.#at("*", first, second);
	}

	#at(name: string, firstPort: number, secondPort: number): T | undefined {
		const entry = this.#byName.get(name);
		if (entry?.byPort === undefined) return entry?.any;
		return entry.byPort.get(firstPort) ?? entry.byPort.get(secondPort) ?? entry.any;
	}
}
