/**
 * A store of API keys whose changes are audit lines (contract 2, "Audit"): wrapped around the server's store by
 * `process/supervisor/`, around a folder on which no server runs by `process/commands/keys-command.ts`. The keys themselves, and
 * their hashes, never get into a line.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { KeyStore, StoredKey } from "../../store/store.ts";
import type { AuditLog } from "../../telemetry/log.ts";
import { elapsedMs, shown } from "./shown.ts";

type WritableKeys = Pick<KeyStore, "addKey" | "revokeKey" | "keys" | "refresh">;

/** The way in which somebody changed a key. */
export type KeysVia = "control socket" | "command" | "start";

export class AuditedKeys implements WritableKeys {
	readonly #store: WritableKeys;
	readonly #log: AuditLog;
	readonly #via: KeysVia;

	constructor(store: WritableKeys, log: AuditLog, via: KeysVia) {
		this.#store = store;
		this.#log = log;
		this.#via = via;
	}

	refresh(): void {
		this.#store.refresh();
	}

	keys(): readonly StoredKey[] {
		return this.#store.keys();
	}

	addKey(key: StoredKey): Promise<void> {
		return this.#audited("createKey", key.id, async () => {
			await this.#store.addKey(key);
			return { result: "created", key, value: undefined };
		});
	}

	revokeKey(id: string): Promise<boolean> {
		return this.#audited("revokeKey", id, async () => {
			this.#store.refresh();
			const key = this.#store.keys().find((each) => each.id === id);
			return (await this.#store.revokeKey(id))
				? { result: "deleted", key, value: true }
				: { result: "refused", reason: "there is no such key", value: false };
		});
	}

	async #audited<T>(operation: string, id: string, change: () => Promise<Done<T>>): Promise<T> {
		const beganMs = performance.now();
		const say = ({ result, reason, key }: Omit<Done<T>, "value">) =>
			this.#log.audit({
				via: this.#via,
				operation,
				api_key: shown(id, LIMITS.auditNameCharacters),
				api_key_name: key && shown(key.name, LIMITS.auditNameCharacters),
				api_key_role: key?.role,
				api_key_expires: key?.expiresAt,
				result,
				reason,
				duration_ms: elapsedMs(beganMs),
			});
		try {
			const done = await change();
			say(done);
			return done.value;
		} catch (error) {
			say({ result: "failed", reason: error instanceof Error ? error.message : String(error) });
			throw error;
		}
	}
}

interface Done<T> {
	readonly result: "created" | "deleted" | "refused" | "failed";
	readonly reason?: string;
	readonly key?: StoredKey | undefined;
	readonly value: T;
}
