/** A fleet of the model, one schedule of it: machines, clients, faults; and what they all have seen. */
import { FleetError } from "../../../src/fleet/fleet-error.ts";
import type { Protocol } from "../../../src/fleet/protocol.ts";
import type { Contents } from "./contents.ts";
import { ModelEngine } from "./engine.ts";
import { type Faults, isHonest, MODES, type Mode } from "./faults.ts";
import { Machine } from "./machine.ts";
import { type Disk, MemoryDisk, type ModelState } from "./memory-state.ts";
import { heard, type Operation, randomOperation } from "./operations.ts";
import { Simulation } from "./simulation.ts";

/** What a mutant does otherwise. */
export interface Mutant {
	readonly change?: (protocol: Protocol) => void;
	readonly derives?: boolean;
	readonly syncsLater?: boolean;
}

/** A request of a client, and its answer. */
export interface Request {
	readonly machine: Machine;
	readonly operation: Operation;
	/** last revision of the log when it was sent, and when it was answered */
	readonly from: number;
	to: number;
	/** undefined: never answered, or not told what became of it */
	answer: string | undefined;
	revision: number | undefined;
	/** of the record that holds it */
	id: string | undefined;
}

const MACHINES = 5;
const ALL_EVENTS = 200_000;

export class World {
	readonly simulation: Simulation;
	readonly engine: ModelEngine;
	readonly machines: readonly Machine[];
	readonly requests: Request[] = [];
	readonly answers = new Map<string, number>();
	readonly mode: Faults;
	readonly mutant: Mutant;
	#failure: unknown;
	#pending = 0;
	#areFaultsOn = true;
	#isLossNew = false;

	/** @param diskOf what a member keeps its state on */
	constructor(
		seed: number,
		mode: Mode,
		mutant: Mutant = {},
		diskOf: (name: string) => Disk = (name) => new MemoryDisk(name),
	) {
		this.simulation = new Simulation(seed);
		this.mode = MODES[mode];
		this.mutant = mutant;
		this.engine = new ModelEngine({
			now: () => this.simulation.now(),
			acceptsStale: () => this.simulation.chance(this.faults.stale),
		});
		this.machines = Array.from({ length: MACHINES }, (_, index) => {
			const name = `m_${index}`;
			return new Machine(this, name, diskOf(name));
		});
		const [last] = this.machines.slice(-1);
		if (this.mode.levels && last !== undefined) last.level = 1;
	}

	get faults(): Faults {
		return this.#areFaultsOn ? this.mode : MODES.calm;
	}

	get isHonest(): boolean {
		return isHonest(this.mode);
	}

	failed(error: unknown): void {
		this.#failure ??= error;
	}

	/** A member says that it has a revision. */
	said(machine: Machine, revision: number): void {
		const durable = machine.disk.content.position?.applied ?? 0;
		if (this.isHonest && durable < revision)
			this.failed(new Error(`I8: ${machine.name} says ${revision} and has ${durable} on its disk`));
	}

	async run(steps: number): Promise<void> {
		await this.#begin();
		for (let step = 0; step < steps; step++) {
			await this.#wait();
			this.#step(step);
			if (this.#isLossNew) await this.#lookAll();
		}
		this.#areFaultsOn = false;
		for (const machine of this.machines) if (machine.isUp) machine.life.log.restore();
		await this.#runUntil(() => this.#pending === 0 && this.machines.every(({ isUp }) => isUp));
		await this.#converge();
	}

	/** The empty state is what the fleet begins with. */
	async #begin(): Promise<void> {
		for (const machine of this.machines) machine.start();
		const [first] = this.machines;
		if (first === undefined) return;
		const snapshot = first.life.state.snapshot();
		this.engine.snapshots.set("s-0000000000000000", { ...snapshot, entries: [] });
	}

