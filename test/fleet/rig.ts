/** A few members over one engine in memory, in virtual time, with nothing going wrong but what a test does. */
import type { MemberStatus } from "../../src/fleet/log/log.ts";
import { MemoryEngine } from "../../src/fleet/log/memory-engine.ts";
import { type Faults, MemoryLog } from "../../src/fleet/log/memory-log.ts";
import { LostRecords } from "../../src/fleet/lost-records.ts";
import { Protocol } from "../../src/fleet/protocol.ts";
import type { Writes } from "../../src/store/lmdb/database.ts";
import type { Change } from "../../src/store/store.ts";
import type { WriteOrigin } from "../../src/store/write-queue.ts";
import * as writes from "../../src/store/writes.ts";
import { edgeOf } from "../store/documents.ts";
import { KeptLost } from "./kept-lost.ts";
import { MemoryDisk, type ModelState } from "./model/memory-state.ts";
import { Simulation } from "./model/simulation.ts";

const EVENTS = 20_000;

export interface RigMember {
	readonly protocol: Protocol;
	readonly log: MemoryLog;
	readonly state: ModelState;
	readonly published: Change[][];
	readonly kept: KeptLost;
	readonly lost: LostRecords;
	readonly failures: unknown[];
}

interface MemberOptions {
	readonly role?: MemberStatus["role"];
	readonly level?: number;
	readonly faults?: Faults;
	/** it has never been in the fleet */
	readonly isNew?: boolean;
	readonly mayDiscard?: boolean;
}

export class Rig {
	readonly simulation = new Simulation(1);
	readonly engine = new MemoryEngine({ incarnation: "born.1", now: () => this.simulation.now() });

	constructor() {
		const [entries, incarnation, digest] = [[], "born.1", "0".repeat(32)];
		const at = { revision: 0, head: 0, id: "", level: 1, count: 0 };
		this.engine.snapshots.set("s-0000000000000000", { ...at, digest, incarnation, entries });
	}

	member(name: string, options: MemberOptions = {}): RigMember {
		const { simulation, engine } = this;
		const disk = new MemoryDisk(name);
		const state = disk.state({
			isAlive: () => true,
			ringRecords: 64,
			levelOf: (value) => (value.includes("newer") ? 2 : 1),
			stored: () => undefined,
		});
		if (options.isNew === true) state.leave();
		else state.begin({ fleet: "prod", incarnation: "born.1", revision: 0, level: 1 });
		const log = new MemoryLog(engine, options.faults);
		const published: Change[][] = [];
		const failures: unknown[] = [];
		const kept = new KeptLost();
		const lost = new LostRecords({
			kept,
			reported: () => undefined,
			found: () => undefined,
			failed: (error) => void failures.push(error),
		});
		const { role = "manager", level = 1, mayDiscard = false } = options;
		const protocol = new Protocol({
			fleet: "prod",
			identity: { name, version: "1.0.0", role, labels: {}, limits: "" },
			level,
			log,
			state,
			clock: simulation,
			wallNow: () => simulation.now(),
			publish: async (changes) => {
				published.push([...changes]);
				await simulation.pause(1);
			},
			told: () => {
				const status = protocol.status();
				if (status !== undefined) log.say(status);
			},
			lost,
			mayDiscard,
			failed: (error) => void failures.push(error),
		});
		protocol.start();
		return { protocol, log, state, published, kept, lost, failures };
	}

	until<T>(promise: Promise<T>): Promise<T> {
		return this.simulation.until(promise, EVENTS);
	}

	/** All of them have looked at the log. */
	async look(...members: readonly RigMember[]): Promise<void> {
		for (const { protocol } of members) await this.until(protocol.follower.look());
	}

	write<T>(
		{ protocol }: RigMember,
		operation: (on: Writes) => T,
		origin: Partial<WriteOrigin> = {},
	): Promise<T> {
		const promise = protocol.queue.write(operation, { at: "2026-01-01T00:00:00.000Z", ...origin });
		promise.catch(() => undefined);
		return promise;
	}

	/** An edge of that name. */
	put(member: RigMember, edge: string, ...hosts: string[]): Promise<unknown> {
		return this.until(this.write(member, putting(edge, ...hosts)));
	}
}

export const putting =
	(edge: string, ...hosts: string[]) =>
	(on: Writes) =>
		writes.putEdge(on, edge, edgeOf(...(hosts.length === 0 ? [`${edge}.example`] : hosts)), {});
