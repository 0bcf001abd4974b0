/** A fleet of one's own making: what the API asks of it is set by hand, and its queue counts revisions. */

import type { Fleet, LogEntry, OwnStatus, Spread } from "../../../src/fleet/fleet.ts";
import type { FleetError } from "../../../src/fleet/fleet-error.ts";
import { LogError, type SeenStatus } from "../../../src/fleet/log/log.ts";
import { CommitQueue } from "../../../src/store/commit-queue.ts";
import type { Database } from "../../../src/store/lmdb/database.ts";
import type { WriteOrigin, WriteQueue } from "../../../src/store/write-queue.ts";
import { status } from "../../fleet/fake-seen.ts";

const POSITION = { fleet: "prod", incarnation: "i1", head: 7, digest: "d7", level: 1 };

export class FakeFleet implements Fleet {
	revision = 7;
	own: Partial<OwnStatus> = {};
	seen: SeenStatus[] = [{ status: status("ams-1", { revision: 7 }), ageMs: 0 }];
	/** what `spread` finds, of the revision it is asked for */
	missing: readonly string[] = [];
	entries: LogEntry[] = [];
	isDown = false;
	/** the next write is refused so */
	refusesWith: FleetError | undefined;
	readonly asked: (readonly [what: string, ...of: unknown[]])[] = [];
	readonly origins: WriteOrigin[] = [];
	readonly refusal = undefined;
	#queue: WriteQueue | undefined;

	/** For `openStore`. */
	readonly queueOf = (database: Database): WriteQueue => {
		const inner = new CommitQueue(database);
		this.#queue = {
			write: async (operation, origin) => {
				this.origins.push(origin);
				if (this.refusesWith !== undefined) throw this.refusesWith;
				const value = await inner.write(operation);
				this.revision += 1;
				origin.onRevision?.(this.revision, `d${this.revision}`);
				return value;
			},
			idle: () => inner.idle(),
			hold: (refusal) => inner.hold(refusal),
			release: () => inner.release(),
			get isHeld() {
				return inner.isHeld;
			},
		};
		return this.#queue;
	};

	get queue(): WriteQueue {
		if (this.#queue === undefined) throw new Error("no store was opened with this fleet");
		return this.#queue;
	}

	status(): OwnStatus {
		return {
			member: {
				id: "m_ams-1",
				name: "ams-1",
				role: "manager",
				version: "9.9.9",
				level: 1,
				labels: {},
			},
			position: { ...POSITION, applied: this.revision },
			...{ state: "in_sync", since: "2026-11-22T08:00:00Z", why: undefined },
			connection: { isUp: true, server: "nats-1:4222", version: "2.15.1", since: "x" },
			tail: this.revision,
			lost: { records: 0, unverified: 0, files: [] },
			...this.own,
		};
	}

	async members(): Promise<readonly SeenStatus[]> {
		if (this.isDown)
			throw new LogError("unreachable", "The engine at nats-1:4222 refuses the connection.");
		return this.seen;
	}

	async forget(member: string): Promise<void> {
		this.asked.push(["forget", member]);
	}

	async reached(revision: number, timeoutMs: number): Promise<boolean> {
		this.asked.push(["reached", revision, timeoutMs]);
		return revision <= this.revision;
	}

	attend(): () => void {
		this.asked.push(["attend"]);
		return () => this.asked.push(["leave"]);
	}

	async spread(revision: number, timeoutMs: number): Promise<Spread> {
		this.asked.push(["spread", revision, timeoutMs]);
		if (this.isDown)
			throw new LogError("unreachable", "The engine at nats-1:4222 refuses the connection.");
		const { missing } = this;
		return { applied: 1000 - missing.length, of: 1000, missing };
	}

	async history(limit: number, before: number | undefined): Promise<readonly LogEntry[]> {
		this.asked.push(["history", limit, before]);
		return this.entries.filter(({ revision }) => revision < (before ?? 1e9)).slice(0, limit);
	}

	metrics(): Readonly<Record<string, number>> {
		return {};
	}

	async close(): Promise<void> {}
}
