/**
 * The listening sockets of one address, one for each worker, over which the kernel spreads connections. They belong to
 * the supervisor; a worker inherits its own and accepts from it. Where a worker is not there to accept, new connections
 * are led to the others; what is queued already waits for the next worker. Used by `listening-sockets.ts`.
 */
import { closeSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";

export class ListeningGroup {
	readonly #address: string;
	readonly #port: number;
	/** descriptors, by number of the worker for which they were made */
	readonly #sockets: number[] = [];
	/** numbers of those that listen, in the kernel's order */
	readonly #order: number[] = [];
	/** where connections are led, as text; empty: as the kernel does it */
	#led = "";
	#canLead = true;
	/** Linux before 5.3 can't take a lead back: there all are named */
	#canFree = true;

	/** @param address as numbers @param port not 0 */
	constructor(address: string, port: number) {
		this.#address = address;
		this.#port = port;
	}

	get size(): number {
		return this.#sockets.length;
	}

	/** @returns the system's code if there can't be so many */
	grow(count: number): string | undefined {
		while (this.#sockets.length < count) {
			const socket = addon.bindShared(this.#address, this.#port);
			if (socket < 0) return getSystemErrorName(socket);
			this.#sockets.push(socket);
		}
		return undefined;
	}

	/** Those beyond were made for workers that never served. */
	shrink(count: number): void {
		if (this.#order.some((number) => number >= count)) {
			// The kernel moves the last one into a gap, but only when the last process has closed it.
			this.lead(() => true);
			this.#canLead = false;
		}
		for (const socket of this.#sockets.splice(count)) closeSync(socket);
	}

	/** Of fewer workers than there are sockets, each has several. */
	numbersOf(worker: number, workers: number): number[] {
		return [...this.#sockets.keys()].filter((number) => number % workers === worker);
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
		return undefined;
	}

	/** New connections go to sockets whose worker accepts; to all, if there are none such or the system can't. */
	lead(accepts: (number: number) => boolean): void {
		const [first] = this.#order;
		if (!this.#canLead || first === undefined) return;
		const all = [...this.#order.keys()];
		const places = all.filter((place) => accepts(this.#order[place] ?? -1));
		const isFree = places.length === 0 || places.length === all.length;
		if (isFree && this.#canFree) this.#canFree = this.#steer(first, []);
		if (isFree && this.#canFree) return;
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
