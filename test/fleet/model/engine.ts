/** The engine of the model: it remembers what its log was, and its members' ways to it are as bad as the schedule says. */
import {
	type Appended,
	type FleetLog,
	LogError,
	type MemberStatus,
	type Tail,
} from "../../../src/fleet/log/log.ts";
import { MemoryEngine } from "../../../src/fleet/log/memory-engine.ts";
import { MemoryLog } from "../../../src/fleet/log/memory-log.ts";
import type { FleetRecord, NumberedRecord } from "../../../src/fleet/record.ts";
import type { Faults } from "./faults.ts";
import type { Simulation } from "./simulation.ts";

export class ModelEngine extends MemoryEngine {
	/** the whole log as it is, with what was trimmed, unaltered */
	readonly archive = new Map<number, FleetRecord>();
	/** every record that was ever accepted */
	readonly accepted = new Map<string, FleetRecord>();
	/** ids by who wrote them, where they came and what they made */
	readonly #written = new Map<string, string>();

	override append(record: FleetRecord): ReturnType<MemoryEngine["append"]> {
		const answer = super.append(record);
		if (typeof answer === "object" && "revision" in answer) {
			this.archive.set(answer.revision, record);
			this.accepted.set(record.id, record);
			this.#written.set(`${record.by} ${answer.revision} ${record.after}`, record.id);
		}
		return answer;
	}

	written(by: string, revision: number, after: string): string | undefined {
		return this.#written.get(`${by} ${revision} ${after}`);
	}

	override loseEnd(count: number): void {
		super.loseEnd(count);
		for (const revision of this.archive.keys())
			if (revision > this.last) this.archive.delete(revision);
	}
}

export interface WayOptions {
	readonly simulation: Simulation;
	readonly engine: ModelEngine;
	/** as they are at the moment */
	readonly faults: () => Faults;
	readonly isAlive: () => boolean;
	readonly die: () => void;
	readonly said: (status: MemberStatus) => void;
}

const NEVER = new Promise<never>(() => {});

/** A member's way to the engine, for one life of its process. */
export class ModelLog extends MemoryLog implements FleetLog {
	readonly #options: WayOptions;

	constructor(options: WayOptions) {
		super(options.engine, { fault: (point) => this.#fault(point) });
		this.#options = options;
	}

	override async append(record: FleetRecord, timeoutMs: number): Promise<Appended> {
		const { simulation, engine, faults } = this.#options;
		if (simulation.chance(faults().late)) {
			simulation.after(simulation.random() * 3000, () => void engine.append(record));
			return { unknown: "no answer in time" };
		}
		return super.append(record, timeoutMs);
	}

	/** Half the time it says that it is nearly full, so that logs are trimmed as early as may be. */
	override async tail(): Promise<Tail> {
		const tail = await super.tail();
		const isFull = this.#options.simulation.chance(0.5);
		return { ...tail, bytes: isFull ? tail.maxBytes : 0 };
	}

	/** Any server tells, one that is behind too. */
	override async newest(): Promise<NumberedRecord | undefined> {
		const { simulation, engine } = this.#options;
		const newest = await super.newest();
		return simulation.chance(0.2) ? engine.at(engine.last - 1 - simulation.below(3)) : newest;
	}

	override live(take: (record: NumberedRecord) => void): () => void {
		const { simulation, faults, isAlive } = this.#options;
		const deliver = (numbered: NumberedRecord) =>
			simulation.after(simulation.random() * (simulation.chance(0.1) ? 50 : 3), () => {
				if (isAlive() && !this.isCut) take(numbered);
			});
		return super.live((numbered) => {
			if (simulation.chance(faults().drop)) return;
			deliver(numbered);
			if (simulation.chance(faults().double)) deliver(numbered);
		});
	}

	override say(status: MemberStatus): void {
		if (!this.#options.isAlive()) return;
		this.#options.said(status);
		super.say(status);
	}

	isCut = false;

	override cut(why?: string): void {
		this.isCut = true;
		super.cut(why);
	}

	override restore(): void {
		this.isCut = false;
		super.restore();
	}

	async #fault(point: string): Promise<void> {
		const { simulation, faults, isAlive, die } = this.#options;
		if (!isAlive()) return NEVER;
		const { fail, lostAnswer, kill } = faults();
		if (simulation.chance(kill)) {
			die();
			return NEVER;
		}
		if (simulation.chance(point === "append answer" ? lostAnswer : fail))
			throw new LogError("unreachable", "no answer in time");
		if (simulation.chance(point === "read" ? 0.1 : 0.6))
			await simulation.pause(simulation.random() * 2);
		if (!isAlive()) return NEVER;
	}
}
