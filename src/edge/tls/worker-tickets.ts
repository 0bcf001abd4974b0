/**
 * Session tickets that every worker can open, whichever worker made them. The supervisor gives all workers the same
 * secrets (`process/supervisor/ticket-keeper.ts`), and this class gives the listeners of one worker the keys made of
 * them. Used by `edge.ts`.
 *
 * Where this is not possible, each worker's tickets are its own, a client that comes to another worker makes a full
 * handshake, and the log says so once.
 */
import type { Listener } from "../../config.ts";
import type { us_listen_socket } from "../../http/uws.ts";
import { addon } from "../../native-addon.ts";
import type { Log } from "../../telemetry/log.ts";
import { type KeyDonor, makeKeyDonor, openContext } from "./key-donor.ts";
import { keyFrom, type TicketSecrets } from "./ticket-key.ts";

export class WorkerTickets {
	#secrets: TicketSecrets | undefined;
	readonly #log: Log;
	readonly #write: ((secrets: TicketSecrets) => void)[] = [];
	#isReported = false;

	/** @param secrets undefined: every listener's tickets are its own */
	constructor(secrets: TicketSecrets | undefined, log: Log) {
		this.#secrets = secrets;
		this.#log = log;
	}

	/**
	 * @returns a function to be called with the listener's token as soon as it listens, before the first handshake,
	 *   with which the library makes keys of its own
	 */
	async prepare({ host, port, tls }: Listener): Promise<(token: us_listen_socket) => void> {
		const [first] = tls;
		if (first === undefined || this.#secrets === undefined) return () => {};
		let donor: KeyDonor;
		try {
			donor = await makeKeyDonor(first);
		} catch (error) {
			this.#report(error as Error);
			return () => {};
		}
		return (token) => {
			try {
				this.#install(token, donor, `${host} ${port}`);
			} catch (error) {
				this.#report(error as Error);
			} finally {
				donor.close();
			}
		};
	}

	/** The supervisor has new ones. */
	set(secrets: TicketSecrets): void {
		this.#secrets = secrets;
		for (const write of this.#write) write(secrets);
	}

	/** The library allocates and frees both keys. Only their content is replaced. */
	#install(token: us_listen_socket, donor: KeyDonor, listener: string): void {
		const context = openContext(token);
		const { current, previous } = donor;
		for (const word of [previous, current]) {
			if (!addon.takeTicketKey(context, donor.context, word))
				throw new Error("a new TLS context is not empty");
		}
		const write = ({ seal, open }: TicketSecrets): void => {
			addon.writeTicketKey(context, previous, keyFrom(open, listener, "previous"));
			addon.writeTicketKey(context, current, keyFrom(seal, listener, "current"));
		};
		this.#write.push(write);
		if (this.#secrets !== undefined) write(this.#secrets);
	}

	#report({ message: reason }: Error): void {
		if (this.#isReported) return;
		this.#isReported = true;
		this.#log.warn({ reason }, "TLS session tickets are not shared: each worker has its own");
	}
}
