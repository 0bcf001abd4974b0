/**
 * `weir fleet restore`: makes the fleet's state that of an export, as a change of the log like any other, so that history
 * goes on (docs/fleet.md, "Export and restore"). Runs in the supervisor, asked over the control socket.
 */
import { createReadStream } from "node:fs";
import type { Fleet } from "../../fleet/fleet.ts";
import { FleetError } from "../../fleet/fleet-error.ts";
import type { Snapshot } from "../../fleet/log/log.ts";
import { decodeSnapshot } from "../../fleet/snapshot-codec.ts";
import { isPrimaryKey, isSound, isVersion, PRIMARY_PREFIXES, under } from "../../store/layout.ts";
import type { Writes } from "../../store/lmdb/database.ts";
import { StoreError } from "../../store/store-error.ts";
import type { FleetRestored } from "../control/fleet-protocol.ts";

/** @throws StoreError the file is no export; FleetError, LogError as for any write */
export async function restoreState(
	{ queue }: Pick<Fleet, "queue">,
	file: string,
): Promise<FleetRestored> {
	const wanted = await entriesOf(file);
	let revision: number | undefined;
	const origin = {
		at: new Date().toISOString(),
		onRevision: (held: number) => {
			revision = held;
		},
	};
	const { written, deleted } = await queue
		.write((writes) => makeSo(writes, wanted), origin)
		.catch((error: unknown) => {
			throw isTooLarge(error) ? tooDifferent(file, error) : error;
		});
	return written + deleted > 0 && revision !== undefined
		? { written, deleted, revision }
		: { written, deleted };
}

/** One record, so that no machine is ever between the two states. */
function makeSo(
	writes: Writes,
	wanted: ReadonlyMap<string, string>,
): { readonly written: number; readonly deleted: number } {
	const gone: string[] = [];
	const equal = new Set<string>();
	for (const prefix of PRIMARY_PREFIXES)
		for (const { key, value } of writes.range(under(prefix))) {
			if (wanted.get(key) === value) equal.add(key);
			else if (!wanted.has(key)) gone.push(key);
		}
	for (const key of gone) writes.remove(key);
	const put = [...wanted.keys()].filter((key) => !equal.has(key));
	for (const key of put) writes.put(key, wanted.get(key) ?? "");
	return { written: documentsIn(put), deleted: documentsIn(gone) };
}

/** Versions of policies come with these. */
const documentsIn = (keys: readonly string[]): number =>
	keys.filter((key) => !isVersion(key)).length;

const isTooLarge = (error: unknown): error is FleetError =>
	error instanceof FleetError && error.code === "ERR_BODY_TOO_LARGE";

/** It stays one record: in the middle of several, requests would meet a state that nobody wanted. */
const tooDifferent = (file: string, { message }: FleetError): StoreError =>
	new StoreError(
		`${file} differs from the fleet's state by more than one record holds: ${message} First bring back a part of its documents through the API (weir apply), then restore again, which writes what is left.`,
	);

const UNREADABLE = ["ENOENT", "EACCES", "EPERM", "EISDIR", "EIO", "ENOTDIR"];

async function entriesOf(file: string): Promise<Map<string, string>> {
	const foreign = new StoreError(`${file} is no export of weir fleet export, or is damaged`);
	let snapshot: Snapshot | undefined;
	const entries = new Map<string, string>();
	try {
		snapshot = await decodeSnapshot(createReadStream(file));
		if (snapshot === undefined) throw foreign;
		for await (const [key, value] of snapshot.entries) {
			if (!isPrimaryKey(key) || !isSound(value)) throw foreign;
			entries.set(key, value);
		}
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === undefined || !UNREADABLE.includes(code)) throw foreign;
		throw new StoreError(
			`the server can't read ${file}: ${code}; it reads the file itself, as its own user`,
		);
	}
	if (entries.size !== snapshot.count) throw foreign;
	return entries;
}
