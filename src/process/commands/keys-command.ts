/**
 * `weir keys create|list|revoke` (contract 1): asks the server that runs on the data folder, and works on
 * the folder itself where none does. Called by `main.ts`.
 */
import { createApiKey } from "../../management/api-keys.ts";
import { AuditedKeys } from "../../management/audit/audited-keys.ts";
import { StoreError } from "../../store/open.ts";
import type { KeyStore } from "../../store/store.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { type Keys, withKeys } from "../control/keys.ts";
import { CommandLog } from "../log/command-log.ts";
import { unknown } from "./command-line.ts";

const ACTIONS = ["create", "list", "revoke"];

/** @returns the exit status */
export async function keys(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const [action = "", id, ...more] = words;
	if (!ACTIONS.includes(action)) return complain(unknown("keys command", action, ACTIONS), 2);
	const wanted = action === "revoke" ? 1 : 0;
	if ((id === undefined ? 0 : 1) + more.length !== wanted)
		return complain(
			wanted === 1 ? "keys revoke needs one key id" : `keys ${action} takes no id`,
			2,
		);
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error.join("\nweir: "), 2);
	const { config } = loaded.value;
	const log = new CommandLog(config);
	const audited = (store: KeyStore) => new AuditedKeys(store, log, "command");
	try {
		const use = (store: Keys) => run(store, action, id, sources);
		return await withKeys(config.dataDir, use, undefined, audited);
	} catch (error) {
		if (error instanceof StoreError) return complain(error.message, 1);
		throw error;
	} finally {
		await log.close();
	}
}

async function run(
	store: Keys,
	action: string,
	id: string | undefined,
	{ flags }: ConfigSources,
): Promise<number> {
	switch (action) {
		case "create": {
			const { description } = flags;
			const created = await createApiKey(store, typeof description === "string" ? description : "");
			process.stdout.write(`${created.id}  ${created.key}\n`);
			process.stderr.write("The key is shown this once; only its hash is kept.\n");
			return 0;
		}
		case "list":
			for (const key of await store.keys())
				process.stdout.write(`${key.id}  ${key.createdAt}  ${key.name}\n`);
			return 0;
		default:
			if (await store.revokeKey(id ?? "")) return 0;
			return complain(`there is no key "${id}"`, 1);
	}
}

function complain(sentence: string, status: number): number {
	process.stderr.write(`weir: ${sentence}\n`);
	return status;
}
