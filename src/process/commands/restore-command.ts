/**
 * `weir restore FILE` (contract 1): puts a backup in the place of what the data folder's store holds, while no server
 * runs on it. Called by `main.ts`.
 */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { beginsLikeBackup } from "../../store/backup/format.ts";
import type { BackupFile } from "../../store/backup/read-backup.ts";
import {
	checkBackup,
	countsInWords,
	type Restored,
	restoreStore,
} from "../../store/backup/restore.ts";
import { StoreError } from "../../store/open.ts";
import { isStdin, nameOfGiven, whyUnreadable } from "../config/bounded-file.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { ControlClient } from "../control/client.ts";
import { CommandLog } from "../log/command-log.ts";
import { versionOf } from "../version.ts";
import { backupFile, writeAll } from "./backup-target.ts";
import { complain } from "./complain.ts";
import { Progress } from "./progress.ts";

/** @returns the exit status */
export async function restore(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const [path, ...more] = words;
	if (path === undefined || more.length > 0)
		return complain("restore needs one file, or - for stdin (weir restore --help)");
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const { config } = loaded.value;
	const { dataDir } = config;
	try {
		const file = await openBackup(path);
		const restored = await restoreFrom(file, dataDir, sources.flags.force === true);
		closeSync(file.descriptor);
		process.stdout.write(`${inWords(restored, dataDir, file.name)}\n`);
		await audit(restored, file.name, config);
		return 0;
	} catch (error) {
		if (error instanceof StoreError) return complain(error.message, 1);
		throw error;
	}
}

async function restoreFrom(file: BackupFile, dataDir: string, force: boolean): Promise<Restored> {
	const check = new Progress(`check of ${file.name}`);
	const sound = checkBackup(file, (done) => check.tell(done));
	// also where the store that the server has open was removed, so that its record is gone
	if (await new ControlClient(dataDir).hasServer()) {
		throw new StoreError(`a weir runs on ${dataDir}; stop it, or choose another data directory`);
	}
	let progress: Progress | undefined;
	return restoreStore(dataDir, file, sound, {
		force,
		moment: new Date().toISOString().replace(/[^0-9TZ]/g, ""),
		progress: (done) => {
			progress ??= new Progress("restore");
			progress.tell(done);
		},
		aside: (name) => {
			const target = backupFile(name);
			const keeping = new Progress("backup of what is there");
			return {
				path: name,
				writing: {
					about: { weir: versionOf(), created: new Date().toISOString() },
					write: (bytes) => target.write(bytes),
					progress: (done) => keeping.tell(done),
				},
				keep: () => target.keep(),
				drop: () => target.drop(),
			};
		},
	});
}

/** All of the store is other than it was, keys included, and no request of the API tells of it. */
async function audit(restored: Restored, name: string, config: Config): Promise<void> {
	const { header, edges, routes, policies, keys, lists } = restored;
	const log = new CommandLog(config);
	log.audit({
		via: "command",
		operation: "restore",
		data_dir: config.dataDir,
		backup: name,
		backup_created: header.created,
		restored: { edges, routes, policies, keys, ip_lists: lists },
		set_aside: restored.aside ?? null,
		result: restored.aside === undefined ? "created" : "changed",
	});
	await log.close();
}

const inWords = (restored: Restored, dataDir: string, name: string): string => {
	const { aside, header, bytes } = restored;
	const made = `made by weir ${header.weir} on ${header.created}`;
	const before = aside === undefined ? "" : `; what was there before is in ${aside}`;
	return `restored ${countsInWords(restored)} from ${name} (${bytes} bytes, ${made}) to ${dataDir}${before}`;
};

/** It is read twice, from its beginning; what can't be, such as a pipe, is put into a nameless file first. */
async function openBackup(path: string): Promise<BackupFile> {
	const name = nameOfGiven(path);
	try {
		if (!isStdin(path) && statSync(path).isFile()) return { name, descriptor: openSync(path, "r") };
		if (!isStdin(path) && statSync(path).isDirectory()) {
			throw new StoreError(`${path} is a folder; restore takes the file that backup made`);
		}
		const input = isStdin(path) ? process.stdin : createReadStream(path);
		return { name, descriptor: await spool(input) };
	} catch (error) {
		if (error instanceof StoreError) throw error;
		throw new StoreError(`${name} can't be read: ${whyUnreadable(error)}`);
	}
}

/** Enough to tell by its beginning whether it is meant to be a backup. */
const HEAD = 64;

async function spool(input: AsyncIterable<Buffer>): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), "weir-restore-"));
	const descriptor = openSync(join(folder, "backup"), "wx+", 0o600);
	rmSync(folder, { recursive: true });
	let head = "";
	for await (const bytes of input) {
		// What is no backup may be without end. The rest is judged when it is read.
		if (head.length < HEAD) head += bytes.toString("latin1", 0, HEAD);
		if (head.length >= HEAD && !beginsLikeBackup(head)) return descriptor;
		writeAll(descriptor, bytes);
	}
	return descriptor;
}
