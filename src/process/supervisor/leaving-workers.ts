/**
 * Workers that a reload has replaced and that finish what they have begun, beside those that serve. They take memory, so
 * there are never many generations of them: a reload waits for a place, and where nothing else helps the oldest ones are
 * ended. Used by `worker-set.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";

interface Leaving {
	/** Resolves when the process is gone. @param timeoutMs 0: as long as it takes */
	drain(timeoutMs: number): Promise<void>;
	/** Ends what it is still at, soon and in order. */
	hurry(): void;
	/** Ends at once. */
	discard(): void;
	readonly state: string;
}

interface Generation {
	readonly workers: readonly Leaving[];
	readonly gone: Promise<void>;
}

export class LeavingWorkers {
	readonly #generations = new Set<Generation>();
	readonly #log: Pick<Log, "info" | "warn">;
	readonly #generationsMax: number;

	constructor(log: Pick<Log, "info" | "warn">, generationsMax: number = LIMITS.leavingGenerations) {
		this.#log = log;
		this.#generationsMax = generationsMax;
	}

	/** @param timeoutMs 0: as long as it takes */
	drain(workers: readonly Leaving[], timeoutMs: number): void {
		if (workers.length === 0) return;
		const gone = Promise.all(workers.map((worker) => worker.drain(timeoutMs))).then(() => {
			this.#generations.delete(generation);
			this.#log.info({ workers: workers.length }, "replaced workers have ended");
		});
		const generation = { workers, gone };
		this.#generations.add(generation);
	}

	/** Of a reload that has failed: those that serve already finish what they have begun, the others have nothing. */
	giveUp(workers: readonly Leaving[], timeoutMs: number): void {
		const serve = ({ state }: Leaving): boolean => state === "listening";
		for (const worker of workers) if (!serve(worker)) worker.discard();
		this.drain(workers.filter(serve), timeoutMs);
	}

	/** Resolves when there is room for another generation. @param patienceMs then the oldest is ended */
	async room(patienceMs: number): Promise<void> {
		while (this.#generations.size >= this.#generationsMax) {
			const all = [...this.#generations];
			let timer: NodeJS.Timeout | undefined;
			const late = new Promise<"late">((resolve) => {
				timer = setTimeout(resolve, patienceMs, "late");
			});
			const first = await Promise.race([late, ...all.map(({ gone }) => gone)]);
			clearTimeout(timer);
			if (first !== "late") continue;
			const [oldest] = all;
			this.#log.warn(
				{ generations: all.length },
				"too many generations of workers finish what they began: the oldest is ended",
			);
			for (const worker of oldest?.workers ?? []) worker.hurry();
			await oldest?.gone;
		}
	}
}
