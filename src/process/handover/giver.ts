/**
 * The side of the supervisor that runs, when another one takes over from it (docs/design.md, "Upgrades"). It gives up the
 * store, hands over its listening sockets and serves on. When the other one says that it is ready, it retires. Whatever
 * goes wrong before that moment, it has the other one ended, takes the store back and goes on as if nothing had been.
 * Made by `serve.ts`; asked over the control socket.
 */
import type { Socket } from "node:net";
import { LIMITS } from "../../limits/limits.ts";
import type { Change } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { AskedUpgrade, type Program, TOO_SLOW } from "./asked-upgrade.ts";
import { removeInbox, sendDescriptors } from "./descriptors.ts";
import type { HandedCounts } from "./handed-counts.ts";
import { ended } from "./life.ts";
import { Lines } from "./lines.ts";
import { HANDOVER, type Offer, type TakeoverRequest, toGiver } from "./protocol.ts";

/** What the supervisor does for it. */
export interface Estate {
	readonly folder: string;
	readonly log: Pick<Log, "info" | "error">;
	/** Why nobody may take over now, in a sentence; undefined: somebody may. */
	obstacle(): string | undefined;
	/** Nothing is stored any more, and the store is nobody's. */
	release(): Promise<void>;
	/** The store is its own again, and workers have the connections. @throws Error not yet */
	takeBack(): void;
	offer(): { readonly offer: Offer; readonly descriptors: readonly number[] };
	/** The control socket is the other's. */
	letGo(pid: number): void;
	counts(): Promise<HandedCounts>;
	publish(changes: readonly Change[]): Promise<void>;
	/** Stops accepting, finishes what has begun; resolves with what was counted since `counts`. */
	retire(): Promise<HandedCounts>;
}

interface Taking {
	readonly pid: number;
	readonly version: string;
	readonly lines: Lines;
	readonly released: Promise<void>;
	readonly timer: NodeJS.Timeout;
}

export class Giver {
	readonly #estate: Estate;
	readonly #asked: AskedUpgrade;
	readonly #endMs: number;
	#taking: Taking | undefined;
	#isGone = false;
	#isStopping = false;
	#isBusy = false;
	/** resolves when nobody takes over any more */
	#over: Promise<void> = Promise.resolve();
	#setOver: () => void = () => {};

	/** resolves when another one has taken over, and all that this one had begun is finished */
	readonly finished: Promise<void>;
	#setFinished: () => void = () => {};

	/** @param words of this process's command line, from the command on @param endMs what another one has to end by itself */
	constructor(
		estate: Estate,
		words: readonly string[] = process.argv.slice(2),
		endMs: number = LIMITS.takeoverEndMs,
	) {
		this.#estate = estate;
		this.#endMs = endMs;
		this.#asked = new AskedUpgrade(words, (reason) => this.#couldNotStart(reason));
		this.finished = new Promise((resolve) => {
			this.#setFinished = resolve;
		});
	}

	/** Another one has taken over. */
	get isGone(): boolean {
		return this.#isGone;
	}

