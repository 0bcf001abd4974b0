/**
 * `weir keys create|list|revoke` (contract 1): asks the server that runs on the data folder, and works on
 * the folder itself where none does. Called by `main.ts`.
 */
import { createApiKey, hasUsableAdmin } from "../../management/api-keys.ts";
import { AuditedKeys } from "../../management/audit/audited-keys.ts";
import { StoreError } from "../../store/open.ts";
import type { KeyStore } from "../../store/store.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { type Keys, withKeys } from "../control/keys.ts";
import { CommandLog } from "../log/command-log.ts";
import { unknown } from "./command-line.ts";
import { complain } from "./complain.ts";
import { chosenKey, KEY_ACTIONS, strayFlag, type WantedKey, wantedKey } from "./key-choices.ts";
import { keyJson, keyTable } from "./key-list.ts";

/** @returns the exit status */
export async function keys(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const [action = "", word, ...more] = words;
	if (!KEY_ACTIONS.includes(action)) return complain(unknown("keys command", action, KEY_ACTIONS));
	const wanted = action === "revoke" ? 1 : 0;
	if ((word === undefined ? 0 : 1) + more.length !== wanted)
		return complain(
			wanted === 1 ? "keys revoke needs one key id or name" : `keys ${action} takes no id`,
			2,
		);
	const { flags } = sources;
	const stray = strayFlag(action, flags);
	if (stray !== undefined) return complain(stray);
	const key = wantedKey(flags, Date.now());
	if (!key.ok) return complain(key.error);
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const { config } = loaded.value;
	const isJson = flags.json === true;
	const log = new CommandLog(config);
	const use = (store: Keys) => {
		if (action === "create") return create(store, key.value, isJson);
		return action === "list" ? list(store, isJson) : revoke(store, word ?? "");
	};
	const audited = (store: KeyStore) => new AuditedKeys(store, log, "command");
	try {
		return await withKeys(config.dataDir, use, undefined, audited);
	} catch (error) {
		if (error instanceof StoreError) return complain(error.message, 1);
		throw error;
	} finally {
		await log.close();
	}
}

async function create(store: Keys, wanted: WantedKey, isJson: boolean): Promise<number> {
	const { name, role, expiresAt, isLocal } = wanted;
	const { id, key } = await createApiKey(store, name, { role, expiresAt, isLocal });
	const json = { id, key, name, role, expires_at: expiresAt ?? null };
	process.stdout.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${id}  ${key}\n`);
	const end = expiresAt === undefined ? "It does not expire." : `It expires at ${expiresAt}.`;
	process.stderr.write(
		`The key is shown this once; only its hash is kept. Its role is ${role}. ${end}${isLocal ? " It is for this machine alone." : ""}\n`,
	);
	return 0;
}

async function list(store: Keys, isJson: boolean): Promise<number> {
	const all = await store.keys();
	process.stdout.write(
		isJson ? keyJson(all) : keyTable(all, process.stdout.isTTY === true, Date.now()),
	);
	return 0;
}

async function revoke(store: Keys, word: string): Promise<number> {
	const chosen = chosenKey(await store.keys(), word);
	if (!chosen.ok) return complain(chosen.error, 1);
	const { id, role } = chosen.value;
	// somebody else may have been quicker
	if (!(await store.revokeKey(id))) return complain(`there is no key "${id}" any more`, 1);
	process.stderr.write(`Revoked ${id}, whose role was ${role}.\n`);
	if (role === "admin" && !hasUsableAdmin(await store.keys(), Date.now()))
		process.stderr.write(
			"No admin key is left in the store. Without WEIR_API_KEY nobody can change anything through the API until weir keys create, or the next start of weir serve, makes one.\n",
		);
	return 0;
}
