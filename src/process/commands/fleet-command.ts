/** `weir fleet …` (docs/fleet.md): which of its commands is meant, and with what. Called by `main.ts`. */
import { FleetError } from "../../fleet/fleet-error.ts";
import { LogError } from "../../fleet/log/log.ts";
import { LIMITS } from "../../limits/limits.ts";
import { StoreError } from "../../store/open.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { complain } from "./complain.ts";
import { askFleet } from "./fleet-asked.ts";
import { chosenAction, numberOf } from "./fleet-choices.ts";
import { runStopped } from "./fleet-stopped.ts";
import { runStored } from "./fleet-stored.ts";

/** @returns the exit status */
export async function fleet(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags } = sources;
	const chosen = chosenAction(words, flags);
	if (!chosen.ok) return complain(`${chosen.error} (weir fleet --help)`);
	const limit = numberOf(flags, "limit", { least: 1, most: LIMITS.fleetLogShown, fallback: 50 });
	if (!limit.ok) return complain(limit.error);
	const most = Number.MAX_SAFE_INTEGER;
	const before = numberOf(flags, "before", { least: 1, most, fallback: 0 });
	if (!before.ok) return complain(before.error);
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const { config, apiKey, warnings } = loaded.value;
	for (const warning of warnings) process.stderr.write(`weir: ${warning}\n`);
	const { action, word } = chosen.value;
	const isJson = flags.json === true;
	const isRaise = flags.raise === true;
	try {
		switch (action) {
			case "init":
			case "join":
			case "leave":
			case "reseed":
				return await runStopped(action, { config, flags, apiKey, sources });
			case "verify":
			case "export":
				return await runStored(action, word, config.dataDir);
			default: {
				const window = { limit: limit.value, before: before.value || undefined };
				return await askFleet(action, { config, word, isJson, isRaise, ...window });
			}
		}
	} catch (error) {
		const isTold = [StoreError, FleetError, LogError].some((kind) => error instanceof kind);
		if (isTold) return complain((error as Error).message, 1);
		throw error;
	}
}
