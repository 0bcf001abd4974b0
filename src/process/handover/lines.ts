/**
 * The conversation of two supervisors, one of which takes over from the other: JSON values, one a line, over the control
 * socket. Used by `giver.ts` and `taker.ts`.
 */
import type { Socket } from "node:net";
import { LIMITS } from "../../limits/limits.ts";

export class Lines {
	readonly #socket: Socket;
	readonly #onLine: (value: unknown) => void;
	readonly #onClose: () => void;
	#text = "";
	#isOver = false;

	/** @param onClose called once, behind all lines, also where the other end breaks the rules */
	constructor(socket: Socket, onLine: (value: unknown) => void, onClose: () => void) {
		this.#socket = socket;
		this.#onLine = onLine;
		this.#onClose = onClose;
		socket.removeAllListeners("data");
		socket.setEncoding("utf8");
		socket.setTimeout(0);
		socket.on("data", (chunk: string) => this.#receive(chunk));
		socket.on("end", () => socket.end());
		socket.on("error", () => socket.destroy());
		socket.on("close", () => this.#over());
		socket.resume();
	}

	/** Resolves when the system has taken it; also where nobody will read it any more. */
	say(value: unknown): Promise<void> {
		return new Promise((resolve) => {
			if (!this.#socket.writable) resolve();
			else this.#socket.write(`${JSON.stringify(value)}\n`, () => resolve());
		});
	}

	/** What was said is still sent. */
	end(): void {
		this.#socket.end();
	}

	/** A conversation alone keeps no process. */
	unref(): void {
		this.#socket.unref();
	}

	#receive(chunk: string): void {
		this.#text += chunk;
		for (;;) {
			const end = this.#text.indexOf("\n");
			if (end < 0) break;
			const line = this.#text.slice(0, end);
			this.#text = this.#text.slice(end + 1);
			try {
				this.#onLine(JSON.parse(line));
			} catch {
				this.#socket.destroy();
				return;
			}
		}
		if (this.#text.length > LIMITS.takeoverLineCharacters) this.#socket.destroy();
	}

	#over(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#onClose();
	}
}
