/**
 * The listening sockets of the data path. The supervisor binds them and keeps them, workers inherit them: so nothing
 * that the kernel has accepted is lost when a worker leaves, at a reload or because it has crashed (docs/design.md,
 * "Processes"). Where that is not possible workers bind for themselves. Used by `worker-set.ts`.
 */
import { lookup } from "node:dns/promises";
import { closeSync } from "node:fs";
import type { Config, Listener } from "../../config.ts";
import { canInherit } from "../../http/inherited-listener.ts";
import { cannotListen, formatAddress } from "../config/address.ts";
import { type GivenSocket, givenFor } from "./given-sockets.ts";
import { ListeningGroup } from "./listening-group.ts";

type Sockets = Pick<Config, "listen" | "workers">;

export class ListeningSockets {
	readonly #groups = new Map<string, ListeningGroup>();
	/** whether workers inherit sockets */
	readonly isPossible: boolean;

	/** not bound here, and not taken over yet */
	#given: GivenSocket[];

	/** @param given sockets of another process, which are taken over where they are wanted */
	constructor(isPossible = canInherit(), given: readonly GivenSocket[] = []) {
		this.#given = [...given];
		this.isPossible = isPossible;
	}

	/** For another process. */
	get given(): readonly GivenSocket[] {
		return [...this.#groups.values()].map((group) => group.given);
	}

	/** Another process may have led connections elsewhere: they are led anew when it is next looked. */
	forgetLead(): void {
		for (const group of this.#groups.values()) group.forgetLead();
	}

	/** Binds what is missing for these workers; nobody listens yet. @throws Error with a sentence for people */
	async prepare(wanted: Sockets): Promise<void> {
		const { sizes } = this;
		try {
			await this.#bind(wanted);
		} catch (error) {
			this.goBackTo(sizes);
			throw error;
		}
	}

	async #bind({ listen, workers }: Sockets): Promise<void> {
		if (!this.isPossible) return;
		for (const listener of listen) {
			const name = formatAddress(listener);
			const group = this.#groups.get(name) ?? (await this.#takeGiven(listener));
			if (group === undefined) this.#groups.set(name, await bound(listener, workers));
			else must(listener, group.grow(workers));
		}
	}

	async #takeGiven(listener: Listener): Promise<ListeningGroup | undefined> {
		const given = await givenFor(listener, this.#given);
		if (given === undefined) return undefined;
		this.#given = this.#given.filter((each) => each !== given);
		const group = ListeningGroup.of(given);
		this.#groups.set(formatAddress(listener), group);
		return group;
	}

	/** Descriptors of a worker's own, for each listener; none at all where it binds for itself. */
	of({ listen, workers }: Sockets, worker: number): readonly (readonly number[])[] {
		if (!this.isPossible) return [];
		return listen.map((listener) => {
			const group = this.#groupOf(listener);
			return group.numbersOf(worker, workers).map((number) => group.descriptorOf(number));
		});
	}

	/** The worker is about to accept. @returns a sentence for people if it can't */
	listen({ listen, workers }: Sockets, worker: number): string | undefined {
		if (!this.isPossible) return undefined;
		for (const listener of listen) {
			const group = this.#groupOf(listener);
			for (const number of group.numbersOf(worker, workers)) {
				const code = group.listen(number);
				if (code !== undefined) return cannotListen(listener, code);
			}
		}
		return undefined;
	}

	/** New connections go to workers that accept. */
	lead(workers: number, accepts: (worker: number) => boolean): void {
		for (const group of this.#groups.values())
			group.lead((number) => number < workers && accepts(number));
	}

	/** How many there are of each address, for `goBackTo`. */
	get sizes(): ReadonlyMap<string, number> {
		return new Map([...this.#groups].map(([name, group]) => [name, group.size]));
	}

	/** A reload has failed: what was made for it goes. @param gone resolves when its workers have ended */
	goBackTo(sizes: ReadonlyMap<string, number>, gone?: Promise<unknown>): void {
		for (const [name, group] of this.#groups) {
			const size = sizes.get(name);
			if (size === undefined) this.#forget(name, group);
			else group.shrink(size, gone);
		}
	}

	/** Addresses that are listened on no more. */
	keepOnly({ listen }: Pick<Config, "listen">): void {
		const kept = new Set(listen.map(formatAddress));
		for (const [name, group] of this.#groups) if (!kept.has(name)) this.#forget(name, group);
		for (const { descriptors } of this.#given.splice(0))
			for (const each of descriptors) closeSync(each);
	}

	/** Workers that accept have the sockets still. */
	close(): void {
		for (const [name, group] of this.#groups) this.#forget(name, group);
	}

	#forget(name: string, group: ListeningGroup): void {
		group.close();
		this.#groups.delete(name);
	}

	#groupOf(listener: Listener): ListeningGroup {
		const group = this.#groups.get(formatAddress(listener));
		if (group === undefined) throw new Error(`no sockets for ${formatAddress(listener)}`);
		return group;
	}
}

function must(listener: Listener, code: string | undefined): void {
	if (code !== undefined) throw new Error(cannotListen(listener, code));
}

/** As the server library would: of a name's addresses those of IPv6 first. @throws Error with a sentence for people */
async function bound(listener: Listener, count: number): Promise<ListeningGroup> {
	const { host, port } = listener;
	let code: string | undefined = "ENOTFOUND";
	const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
		code = error.code;
		return [];
	});
	for (const { address } of found.toSorted((one, other) => other.family - one.family)) {
		const group = new ListeningGroup(address, port);
		code = group.grow(count);
		if (code === undefined) return group;
		group.close();
	}
	throw new Error(cannotListen(listener, code ?? "ENOTFOUND"));
}
