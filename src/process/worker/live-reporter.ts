/** What a worker says of itself for the live page, and what it has counted, when it is asked, once a second. Made by `worker.ts`. */
import type { Edge } from "../../edge/edge.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { LiveReport } from "../../telemetry/live-report.ts";
import type { WorkerTraffic } from "../../telemetry/traffic/worker-traffic.ts";
import type { ToSupervisor } from "../messages.ts";

const NOTHING = { inFlight: 0, refusals: 0, refused: [], candidates: [] };

type Reported = Pick<Edge, "collect" | "takeLive">;

export class LiveReporter {
	readonly #edge: () => Reported | undefined;
	readonly #traffic: Pick<WorkerTraffic, "gather">;
	readonly #say: (message: ToSupervisor) => void;
	#cpu = process.cpuUsage();
	#atMs = performance.now();
	/** what is left of the last question */
	#underWay: Iterator<void, void> | undefined;

	/** @param edge undefined: it still starts */
	constructor(
		edge: () => Reported | undefined,
		traffic: Pick<WorkerTraffic, "gather">,
		say: (message: ToSupervisor) => void,
	) {
		this.#edge = edge;
		this.#traffic = traffic;
		this.#say = say;
	}

	/** Before this returns. */
	tell(id: number): void {
		this.finish();
		this.#underWay = this.#parts(id);
		this.finish();
	}

	/**
	 * Code that runs once a second does not become quick: requests have their turn between its parts. A part is done in a turn
	 * of its own, the first one not in that of the question, behind which the loop would not look for requests.
	 */
	tellSoon(id: number): void {
		this.finish();
		this.#underWay = this.#parts(id);
		setImmediate(this.#goOn);
	}

	readonly #goOn = (): void => {
		if (this.#underWay?.next().done === false) setImmediate(this.#goOn);
		else this.#underWay = undefined;
	};

	/** What has been gathered is told. To be called before a change is taken over: it was counted before. */
	finish(): void {
		while (this.#underWay?.next().done === false);
		this.#underWay = undefined;
	}

	*#parts(id: number): Generator<void, void> {
		const report = this.#report();
		yield;
		this.#edge()?.collect();
		const pack = this.#traffic.gather(LIMITS.countsTold);
		yield;
		this.#say({ type: "live", id, traffic: pack(), report });
	}

	#report(): LiveReport {
		const edge = this.#edge();
		edge?.collect();
		const nowMs = performance.now();
		const cpu = process.cpuUsage();
		const microseconds = cpu.user + cpu.system - this.#cpu.user - this.#cpu.system;
		const elapsedMs = Math.max(nowMs - this.#atMs, 1);
		this.#cpu = cpu;
		this.#atMs = nowMs;
		return {
			...(edge?.takeLive() ?? NOTHING),
			cpu: microseconds / 1000 / elapsedMs,
			rssBytes: process.memoryUsage.rss(),
		};
	}
}
