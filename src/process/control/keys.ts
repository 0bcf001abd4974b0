/**
 * Access to the API keys of a data folder. Only one process may write them: the server that runs on the folder, asked
 * over the control socket, or this process where no server runs. Used by `keys-command.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { fleetIn, hasStore, openKeyStore, ownerOf, StoreError } from "../../store/open.ts";
import type { KeyStore, StoredKey } from "../../store/store.ts";
import { ControlClient, NoServerError } from "./client.ts";
import { LocalKeys } from "./local-keys.ts";

export interface Keys extends Pick<KeyStore, "addKey" | "revokeKey"> {
	/** oldest first */
	keys(): readonly StoredKey[] | Promise<readonly StoredKey[]>;
}

const PAUSE_MS = 50;

const REMEDY =
	"name the right folder with --data-dir or --config, or start weir serve, which makes a store and its first key";

/**
 * @param use may be called again if nobody could be asked the first time
 * @param around what is put around the store where no server runs; a server does the like itself
 * @throws StoreError also where there is no store, which only a server makes: a key in a folder that was misspelt
 *   would open nothing; and where a server runs that can't be asked: to write beside it would hold it up if this
 *   process were stopped meanwhile
 */
export async function withKeys<T>(
	folder: string,
	use: (keys: Keys) => Promise<T>,
	patienceMs: number = LIMITS.controlSocketMs,
	around: (store: KeyStore) => Keys = (store) => store,
): Promise<T> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		try {
			return await use(new ControlClient(folder));
		} catch (error) {
			if (!(error instanceof NoServerError)) throw error;
		}
		const owner = await ownerOf(folder);
		if (owner === undefined) break;
		if (Date.now() >= deadline) {
			throw new StoreError(
				`a weir that runs on ${folder} (process ${owner}) can't be asked: its control socket is not there; its log may say why`,
			);
		}
		await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
	}
	if (!hasStore(folder)) throw new StoreError(`there is no store in ${folder}; ${REMEDY}`);
	const fleet = await fleetIn(folder);
	const own = openKeyStore(folder, fleet);
	const store = fleet === undefined ? own : new LocalKeys(own, fleet);
	try {
		return await use(around(store));
	} finally {
		await store.close();
	}
}
