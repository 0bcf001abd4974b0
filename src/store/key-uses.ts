/**
 * When API keys were last used, to the minute (contract 1, "API keys"). Requests only note it in memory; one commit
 * writes the uses of a minute, so that a GET costs none. What a process that is killed had noted is lost. Used by
 * `writer.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { apiKeyKey, keyUseKey, localKeyKey } from "./layout.ts";
import type { Writes } from "./lmdb/database.ts";

type Commit = (operation: (writes: Writes) => void) => Promise<void>;

export class KeyUses {
	readonly #commit: Commit;
	/** key id to the minute of its last use that this process knows of, milliseconds since 1970 */
	readonly #last = new Map<string, number>();
	/** of those, what is not written yet */
	readonly #unwritten = new Set<string>();
	#timer: NodeJS.Timeout | undefined;

	/** @param commit may fail; it is then tried again a minute later */
	constructor(commit: Commit) {
		this.#commit = commit;
	}

	/** @param nowMs since 1970 */
	note(id: string, nowMs: number): void {
		const minute = nowMs - (nowMs % LIMITS.keyUseMs);
		if (minute <= (this.#last.get(id) ?? 0)) return;
		this.#last.set(id, minute);
		this.#unwritten.add(id);
		this.#schedule();
	}

	/** RFC 3339; undefined: not used since this process began */
	of(id: string): string | undefined {
		const minute = this.#last.get(id);
		return minute === undefined ? undefined : new Date(minute).toISOString();
	}

	/** Writes what is noted, once; also where that fails. */
	async close(): Promise<void> {
		await this.write();
		clearTimeout(this.#timer);
	}

	#schedule(): void {
		this.#timer ??= setTimeout(() => void this.write(), LIMITS.keyUseMs).unref();
	}

	/** What is noted so far; where that fails it is tried again later. */
	async write(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const ids = [...this.#unwritten];
		if (ids.length === 0) return;
		this.#unwritten.clear();
		try {
			await this.#commit((writes) => {
				for (const id of ids) this.#put(writes, id);
			});
		} catch {
			// A store that is lost or full is reported by everybody else who writes.
			for (const id of ids) this.#unwritten.add(id);
			this.#schedule();
		}
	}

	#put(writes: Writes, id: string): void {
		const used = this.of(id);
		const key = writes.get(apiKeyKey(id)) ?? writes.get(localKeyKey(id));
		if (used !== undefined && key !== undefined) writes.put(keyUseKey(id), used);
		// revoked meanwhile
		else this.#last.delete(id);
	}
}
