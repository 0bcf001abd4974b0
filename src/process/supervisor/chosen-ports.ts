/**
 * The addresses that a start listens on. A port that the system chose for port 0 is held by a socket that is bound and
 * never listens, until those that listen there are bound beside it: else any connection of this machine could be given
 * it meanwhile, and a start later it would be in use. Used by `serve.ts`.
 */
import { lookup } from "node:dns/promises";
import { closeSync } from "node:fs";
import type { Config } from "../../config.ts";
import { canInherit } from "../../http/inherited-listener.ts";
import { addon } from "../../native-addon.ts";
import { type Address, claimAddress } from "../config/address.ts";
import type { Claimed } from "./given-sockets.ts";

export class ChosenPorts {
	readonly #sockets: number[] = [];
	readonly #canHold: boolean;

	/** @param canHold whether sockets can be bound beside each other, as they can on Linux */
	constructor(canHold = canInherit()) {
		this.#canHold = canHold;
	}

	/**
	 * Ports are chosen once, by the supervisor, because every worker must listen on the same one.
	 * @throws Error with a sentence for people: an address can't be had
	 */
	async claim(config: Config): Promise<Claimed> {
		const listen = [];
		for (const listener of config.listen) listen.push(await this.#claimed(listener));
		const before = this.#sockets.length;
		const management = await this.#claimed(config.management);
		return { config: { ...config, listen, management }, isHeld: this.#sockets.length > before };
	}

	/** Who listens there has bound it, or nobody will. */
	release(): void {
		for (const socket of this.#sockets.splice(0)) closeSync(socket);
	}

	async #claimed<Wanted extends Address>(wanted: Wanted): Promise<Wanted> {
		const port = wanted.port === 0 && this.#canHold ? await this.#held(wanted) : undefined;
		return { ...wanted, ...(port === undefined ? await claimAddress(wanted) : { port }) };
	}

	/** @returns undefined if none can be had, for reasons that `claimAddress` tells */
	async #held({ host }: Address): Promise<number | undefined> {
		const found = await lookup(host, { all: true }).catch(() => []);
		// As those who listen do: of a name's addresses those of IPv6 first.
		for (const { address } of found.toSorted((one, other) => other.family - one.family)) {
			const socket = addon.bindShared(address, 0);
			if (socket < 0) continue;
			this.#sockets.push(socket);
			return addon.boundPort(socket);
		}
		return undefined;
	}
}