	/** Work that no takeover may meet, such as a reload: waits for one that is going on, and is not done after it. */
	async alone(work: () => Promise<void>): Promise<void> {
		await this.#over;
		if (this.#isGone) return;
		this.#isBusy = true;
		try {
			await work();
		} finally {
			this.#isBusy = false;
		}
	}

	/** `weir upgrade`: starts another version and waits. @throws Error why it has not taken over, in sentences */
	async upgrade(program: Program): Promise<{ readonly pid: number; readonly version: string }> {
		const obstacle = this.#obstacle() ?? this.#asked.obstacle;
		if (obstacle !== undefined) throw new Error(obstacle);
		this.#estate.log.info({ program: program.main }, "upgrade: another version is started");
		return this.#asked.start(program);
	}

	/** Another one's first line, whoever has started it. */
	async begin({ pid, version, handover }: TakeoverRequest, socket: Socket): Promise<void> {
		const lines = new Lines(
			socket,
			(line) => this.#hear(line),
			() => this.#onClose(lines),
		);
		const refusal = handover === HANDOVER ? this.#obstacle(pid) : otherHandover(version, handover);
		if (refusal !== undefined) {
			await lines.say({ error: refusal });
			lines.end();
			return;
		}
		this.#over = new Promise((resolve) => {
			this.#setOver = resolve;
		});
		this.#estate.log.info(
			{ process: pid, version },
			"another weir takes over: writes are refused until it has",
		);
		const released = this.#estate.release();
		const timer = setTimeout(() => void this.giveUp(TOO_SLOW), LIMITS.takeoverMs);
		this.#taking = { pid, version, lines, released, timer };
		try {
			await released;
			const { offer, descriptors } = this.#estate.offer();
			sendDescriptors(this.#estate.folder, pid, descriptors);
			void lines.say({ value: offer });
		} catch (error) {
			await this.giveUp((error as Error).message);
		}
	}

	/** Whoever is taking over is ended, and this supervisor goes on. Resolves when it does. */
	async giveUp(reason: string): Promise<void> {
		const taking = this.#taking;
		if (taking === undefined || this.#isGone) return;
		this.#taking = undefined;
		clearTimeout(taking.timer);
		const { log } = this.#estate;
		await taking.lines.say({ say: "gave up", reason });
		taking.lines.end();
		await taking.released.catch(() => {});
		await ended(taking.pid, this.#endMs);
		await this.#takeBack();
		log.error(
			{ process: taking.pid, version: taking.version, reason },
			"not taken over: this weir goes on, and stores again",
		);
		removeInbox(this.#estate.folder, taking.pid);
		this.#asked.failed(reason);
		this.#setOver();
	}

	/** Nobody takes over any more. Resolves when nobody does. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		if (this.#taking === undefined) this.#asked.kill();
		await this.giveUp(STOPPING);
	}

	/** @param pid of who wants to take over */
	#obstacle(pid?: number): string | undefined {
		if (this.#isStopping) return STOPPING;
		if (this.#isBusy) return "it is reloading its configuration; try again when that is over";
		if (this.#isGone) return "another weir has just taken over from this one; ask that one";
		if (this.#taking !== undefined || !this.#asked.expects(pid))
			return "another version is taking over already; wait until it has, or has failed";
		return this.#estate.obstacle();
	}

	/** Tried again until the other one's record is void. */
	async #takeBack(): Promise<void> {
		for (let attempt = 0; ; attempt++) {
			try {
				this.#estate.takeBack();
				return;
			} catch (error) {
				const reason = (error as Error).message;
				if (attempt === 0)
					this.#estate.log.error(
						{ reason },
						"the store can't be had back yet: writes stay refused",
					);
				await new Promise((resolve) => setTimeout(resolve, this.#endMs));
			}
		}
	}

	#hear(line: unknown): void {
		const said = toGiver.parse(line);
		switch (said.say) {
			case "ready":
				void this.#retire();
				break;
			case "failed":
				void this.giveUp(said.reason);
				break;
			case "apply": {
				const { id } = said;
				void this.#estate
					.publish(said.changes as readonly Change[])
					.then(() => this.#taking?.lines.say({ say: "applied", id }));
				break;
			}
		}
	}

	/** The point of no return. */
	async #retire(): Promise<void> {
		const { log } = this.#estate;
		const taking = this.#taking;
		if (taking === undefined || this.#isGone) return;
		const { pid, version, lines, timer } = taking;
		this.#isGone = true;
		clearTimeout(timer);
		this.#estate.letGo(pid);
		await lines.say({ say: "yours", ...(await this.#estate.counts()) });
		log.info(
			{ process: pid, version },
			"another weir has taken over: this one finishes what it has begun",
		);
		this.#asked.succeeded({ pid, version });
		this.#setOver();
		const counted = await this.#estate.retire();
		await lines.say({ say: "ended", ...counted });
		lines.end();
		this.#setFinished();
	}

	#onClose(lines: Lines): void {
		if (this.#taking?.lines !== lines || this.#isGone) return;
		const { pid } = this.#taking;
		const reason = `process ${pid} ended before it was ready`;
		void this.#asked.endOf(pid, reason, this.#endMs).then((why) => this.giveUp(why));
	}

	/** Before it has asked for anything; otherwise the end of the conversation tells. */
	#couldNotStart(reason: string): void {
		if (this.#taking !== undefined || this.#isGone) return;
		this.#estate.log.error({ reason }, "not upgraded: the other version could not start");
		this.#asked.failed(reason);
	}
}

const STOPPING = "weir is stopping";
const otherHandover = (version: string, number: number): string =>
	`version ${version} hands over in another way (${number}) than the one that runs (${HANDOVER}): stop that one, then start the new one`;
