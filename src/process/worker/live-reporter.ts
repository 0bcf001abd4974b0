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
	readonly #traffic: Pick<WorkerTraffic, "tell">;
	readonly #say: (message: ToSupervisor) => void;
	#cpu = process.cpuUsage();
	#atMs = performance.now();

	/** @param edge undefined: it still starts */
	constructor(
		edge: () => Reported | undefined,
		traffic: Pick<WorkerTraffic, "tell">,
		say: (message: ToSupervisor) => void,
	) {
		this.#edge = edge;
		this.#traffic = traffic;
		this.#say = say;
	}

	/** Before this returns. */
	tell(id: number): void {
		this.#tell(id, this.#report());
	}

	/** Code that runs once a second does not become quick: requests have their turn between its parts. */
	tellSoon(id: number): void {
		const report = this.#report();
		setImmediate(() => this.#tell(id, report));
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

	/** What is counted is packed and sent in one turn: the supervisor reads such messages in their order. */
	#tell(id: number, report: LiveReport): void {
		this.#edge()?.collect();
		this.#say({ type: "live", id, traffic: this.#traffic.tell(LIMITS.countsTold), report });
	}
}
