/** A machine of the model: its disk, its workers, and its process, which may die and start again. */

import { LostRecords } from "../../../src/fleet/lost-records.ts";
import { Protocol } from "../../../src/fleet/protocol.ts";
import { KeptLost } from "../kept-lost.ts";
import { ModelLog } from "./engine.ts";
import type { Disk, Durable, ModelState } from "./memory-state.ts";
import type { World } from "./world.ts";

/** One process, from its start to its end. */
interface Life {
	isAlive: boolean;
	readonly log: ModelLog;
	readonly state: ModelState;
	readonly protocol: Protocol;
}

const RING_RECORDS = 64;

export class Machine {
	readonly name: string;
	readonly disk: Disk;
	readonly lost = new KeptLost();
	readonly #world: World;
	#life: Life | undefined;
	/** digests of the states of this life, and what its workers run */
	#digests: string[] = [];
	#workers: string | undefined;
	/** what clients of this life wait for */
	readonly broken: (() => void)[] = [];

	constructor(world: World, name: string, disk: Disk) {
		this.#world = world;
		this.name = name;
		this.disk = disk;
	}

	get life(): Life {
		if (this.#life === undefined) throw new Error(`${this.name} does not run`);
		return this.#life;
	}

	get isUp(): boolean {
		return this.#life !== undefined;
	}

	/** highest level that it understands */
	level = 2;

	start(): void {
		const world = this.#world;
		const { simulation, engine } = world;
		const isAlive = () => life.isAlive;
		const log = new ModelLog({
			simulation,
			engine,
			isAlive,
			faults: () => world.faults,
			die: () => this.kill(),
			said: (status) => world.said(this, status.revision),
		});
		const { derives, syncsLater } = world.mutant;
		const state = this.disk.state({
			isAlive,
			ringRecords: RING_RECORDS,
			levelOf: (value) => (value.includes("newer") ? 2 : 1),
			stored: (content) => this.#stored(content),
			...(derives === undefined ? {} : { derives }),
			...(syncsLater === true
				? { later: (run: () => void) => void simulation.after(simulation.random() * 20, run) }
				: {}),
		});
		this.#digests = [state.position?.digest ?? ""];
		this.#workers = this.#digests[0];
		const after = (ms: number, run: () => void) =>
			simulation.after(ms, () => {
				if (isAlive()) run();
			});
		const protocol = new Protocol({
			fleet: "model",
			identity: { name: this.name, version: "1", role: "manager", labels: {}, limits: "" },
			level: this.level,
			log,
			state,
			clock: { now: () => simulation.now(), random: () => simulation.random(), after },
			wallNow: () => simulation.now(),
			publish: async () => {
				const digest = state.position?.digest;
				if (simulation.chance(0.8)) await simulation.pause(simulation.random() * 3);
				if (isAlive()) this.#workers = digest;
			},
			told: ({ digest }) => {
				if (!isAlive()) return;
				this.#assertInForce(digest);
				this.say();
			},
			lost: new LostRecords({
				kept: this.lost,
				reported: () => undefined,
				found: () => undefined,
				failed: (error) => world.failed(error),
			}),
			mayDiscard: false,
			failed: (error) => {
				if (isAlive()) world.failed(error);
			},
		});
		const life: Life = { isAlive: true, log, state, protocol };
		this.#life = life;
		protocol.standing.onChange = () => this.say();
		world.mutant.change?.(protocol);
		protocol.start();
	}

	kill(): void {
		const { log } = this.life;
		this.life.isAlive = false;
		this.#life = undefined;
		void log.close();
		for (const tell of this.broken.splice(0)) tell();
		const { simulation } = this.#world;
		simulation.after(simulation.random() * 200, () => {
			if (!this.isUp) this.start();
		});
	}

	/** As a heartbeat does. */
	say(): void {
		const status = this.#life?.protocol.status();
		if (status !== undefined) this.#life?.log.say(status);
	}

	#stored({ contents }: Durable): void {
		this.#digests.push(contents.digest);
		const fault = contents.fault();
		if (fault !== undefined) this.#world.failed(new Error(`I2: ${fault}`));
	}

	/** Its workers run what is said to be in force, or what came later. */
	#assertInForce(digest: string): void {
		const run = this.#digests.lastIndexOf(this.#workers ?? "");
		if (run < this.#digests.indexOf(digest))
			this.#world.failed(new Error(`I5: ${this.name} says what its workers don't run yet`));
	}
}
