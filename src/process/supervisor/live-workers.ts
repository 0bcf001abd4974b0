/**
 * The workers as the live feed sees them (`management/live/source.ts`): collects what they tell, of whatever message it came
 * with, and knows which changes each of them serves. Made by `worker-set.ts`.
 */
import type { LiveToken, SeenRequest } from "../../edge/seen/seen-request.ts";
import { LIMITS } from "../../limits/limits.ts";
import type {
	Condition,
	LiveSource,
	Reported,
	SeenWorker,
	ToldTraffic,
} from "../../management/live/source.ts";
import type { LiveReport } from "../../telemetry/live-report.ts";
import type { TrafficTotals } from "../../telemetry/traffic/traffic-totals.ts";
import type { TrafficChange } from "../../telemetry/traffic/worker-traffic.ts";
import type { WorkerHandle } from "./worker-handle.ts";

type Watched = Pick<
	WorkerHandle,
	"index" | "pid" | "state" | "startedMs" | "heartbeat" | "live" | "mustAcknowledge" | "watch"
>;

interface Told {
	/** when it was collected from last */
	sinceMs: number;
	traffic: ToldTraffic[];
	/** since it was collected from last; undefined: it has not told */
	report: LiveReport | undefined;
	/** the newest revision that it has acknowledged */
	revision: number | undefined;
}

export class LiveWorkers<Worker extends Watched = WorkerHandle> implements LiveSource {
	readonly #workers: Iterable<Worker>;
	readonly #totals: Pick<TrafficTotals, "add">;
	readonly #wanted: () => number;
	/** of the last question; those of other questions are above 0 */
	#id = 0;
	readonly #told = new WeakMap<Worker, Told>();
	/** those that have told something since they were collected from; one of them may have ended meanwhile */
	readonly #uncollected = new Set<Worker>();
	/** changes announced, and those that every worker has acknowledged */
	#revision = 0;
	#acknowledged = 0;
	/** a worker has seen a request that is to be explained; set by `live-page.ts` */
	seen: (seen: SeenRequest, place: number) => void = () => {};
	/** what else is wrong; set by `live-page.ts` */
	conditions: () => readonly Condition[] = () => [];

	/** @param totals gets all that is told @param wanted how many should serve */
	constructor(workers: Iterable<Worker>, totals: Pick<TrafficTotals, "add">, wanted: () => number) {
		this.#workers = workers;
		this.#totals = totals;
		this.#wanted = wanted;
	}

	get workersWanted(): number {
		return this.#wanted();
	}
	get revision(): number {
		return this.#acknowledged;
	}

	/** Announces changes to all workers. @param apply resolves when a worker has acknowledged them, or is dead */
	async publish(changes: number, apply: (worker: Worker) => Promise<void>): Promise<void> {
		this.#revision += changes;
		const revision = this.#revision;
		const all = [...this.#workers].map(async (worker) => {
			const isWaitedFor = worker.mustAcknowledge;
			await apply(worker);
			const told = this.#of(worker);
			if (isWaitedFor) told.revision = Math.max(told.revision ?? 0, revision);
		});
		await Promise.all(all);
		this.#acknowledged = Math.max(this.#acknowledged, revision);
	}

	/** Resolves when all workers know these tokens, and no others. */
	async watch(tokens: readonly LiveToken[]): Promise<void> {
		await Promise.all([...this.#workers].map((worker) => worker.watch(tokens)));
	}

	/** What a worker has counted, and maybe what else it has to say. */
	add(worker: Worker, change: TrafficChange, report?: LiveReport): void {
		this.#totals.add(worker, change);
		const told = this.#of(worker);
		this.#uncollected.add(worker);
		told.traffic.push({ ...change, toldAt: performance.now() });
		if (report === undefined) return;
		const { refusals = 0, refused = [], candidates = [] } = told.report ?? {};
		told.report = {
			...report,
			refusals: refusals + report.refusals,
			candidates: [...candidates, ...report.candidates],
			refused: [...refused, ...report.refused].slice(-LIMITS.decisionsPerSecond),
		};
	}

	async collect(): Promise<readonly Reported[]> {
		this.#id -= 1;
		const id = this.#id;
		const asked = [...this.#workers].filter(({ state }) => state !== "dead");
		await Promise.all(asked.map((worker) => worker.live(id, LIMITS.liveAnswerMs)));
		const nowMs = performance.now();
		// First, because another may have their place by now, and what it tells of the place holds.
		const ended = [...this.#uncollected].filter(({ state }) => state === "dead");
		const alive = asked.filter(({ state }) => state !== "dead");
		return [...ended, ...alive].flatMap((worker) => {
			const told = this.#of(worker);
			const { index, pid } = worker;
			const { traffic, report = worker.state === "dead" ? ENDED : undefined } = told;
			if (report === undefined || pid === undefined) return [];
			const elapsedMs = nowMs - told.sinceMs;
			Object.assign(told, { sinceMs: nowMs, traffic: [], report: undefined });
			this.#uncollected.delete(worker);
			return [{ index, pid, elapsedMs, traffic, report }];
		});
	}

	workers(): readonly SeenWorker[] {
		const nowMs = performance.now();
		return [...this.#workers].flatMap((worker) => {
			const { index, pid, startedMs, state, heartbeat } = worker;
			if (state === "dead") return [];
			const told = this.#of(worker);
			// What was announced before it listened it has applied by then.
			if (state === "listening") told.revision ??= this.#acknowledged;
			const seen = STATES[state];
			return {
				...{ index, pid, startedMs, policyVersion: told.revision },
				state: seen === "serving" && heartbeat.isLate(nowMs) ? "late" : seen,
			};
		});
	}

	#of(worker: Worker): Told {
		let told = this.#told.get(worker);
		if (told === undefined) {
			const sinceMs = performance.now();
			told = { sinceMs, traffic: [], report: undefined, revision: undefined };
			this.#told.set(worker, told);
		}
		return told;
	}
}

/** What one has said of itself that has ended without a word. */
const ENDED: LiveReport = {
	inFlight: 0,
	refusals: 0,
	refused: [],
	candidates: [],
	cpu: 0,
	rssBytes: 0,
};

const STATES = {
	loading: "starting",
	loaded: "starting",
	listening: "serving",
	draining: "leaving",
} as const;
