/**
 * The side of the supervisor that takes over from another one (docs/design.md, "Upgrades"): asks it over the control
 * socket of the data folder, gets its listening sockets, and tells it when everything serves. Used by `serve.ts`.
 */
import { connect } from "node:net";
import { LIMITS } from "../../limits/limits.ts";
import type { Change } from "../../store/store.ts";
import { socketPath } from "../control/socket-path.ts";
import type { GivenSocket, GivenSockets } from "../supervisor/given-sockets.ts";
import { versionOf } from "../version.ts";
import { Inbox } from "./descriptors.ts";
import { type HandedCounts, NOTHING_COUNTED } from "./handed-counts.ts";
import { ended, lives } from "./life.ts";
import { Lines } from "./lines.ts";
import {
	HANDOVER,
	type Offer,
	offer as offerSchema,
	type TakeoverRequest,
	toTaker,
} from "./protocol.ts";

const NOBODY = ["ENOENT", "ECONNREFUSED", "ENOTDIR"];

export class Predecessor {
	readonly offer: Offer;
	readonly given: GivenSockets;
	/** resolves when its last worker has ended, with what they have counted since `ready` resolved */
	readonly gone: Promise<HandedCounts>;
	readonly #lines: Lines;
	#onGiveUp: (reason: string) => void;
	#onYours: (counted: HandedCounts) => void = () => {};
	#onGone: (counted: HandedCounts) => void = () => {};
	readonly #awaited = new Map<number, () => void>();
	#nextId = 1;
	#last = NOTHING_COUNTED;
	#isOver = false;
	#isYours = false;

	/**
	 * @param onGiveUp told why, if it stays in charge: nothing of it may be touched any more
	 * @returns undefined if nobody serves there @throws Error why it can't be taken over from, in a sentence
	 */
	static async ask(
		folder: string,
		onGiveUp: (reason: string) => void,
	): Promise<Predecessor | undefined> {
		const inbox = new Inbox(folder);
		try {
			return await new Asking(folder, onGiveUp).made(inbox);
		} finally {
			inbox.close();
		}
	}

	constructor(
		offer: Offer,
		descriptors: readonly number[],
		lines: Lines,
		onGiveUp: (reason: string) => void,
	) {
		this.offer = offer;
		this.given = sharedOut(offer, descriptors);
		this.#lines = lines;
		this.#onGiveUp = onGiveUp;
		this.gone = new Promise((resolve) => {
			this.#onGone = resolve;
		});
	}

	/**
	 * Everything listens. Resolves when the store is this process's, with what the other one has counted so far.
	 * @param patienceMs then the other one stands still, and is ended
	 */
	ready(patienceMs: number = LIMITS.takeoverAnswerMs): Promise<HandedCounts> {
		return new Promise((resolve) => {
			const timer = setTimeout(() => void ended(this.offer.pid, 0), patienceMs);
			this.#onYours = (counted) => {
				clearTimeout(timer);
				resolve(counted);
			};
			if (this.#isOver) this.#onYours(NOTHING_COUNTED);
			else void this.#lines.say({ say: "ready" });
		});
	}

	failed(reason: string): Promise<void> {
		this.#onGiveUp = () => {};
		return this.#lines.say({ say: "failed", reason });
	}

