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

/** What is asked of a table beside the host; one object for each, of which there are as many as listeners. */
class Question {
	readonly table: unknown;
	readonly schemePort: number;
	readonly listenerPort: number;

	constructor(table: unknown, schemePort: number, listenerPort: number) {
		this.table = table;
		this.schemePort = schemePort;
		this.listenerPort = listenerPort;
	}

	is(schemePort: number, listenerPort: number): boolean {
		return this.schemePort === schemePort && this.listenerPort === listenerPort;
	}
}

/** Hosts remembered; one more, and the one noted first is forgotten, because clients choose the names. */
export const FOUND_KEPT = 2048;

export class HostTable<T> {
	readonly #byName = new Map<string, Entry<T>>();
	/**
	 * Which hosts have a result. The same object stands for the same host (`authorities.ts`), so the result is noted in it:
	 * finding it takes no table, which would be three more looks into memory for each request.
	 */
	#noted: Authority[] = [];
	/** in `#noted`, the place of the next one */
	#next = 0;
	#asked = new Question(this, 0, 0);
	readonly #questions = [this.#asked];

	set(hostport: Hostport, value: T): void {
		this.#forget();
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
		this.#forget();
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
		const asked = this.#questionOf(schemePort, listenerPort);
		if (authority.foundFor === asked) return authority.found as T | undefined;
		const value = this.#look(authority, schemePort, listenerPort);
		this.#note(authority, asked, value);
		return value;
	}

	#questionOf(schemePort: number, listenerPort: number): Question {
		if (!this.#asked.is(schemePort, listenerPort))
			this.#asked = this.#askedFor(schemePort, listenerPort);
		return this.#asked;
	}

	/** Apart, because a function with a closure makes an object for it each time, also where it comes to none. */
	#askedFor(schemePort: number, listenerPort: number): Question {
		let question = this.#questions.find((each) => each.is(schemePort, listenerPort));
		if (question === undefined) {
			question = new Question(this, schemePort, listenerPort);
			this.#questions.push(question);
		}
		return question;
	}

	#note(authority: Authority, asked: Question, value: T | undefined): void {
		const isNoted = this.#isOwn(authority);
		authority.found = value;
		authority.foundFor = asked;
		if (isNoted) return;
		const before = this.#noted[this.#next];
		if (before !== undefined) this.#clear(before);
		this.#noted[this.#next] = authority;
		this.#next = (this.#next + 1) % FOUND_KEPT;
	}

	#forget(): void {
		for (const authority of this.#noted) this.#clear(authority);
		this.#noted = [];
		this.#next = 0;
	}

	#clear(authority: Authority): void {
		if (!this.#isOwn(authority)) return;
		authority.found = undefined;
		authority.foundFor = undefined;
	}

	#isOwn({ foundFor }: Authority): boolean {
		return foundFor instanceof Question && foundFor.table === this;
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
