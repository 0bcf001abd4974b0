/**
 * Whether the data path of a machine in a fleet may answer (docs/fleet.md, "Cut off"): not before it has had a state, and
 * not once it has been cut off for longer than the configuration allows. Since when, a file remembers: a restart does not
 * begin the time anew. Used by `fleet-keeper.ts`.
 */
import { closeSync, futimesSync, openSync, statSync } from "node:fs";
import type { OwnStatus } from "../../fleet/fleet.ts";
import { LIMITS } from "../../limits/limits.ts";

interface Rule {
	readonly name: string;
	/** null: however long */
	readonly refuseAfterMs: number | null;
}

export class RefusalWatch {
	/** told each change */
	tell: (refusal: string | undefined) => void = () => {};
	refusal: string | undefined;
	readonly #mark: string;
	#markedMs = 0;
	/** in sync, as far as it is known; undefined: not looked up yet */
	#syncedMs: number | undefined;
	#isClosed = false;

	/** @param mark a file whose time of change says when this machine was last in sync */
	constructor(mark: string) {
		this.#mark = mark;
	}

	look(status: OwnStatus, rule: Rule, nowMs: number): void {
		if (this.#isClosed) return;
		const next = this.#refusalOf(status, rule, nowMs);
		if (next === this.refusal) return;
		this.refusal = next;
		this.tell(next);
	}

	/** Nothing is told any more. */
	close(): void {
		this.#isClosed = true;
	}

	#refusalOf(status: OwnStatus, { name, refuseAfterMs }: Rule, nowMs: number): string | undefined {
		if (status.position === undefined)
			return `This machine has no configuration of the fleet ${name} yet${status.why === undefined ? "" : `: ${status.why}`}.`;
		if (refuseAfterMs === null) return undefined;
		if (status.connection.isUp) {
			this.#synced(nowMs);
			return undefined;
		}
		this.#syncedMs ??= timeOf(this.#mark) ?? nowMs;
		if (nowMs - this.#syncedMs <= refuseAfterMs) return undefined;
		const since = new Date(this.#syncedMs).toISOString();
		return `This machine is cut off from the fleet ${name} since ${since}, for longer than fleet.when_cut_off allows.`;
	}

	#synced(nowMs: number): void {
		this.#syncedMs = nowMs;
		if (nowMs - this.#markedMs < LIMITS.fleetSyncMarkMs) return;
		this.#markedMs = nowMs;
		try {
			const descriptor = openSync(this.#mark, "a", 0o600);
			futimesSync(descriptor, nowMs / 1000, nowMs / 1000);
			closeSync(descriptor);
		} catch {
			// A full disk is told of by those who store; then the time begins with the restart.
		}
	}
}

const timeOf = (path: string): number | undefined =>
	statSync(path, { throwIfNoEntry: false })?.mtimeMs;
