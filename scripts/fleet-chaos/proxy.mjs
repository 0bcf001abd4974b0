/** A link between two programs on loopback that can be cut, cut in one direction, or made slow, while its connections stay open. */
import { connect, createServer } from "node:net";

/** @typedef {"open" | "cut" | "there" | "back" | "slow"} Mode  `there`: nothing goes from who connects to whom it asks for */

const SLOW_MS = 150;

export class Link {
	/** @type {Mode} */
	#mode = "open";
	/** @type {Set<import("node:net").Socket>} */
	#sockets = new Set();
	/** what waits while the link is not open @type {Set<() => void>} */
	#held = new Set();
	#server;
	port = 0;

	/** @param {() => number} target */
	constructor(target) {
		this.#server = createServer((from) => {
			const to = connect(target(), "127.0.0.1");
			this.#pass(from, to, "there");
			this.#pass(to, from, "back");
		});
	}

	/** @param {import("node:net").Socket} from @param {import("node:net").Socket} to @param {"there" | "back"} way */
	#pass(from, to, way) {
		this.#sockets.add(from);
		from.setNoDelay(true);
		from.on("data", (chunk) => {
			const go = () => {
				if (!to.destroyed) to.write(chunk);
				from.resume();
			};
			if (this.#mode === "open") return void to.write(chunk);
			from.pause();
			if (this.#mode === "slow") setTimeout(go, SLOW_MS);
			else if (this.#mode === "cut" || this.#mode === way) this.#held.add(go);
			else go();
		});
		// The end does not come through either: the other side has a connection that is half open.
		const over = () => {
			this.#sockets.delete(from);
			if (this.#mode === "open" || this.#mode === "slow") to.destroy();
			else this.#held.add(() => to.destroy());
		};
		from.on("error", () => {});
		from.on("close", over);
	}

	/** @param {number} [port] @returns {Promise<this>} */
	listen(port = 0) {
		return new Promise((resolve) => {
			this.#server.listen(port, "127.0.0.1", () => {
				const address = this.#server.address();
				if (typeof address === "object" && address !== null) this.port = address.port;
				resolve(this);
			});
		});
	}

	/** @param {Mode} mode */
	set(mode) {
		this.#mode = mode;
		if (mode !== "open") return;
		const held = [...this.#held];
		this.#held.clear();
		for (const go of held) go();
	}

	close() {
		this.#server.close();
		for (const socket of this.#sockets) socket.destroy();
	}
}
