/**
 * Descriptors that go from one supervisor to another, in datagrams to a socket that the receiving one has made in the
 * data folder, which only weir's user may write to. Used by `giver.ts` and `taker.ts`.
 */
import { closeSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getSystemErrorName } from "node:util";
import { addon } from "../../native-addon.ts";
import { socketPath } from "../control/socket-path.ts";

/** The addon's bound on one datagram. */
const PER_DATAGRAM = 200;

const inboxName = (pid: number): string => `takeover-${pid}.sock`;

/** They have arrived when this returns. @throws Error with a sentence */
export function sendDescriptors(folder: string, pid: number, descriptors: readonly number[]): void {
	const place = socketPath(folder, process.platform, inboxName(pid));
	try {
		for (let from = 0; from < descriptors.length; from += PER_DATAGRAM) {
			const some = Int32Array.from(descriptors.slice(from, from + PER_DATAGRAM));
			const error = addon.sendDatagram(place.path, "sockets", new Uint8Array(some.buffer));
			if (error !== 0)
				throw new Error(
					`the listening sockets can't be handed over: ${getSystemErrorName(-error)}`,
				);
		}
	} finally {
		place.release();
	}
}

/** That of a process which could not remove it itself any more. */
export function removeInbox(folder: string, pid: number): void {
	rmSync(join(folder, inboxName(pid)), { force: true });
}

export class Inbox {
	readonly #descriptor: number;
	readonly #remove: () => void;

	/** @throws Error the folder can't hold a socket */
	constructor(folder: string) {
		const place = socketPath(folder, process.platform, inboxName(process.pid));
		// Of a process that was killed, and had the same number.
		rmSync(place.path, { force: true });
		const opened = addon.openInbox(place.path);
		if (opened < 0) {
			place.release();
			throw new Error(`no socket can be made in ${folder}: ${getSystemErrorName(opened)}`);
		}
		this.#descriptor = opened;
		this.#remove = () => {
			rmSync(place.path, { force: true });
			place.release();
		};
	}

	/** What has come. @throws Error it could not be had */
	take(): number[] {
		const text = addon.receiveDescriptors(this.#descriptor);
		if (text.startsWith("-"))
			throw new Error(`the listening sockets can't be taken: ${getSystemErrorName(Number(text))}`);
		return text === "" ? [] : text.split(" ").map(Number);
	}

	close(): void {
		closeSync(this.#descriptor);
		this.#remove();
	}
}
