/**
 * `weir backup FILE` (contract 1): saves the store of the data folder, while a server runs on it or none does. Called
 * by `main.ts`.
 */
import { constants, setPriority } from "node:os";
import { isatty } from "node:tty";
import { countsInWords } from "../../store/backup/restore.ts";
import { backUpStore } from "../../store/backup/write-backup.ts";
import { hasStore, StoreError } from "../../store/open.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { versionOf } from "../version.ts";
import { type BackupTarget, backupFile, backupStream } from "./backup-target.ts";
import { complain } from "./complain.ts";
import { Progress } from "./progress.ts";

const STDOUT = 1;

/** @returns the exit status */
export async function backup(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const [path, ...more] = words;
	if (path === undefined || more.length > 0)
		return complain("backup needs one file, or - for stdout (weir backup --help)");
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const { dataDir } = loaded.value.config;
	try {
		if (!hasStore(dataDir)) {
			throw new StoreError(
				`there is no store in ${dataDir}; name the right folder with --data-dir or --config`,
			);
		}
		const target = path === "-" ? backupStream(STDOUT, isatty(STDOUT)) : backupFile(path);
		const said = await save(dataDir, target, path === "-" ? "stdout" : path);
		(path === "-" ? process.stderr : process.stdout).write(`${said}\n`);
		return 0;
	} catch (error) {
		if (error instanceof StoreError) return complain(error.message, 1);
		throw error;
	}
}

async function save(dataDir: string, target: BackupTarget, name: string): Promise<string> {
	yieldToServer();
	const progress = new Progress("backup");
	try {
		const summary = await backUpStore(dataDir, {
			about: { weir: versionOf(), created: new Date().toISOString() },
			write: (bytes) => target.write(bytes),
			progress: (done) => progress.tell(done),
		});
		target.keep();
		return `saved ${countsInWords(summary)} of ${dataDir} to ${name}, ${summary.bytes} bytes`;
	} catch (error) {
		target.drop();
		throw error;
	}
}

/** Processor time that a server on the same machine wants goes to the server. */
function yieldToServer(): void {
	try {
		setPriority(constants.priority.PRIORITY_LOW);
	} catch {
		// then it goes to both
	}
}
