/**
 * `weir upgrade` (contract 1): has the weir that runs on the data folder start the version whose command this is, which
 * takes over from it, and says what happened. Called by `main.ts`.
 */

import { LIMITS } from "../../limits/limits.ts";
import { ownerOf, StoreError } from "../../store/open.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { ControlClient, NoServerError } from "../control/client.ts";
import { withoutSocket } from "../control/socket-path.ts";
import { versionOf } from "../version.ts";
import { complain } from "./complain.ts";

/** @param main the file that this process runs @returns the exit status */
export async function upgrade(sources: ConfigSources, main: string): Promise<number> {
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const { dataDir } = loaded.value.config;
	try {
		const before = await ownerOf(dataDir);
		if (before !== undefined)
			process.stderr.write(`Starting version ${versionOf()} beside process ${before}…\n`);
		const client = new ControlClient(dataDir, 3 * LIMITS.takeoverMs);
		const { pid, version } = await client.upgrade(process.execPath, main);
		process.stdout.write(
			`Upgraded: process ${pid}, version ${version}, serves. Process ${before} finishes what it has begun, and ends.\n`,
		);
		return 0;
	} catch (error) {
		if (error instanceof NoServerError) return complain(await whyNobody(dataDir), 1);
		if (!(error instanceof StoreError)) throw error;
		return complain(["not upgraded:", ...error.message.split("\n"), await whoServes(dataDir)], 1);
	}
}

async function whyNobody(folder: string): Promise<string> {
	const owner = await ownerOf(folder).catch(() => undefined);
	return owner === undefined
		? `no weir runs on ${folder}; weir serve starts one`
		: withoutSocket(folder, owner);
}

async function whoServes(folder: string): Promise<string> {
	const owner = await ownerOf(folder).catch(() => undefined);
	return owner === undefined
		? `nobody owns the store in ${folder} at the moment; see whether weir runs`
		: `process ${owner} serves`;
}
