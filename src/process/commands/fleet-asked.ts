/**
 * `weir fleet status|log|level|forget|restore`: asked of the weir that runs on the data folder. Called by
 * `fleet-command.ts`.
 */
import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import { ownerOf, StoreError } from "../../store/open.ts";
import { ControlClient, NoServerError } from "../control/client.ts";
import { withoutSocket } from "../control/socket-path.ts";
import { complain } from "./complain.ts";
import {
	jsonScreen,
	levelScreen,
	logJson,
	logScreen,
	statusJson,
	statusScreen,
} from "./fleet-screens.ts";

interface Asking {
	readonly config: Pick<Config, "dataDir">;
	readonly word: string;
	readonly isJson: boolean;
	/** level: raise it */
	readonly isRaise: boolean;
	readonly limit: number;
	readonly before: number | undefined;
}

/** @returns the exit status @throws StoreError why not, in a sentence */
export async function askFleet(
	action: "status" | "log" | "level" | "forget" | "restore",
	asking: Asking,
): Promise<number> {
	const { dataDir } = asking.config;
	try {
		return await ask(action, asking, new ControlClient(dataDir, LIMITS.fleetAskMs));
	} catch (error) {
		if (!(error instanceof NoServerError)) throw error;
		const owner = await ownerOf(dataDir);
		throw new StoreError(
			owner === undefined
				? `no weir runs on ${dataDir}; start it with weir serve, and ask again`
				: withoutSocket(dataDir, owner),
		);
	}
}

async function ask(
	action: "status" | "log" | "level" | "forget" | "restore",
	{ word, isJson, isRaise, limit, before }: Asking,
	client: ControlClient,
): Promise<number> {
	const say = (text: string): number => {
		process.stdout.write(text);
		return 0;
	};
	switch (action) {
		case "status": {
			const status = await client.fleetStatus();
			say(isJson ? jsonScreen(statusJson(status)) : statusScreen(status));
			return status.own.state === "in_sync" ? 0 : 1;
		}
		case "level": {
			if (isRaise) {
				const { level, revision } = await client.fleetRaise();
				const since = revision === undefined ? "already" : `since revision ${revision}`;
				return say(`The fleet has level ${level}, ${since}.\n`);
			}
			const status = await client.fleetStatus();
			return say(isJson ? jsonScreen(statusJson(status)) : levelScreen(status));
		}
		case "log": {
			const entries = await client.fleetLog(limit, before);
			return say(isJson ? jsonScreen(logJson(entries)) : logScreen(entries));
		}
		case "forget":
			await client.fleetForget(word);
			return say(`Forgotten: ${word}. If it still runs, it comes back by itself.\n`);
		case "restore": {
			const { written, deleted, revision } = await client.fleetRestore(resolve(word));
			if (revision === undefined) return say("The fleet's state is that of the file already.\n");
			return say(
				`Restored: ${written} documents written, ${deleted} deleted, in revision ${revision} of the fleet.\n`,
			);
		}
		default:
			return complain(`fleet has no command ${String(action)}`);
	}
}