	#wait(): Promise<void> {
		const { simulation } = this;
		const kind = simulation.random();
		const ms = simulation.random() * (kind < 0.7 ? 3 : kind < 0.96 ? 30 : 6000);
		let isOver = false;
		simulation.after(ms, () => {
			isOver = true;
		});
		return this.#runUntil(() => isOver);
	}

	async #runUntil(isOver: () => boolean): Promise<void> {
		await this.simulation.run(() => this.#failure !== undefined || isOver(), ALL_EVENTS);
		if (this.#failure !== undefined) throw this.#failure;
	}

	#step(number: number): void {
		const { simulation } = this;
		const machine = simulation.pick(this.machines);
		const kind = simulation.random();
		if (kind < 0.6) this.#request(machine, number);
		else if (kind < 0.7) void (machine.isUp && machine.life.protocol.follower.look());
		else if (kind < 0.75) this.#background(machine, (protocol) => protocol.audit.run());
		else if (kind < 0.79) this.#background(machine, () => this.#snapshot(machine));
		else this.#fault(machine, simulation.below(5));
	}

	/** One fault of several kinds, if the mode has it. */
	#fault(machine: Machine, kind: number): void {
		const { simulation, faults, engine } = this;
		if (kind === 0 && simulation.chance(faults.cut * 20)) this.#toggle(machine);
		if (kind === 1 && simulation.chance(faults.kill * 100) && machine.isUp) machine.kill();
		if (kind === 2 && simulation.chance(faults.lose * 20)) this.#lose();
		if (kind === 3 && simulation.chance(faults.flip * 20))
			engine.alter(engine.last - simulation.below(5), () => undefined);
		if (kind === 4 && simulation.chance(faults.swap * 20))
			engine.alter(engine.last - 1, (record) => record && { ...record, id: `${record.id}*` });
	}

	/** Until all that wait have been answered, too. */
	async #lookAll(): Promise<void> {
		this.#isLossNew = false;
		for (const { life } of this.machines)
			await this.simulation.until(life.protocol.follower.look(), ALL_EVENTS);
	}

	/** Engines keep snapshots apart from the log: one of a history that is lost may stay. */
	#lose(): void {
		// What is on its way may be another history.
		if (this.mode.quietly && this.#pending > 0) return;
		this.#isLossNew = this.mode.quietly;
		const kept = [...this.engine.snapshots];
		this.engine.loseEnd(this.simulation.below(6));
		if (this.simulation.chance(0.5))
			for (const [name, snapshot] of kept) this.engine.snapshots.set(name, snapshot);
	}

	#toggle(machine: Machine): void {
		if (!machine.isUp) return;
		if (machine.life.log.isCut) machine.life.log.restore();
		else machine.life.log.cut();
	}

	async #snapshot({ life }: Machine): Promise<void> {
		const { simulation, engine, faults } = this;
		const before = this.#differsFrom(life.state);
		const known = new Set(engine.snapshots.values());
		if ((await life.protocol.snapshots?.upload()) !== true) return;
		const isNew = [...engine.snapshots.values()].some((each) => !known.has(each));
		if (isNew && before !== undefined && before === this.#differsFrom(life.state))
			this.failed(new Error(`I9: a snapshot by one who has another record at ${before}`));
		const [newest] = [...engine.snapshots.keys()].sort().reverse();
		if (newest !== undefined && simulation.chance(faults.flipSnapshot))
			engine.alterSnapshot(newest, (kept) => ({ ...kept, digest: "f".repeat(32) }));
	}

	/** First revision of a member's ring that the log has otherwise. */
	#differsFrom(state: ModelState): number | undefined {
		for (const [revision, { id }] of state.ring()) {
			const record = this.engine.at(revision)?.record;
			if (record !== undefined && id !== record.id) return revision;
		}
		return undefined;
	}

	#background(machine: Machine, work: (protocol: Protocol) => Promise<unknown>): void {
		if (!machine.isUp) return;
		machine.say();
		work(machine.life.protocol).catch((error: unknown) => {
			if (!isExpected(error)) this.failed(error);
		});
	}

	#request(machine: Machine, number: number): void {
		if (!machine.isUp) return;
		const { simulation, engine } = this;
		const known: Contents = simulation.pick(this.machines).disk.content.contents;
		const request: Request = {
			machine,
			operation: randomOperation(simulation, known, number, this.mode.levels),
			from: engine.last,
			to: Number.POSITIVE_INFINITY,
			answer: undefined,
			revision: undefined,
			id: undefined,
		};
		this.requests.push(request);
		this.#pending++;
		let isOpen = true;
		const end = (code: string) => {
			if (!isOpen) return;
			isOpen = false;
			this.#pending--;
			this.answers.set(code, (this.answers.get(code) ?? 0) + 1);
		};
		machine.broken.push(() => end("broken"));
		const { life } = machine;
		life.protocol.queue
			.write(request.operation, {
				at: "2026-01-01T00:00:00.000Z",
				onRevision: (revision, digest) => {
					request.revision = revision;
					request.id = engine.written(life.state.member, revision, digest);
				},
			})
			.then(
				(value) => {
					if (!life.isAlive) return;
					request.answer = heard(value);
					request.to = engine.last;
					this.#assertShown(request);
					end(request.answer);
				},
				(error: unknown) => {
					if (!isExpected(error)) this.failed(error);
					end(error instanceof FleetError ? error.code : "error");
				},
			);
	}

	/** Whoever was answered finds it at the same machine. */
	#assertShown({ machine, revision }: Request): void {
		if (!this.isHonest || revision === undefined) return;
		const mark = machine.life.protocol.inForce.mark?.revision ?? 0;
		if (mark < revision) this.failed(new Error(`I5: ${revision} is answered, ${mark} in force`));
	}

	/** All faults are over: a few looks at the log, and all have the same. */
	async #converge(): Promise<void> {
		const ROUNDS = 12;
		for (let round = 0; round < ROUNDS; round++) {
			for (const machine of this.machines) {
				const { protocol } = machine.life;
				const work = protocol.follower.look().then(() => {
					machine.say();
					return protocol.audit.run();
				});
				await this.simulation.until(
					work.catch((error: unknown) => {
						if (!isExpected(error)) this.failed(error);
					}),
					ALL_EVENTS,
				);
			}
			await this.#wait();
			if (this.isConverged) return;
		}
		const all = this.machines.map(({ life: { state, protocol } }) =>
			[state.position?.applied, state.position?.digest.slice(0, 6), protocol.standing.state].join(),
		);
		throw new Error(`I4: not the same on all after ${ROUNDS} rounds: ${all.join(" · ")}`);
	}

	/** Members that follow; others have said so. */
	get following(): readonly Machine[] {
		return this.machines.filter(({ life }) => life.protocol.standing.state === "in_sync");
	}

	get isConverged(): boolean {
		const told = ["in_sync", "stuck"];
		const states = this.machines.map(({ life }) => life.protocol.standing.state);
		if (!states.every((state) => told.includes(state))) return false;
		const stands = this.following.map(({ life: { state } }) => state.position);
		return (
			new Set(stands.map((at) => `${at?.digest} ${at?.applied}`)).size === 1 &&
			stands[0]?.applied === this.engine.last
		);
	}
}

const isExpected = (error: unknown): boolean =>
	error instanceof Error && ["FleetError", "LogError"].includes(error.name);
