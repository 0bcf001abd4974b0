/**
 * Which edge a host belongs to (contract 6): exact name with the port, exact name, longest wildcard,
 * any host. At each step a hostport with a port comes before the one without. `routes.ts` keeps one.
 */
import type { Hostport } from "../store/hostport.ts";
import type { Authority } from "../target.ts";

/** `*`, `.example.com` for a wildcard, or the name; with `:port` behind if there is one. */
const keyOf = ({ host, port, wildcard }: Hostport): string => {
	const name = !wildcard ? host : host === "" ? "*" : `.${host}`;
	return port === undefined ? name : `${name}:${port}`;
};

export class HostTable<T> {
	readonly #byKey = new Map<string, T>();

	set(hostport: Hostport, value: T): void {
		this.#byKey.set(keyOf(hostport), value);
	}

	/** Only if `value` has it still: another may have taken it over in the same change. */
	delete(hostport: Hostport, value: T): void {
		const key = keyOf(hostport);
		if (this.#byKey.get(key) === value) this.#byKey.delete(key);
	}

	/**
	 * Hot. A host without port is taken to mean the scheme's default or the listener's (contract 2).
	 * @returns undefined if no edge has it
	 */
	find({ host, port }: Authority, schemePort: number, listenerPort: number): T | undefined {
		const name = host.endsWith(".") ? host.slice(0, -1) : host;
		const first = port ?? schemePort;
		const second = port ?? listenerPort;
		// With a dot in front it would be taken for a wildcard's key.
		let found = name.startsWith(".") ? undefined : this.#at(name, first, second);
		if (found !== undefined) return found;
		for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
			// `*.example.com` needs something in front of the dot.
			if (dot > 0) found = this.#at(name.slice(dot), first, second);
			if (found !== undefined) return found;
		}
		return this.#at("*", first, second);
	}

	#at(name: string, firstPort: number, secondPort: number): T | undefined {
		return (
			this.#byKey.get(`${name}:${firstPort}`) ??
			(secondPort === firstPort ? undefined : this.#byKey.get(`${name}:${secondPort}`)) ??
			this.#byKey.get(name)
		);
	}
}
