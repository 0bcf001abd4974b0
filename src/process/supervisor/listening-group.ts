/**
 * The listening sockets of one address, one for each worker, over which the kernel spreads connections. They belong to
 * the supervisor; a worker inherits its own and accepts from it. Where a worker is not there to accept, new connections
 * are led to the others; what is queued already waits for the next worker. Used by `listening-sockets.ts`.
 */
import { closeSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";
import type { GivenSocket } from "./given-sockets.ts";

export class ListeningGroup {
	readonly #address: string;
	readonly #port: number;
	/** descriptors, by number of the worker for which they were made */
	readonly #sockets: number[] = [];
	/** numbers of those that listen, in the kernel's order */
	readonly #order: number[] = [];
	/** where connections are led, as text; empty: as the kernel does it; undefined: nobody knows */
	#led: string | undefined = "";
	#canLead = true;
	/** others can't be bound beside them: all workers accept from each */
	#isFixed = false;
	/** places in the kernel's order that sockets of a failed reload may still have, behind all others */
	#stragglers = 0;
	/** Linux before 5.3 can't take a lead back: there all are named */
	#canFree = true;

	/** @param address as numbers @param port not 0 */
	constructor(address: string, port: number) {
		this.#address = address;
		this.#port = port;
	}

	/** Goes on with the sockets of another process. */
	static of(given: GivenSocket): ListeningGroup {
		const group = new ListeningGroup(given.address, given.port);
		group.#sockets.push(...given.descriptors);
		group.#order.push(...given.order);
		group.#isFixed = given.isFixed;
		group.#canLead = given.canLead;
		group.#led = given.led;
		return group;
	}

	get size(): number {
		return this.#sockets.length;
	}

	/** For another process, which goes on with them beside this one. */
	get given(): GivenSocket {
		const own = { address: this.#address, port: this.#port, isFixed: this.#isFixed };
		const lists = { descriptors: [...this.#sockets], order: [...this.#order] };
		const canLead = this.#canLead && this.#stragglers === 0;
		return { ...own, ...lists, led: this.#led ?? "unknown", canLead };
	}

	/** Another process may have led connections elsewhere. */
	forgetLead(): void {
		this.#led = undefined;
	}

	/** @returns the system's code if there can't be so many */
	grow(count: number): string | undefined {
		while (!this.#isFixed && this.#sockets.length < count) {
			const socket = addon.bindShared(this.#address, this.#port);
			if (socket < 0) return getSystemErrorName(socket);
			this.#sockets.push(socket);
		}
		return undefined;
	}

	/**
	 * Those beyond were made for workers of a reload that has failed; processes that leave may have them still.
	 * @param gone resolves when none has them
	 */
	shrink(count: number, gone: Promise<unknown> = Promise.resolve()): void {
		const beyond = this.#order.filter((number) => number >= count);
		const kept = this.#order.filter((number) => number < count);
		// The kernel moves the last one into a gap: a gap before one that stays would move it.
		if (beyond.some((number) => this.#order.indexOf(number) < kept.length)) {
			this.lead(() => true);
			this.#canLead = false;
		}
		this.#order.splice(0, this.#order.length, ...kept);
		for (const socket of this.#sockets.splice(count)) closeSync(socket);
		if (beyond.length === 0) return;
		// As long as the kernel has more sockets than are ours, ours are named.
		this.#stragglers += beyond.length;
		void gone.then(() => {
			this.#stragglers -= beyond.length;
		});
	}

	/** Of fewer workers than there are sockets, each has several. */
	numbersOf(worker: number, workers: number): number[] {
		const numbers = [...this.#sockets.keys()];
		// So few that they must be shared: each connection is whoever's accepts it first.
		if (this.#isFixed) return numbers;
		return numbers.filter((number) => number % workers === worker);
	}

	descriptorOf(number: number): number {
		const socket = this.#sockets[number];
		if (socket === undefined) throw new Error("no such listening socket");
		return socket;
	}

	/** From now on the kernel takes connections for it. @returns the system's code if it can't */
	listen(number: number): string | undefined {
		if (this.#order.includes(number)) return undefined;
		const error = addon.listenShared(this.descriptorOf(number), LIMITS.listenBacklog);
		if (error !== 0) return getSystemErrorName(-error);
		this.#order.push(number);
		// Behind those that are to go, its place is not known when they have gone.
		if (this.#stragglers > 0) this.#canLead = false;
		return undefined;
	}

	/** New connections go to sockets whose worker accepts; to all, if there are none such or the system can't. */
	lead(accepts: (number: number) => boolean): void {
		const [first] = this.#order;
		if (!this.#canLead || first === undefined) return;
		const all = [...this.#order.keys()];
		const places = all.filter((place) => accepts(this.#order[place] ?? -1));
		const isFree = places.length === 0 || places.length === all.length;
		const canFree = this.#canFree && this.#stragglers === 0;
		if (isFree && canFree) this.#canFree = this.#steer(first, []);
		if (isFree && canFree && this.#canFree) return;
		this.#canLead = this.#steer(first, isFree ? all : places);
	}

	/** @param places in the kernel's order; none: as the kernel does it @returns false if the system can't */
	#steer(number: number, places: readonly number[]): boolean {
		const led = places.join();
		if (led === this.#led) return true;
		if (addon.steerConnections(this.descriptorOf(number), Uint8Array.from(places)) !== 0)
			return false;
		this.#led = led;
		return true;
	}

	close(): void {
		for (const socket of this.#sockets.splice(0)) closeSync(socket);
		this.#order.length = 0;
	}
}
