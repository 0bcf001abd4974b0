/**
 * `weir fleet verify|export`: read what the store of this machine holds, while weir runs on it or none does. Called by
 * `fleet-command.ts`.
 */
import { isatty } from "node:tty";
import { encodeSnapshot } from "../../fleet/snapshot-codec.ts";
import { StoreState } from "../../fleet/store-state.ts";
import { Database } from "../../store/lmdb/database.ts";
import { hasStore, StoreError } from "../../store/open.ts";
import { backupFile, backupStream } from "./backup-target.ts";
import { complain } from "./complain.ts";

const STDOUT = 1;

/** @returns the exit status @throws StoreError why not, in a sentence */
export async function runStored(
	action: "verify" | "export",
	word: string,
	dataDir: string,
): Promise<number> {
	if (!hasStore(dataDir))
		throw new StoreError(
			`there is no store in ${dataDir}; name the right folder with --data-dir or --config`,
		);
	const database = Database.open(dataDir, { readOnly: true });
	try {
		const state = new StoreState(database);
		if (state.position === undefined)
			throw new StoreError(`the store in ${dataDir} is in no fleet`);
		return action === "verify" ? verify(state) : await save(state, word);
	} finally {
		await database.close();
	}
}

/** In one turn of the event loop, and so of one snapshot. */
function verify(state: StoreState): number {
	const { position } = state;
	const found = state.wholeDigest();
	if (position === undefined) return 1;
	const { fleet, applied, digest } = position;
	if (found === digest) {
		process.stdout.write(
			`What is stored is the state of revision ${applied} of the fleet "${fleet}": its digest is ${digest}.\n`,
		);
		return 0;
	}
	return complain(
		`the store is damaged: the state of revision ${applied} of the fleet "${fleet}" has the digest ${digest}, and what is stored has ${found}; stop weir, set the data folder aside, and start it with an empty one: it gets the fleet's state again`,
		1,
	);
}

async function save(state: StoreState, path: string): Promise<number> {
	const target = path === "-" ? backupStream(STDOUT, isatty(STDOUT)) : backupFile(path);
	try {
		const snapshot = state.snapshot();
		let bytes = 0;
		for await (const part of encodeSnapshot(snapshot)) {
			target.write(Buffer.from(part));
			bytes += part.length;
		}
		target.keep();
		const said = `Saved revision ${snapshot.revision}: ${snapshot.count} documents, ${bytes} bytes, digest ${snapshot.digest}.\n`;
		(path === "-" ? process.stderr : process.stdout).write(said);
		return 0;
	} catch (error) {
		target.drop();
		throw error;
	}
}