	/** Resolves when its workers that are left know the changes; those that don't in time are ended. */
	publish(changes: readonly Change[]): Promise<void> {
		if (this.#isOver) return Promise.resolve();
		const id = this.#nextId++;
		void this.#lines.say({ say: "apply", id, changes });
		return new Promise((resolve) => {
			// It kills a worker that gets nowhere itself; so it is stuck.
			const timer = setTimeout(() => void ended(this.offer.pid, 0), 2 * LIMITS.publishAckMs);
			this.#awaited.set(id, () => {
				clearTimeout(timer);
				resolve();
			});
		});
	}

	hear(line: unknown): void {
		const said = toTaker.parse(line);
		switch (said.say) {
			case "yours":
				this.#isYours = true;
				this.#onYours(said);
				break;
			case "gave up":
				this.#onGiveUp(said.reason);
				break;
			case "applied":
				this.#awaited.get(said.id)?.();
				this.#awaited.delete(said.id);
				break;
			case "ended":
				this.#last = said;
				break;
		}
	}

	/** It has ended, or lets nobody hear from it: then it may still own everything. */
	async close(): Promise<void> {
		if (!this.#isYours) await settled(this.offer.pid);
		if (!this.#isYours && lives(this.offer.pid)) {
			this.#onGiveUp("the weir that runs has ended the conversation, and goes on");
			return;
		}
		this.#isOver = true;
		for (const release of this.#awaited.values()) release();
		this.#awaited.clear();
		this.#onYours(NOTHING_COUNTED);
		this.#onGone(this.#last);
	}
}

/** A process that is killed ends a moment after its connections. */
async function settled(pid: number): Promise<void> {
	const deadline = performance.now() + LIMITS.takeoverEndMs;
	while (lives(pid) && performance.now() < deadline)
		await new Promise((resolve) => setTimeout(resolve, LIMITS.takeoverLookMs));
}

/** The first line and its answer. */
class Asking {
	readonly #folder: string;
	readonly #onGiveUp: (reason: string) => void;

	constructor(folder: string, onGiveUp: (reason: string) => void) {
		this.#folder = folder;
		this.#onGiveUp = onGiveUp;
	}

	made(inbox: Inbox): Promise<Predecessor | undefined> {
		const place = socketPath(this.#folder);
		return new Promise<Predecessor | undefined>((resolve, reject) => {
			let made: Predecessor | undefined;
			const socket = connect(place.path);
			const timer = setTimeout(() => {
				socket.destroy();
				reject(new Error("the weir that runs does not answer; look at its log"));
			}, LIMITS.takeoverMs);
			socket.once("error", ({ code, message }: NodeJS.ErrnoException) => {
				if (NOBODY.includes(code ?? "")) resolve(undefined);
				else reject(new Error(`the weir that runs can't be asked: ${message}`));
			});
			const onLine = (line: unknown): void => {
				if (made !== undefined) {
					made.hear(line);
					return;
				}
				clearTimeout(timer);
				try {
					made = this.#answered(line, inbox, lines);
					resolve(made);
				} catch (error) {
					reject(error);
				}
			};
			const lines = new Lines(socket, onLine, () => {
				clearTimeout(timer);
				if (made !== undefined) void made.close();
				// Killed, perhaps: an ordinary start tells.
				else resolve(undefined);
			});
			void lines.say({
				do: "takeover",
				handover: HANDOVER,
				pid: process.pid,
				version: versionOf(),
			} satisfies TakeoverRequest);
		}).finally(() => place.release());
	}

	#answered(line: unknown, inbox: Inbox, lines: Lines): Predecessor {
		const { error, value, reason } = line as Readonly<Record<string, unknown>>;
		const refusal = error ?? reason;
		if (refusal !== undefined) throw new Error(`the weir that runs goes on: ${String(refusal)}`);
		const offer = offerSchema.safeParse(value);
		if (!offer.success)
			throw new Error(
				"what the weir that runs hands over can't be read: stop it, then start this one",
			);
		return new Predecessor(offer.data, inbox.take(), lines, this.#onGiveUp);
	}
}

/** @throws Error some have not come */
function sharedOut(
	{ groups, hasManagement, listen, managementAddress }: Offer,
	descriptors: readonly number[],
): GivenSockets {
	const left = [...descriptors];
	const made = groups.map(({ count, ...group }): GivenSocket => {
		return { ...group, descriptors: left.splice(0, count) };
	});
	const [management] = left;
	const wanted = groups.reduce((sum, { count }) => sum + count, hasManagement ? 1 : 0);
	if (descriptors.length !== wanted)
		throw new Error(
			`${descriptors.length} listening sockets came of ${wanted}: raise the limit of descriptors (ulimit -n)`,
		);
	return { groups: made, management, listen, managementAddress };
}
