/**
 * One supervisor per store. Its process is written down inside the store itself, in a write transaction,
 * which LMDB allows one process at a time: so two that start together can't both win, and there is no
 * lock file to forget. A record whose process is gone (`kill -9`, power cut) is simply replaced.
 *
 * A process is told from a later one with the same number by when it started. Processes of another
 * machine or container that shares the folder can't be seen, so sharing it is not supported.
 *
 * A copy of the folder has the record too, and nobody runs on the copy: the record names the data file by
 * device and inode, which a copy does not have, and which are the same by every way to one file (another
 * path, a symbolic or hard link, a bind mount).
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { OWNER_KEY } from "./layout.ts";
import type { Reads, Writes } from "./lmdb/database.ts";
import { StoreError } from "./store-error.ts";

interface Owner {
	readonly pid: number;
	readonly startedAt: string;
	/** tells several stores of one process apart */
	readonly token: string;
	/** the data file that the supervisor opened; older versions of weir have not written it */
	readonly file?: string;
}

/** A store, and which data file it is (`HeldFiles.identity`). */
interface Owned {
	readonly reads: Pick<Reads, "get">;
	readonly file: string;
}

/** The process of the supervisor that owns the store now; undefined if none does. */
export function livingOwner({ reads, file }: Owned): number | undefined {
	const found = reads.get(OWNER_KEY);
	if (found === undefined) return undefined;
	const owner = JSON.parse(found) as Owner;
	if (owner.file !== undefined && owner.file !== file) return undefined;
	return owner.startedAt === processStart(owner.pid) ? owner.pid : undefined;
}

/** @throws StoreError another supervisor that is alive owns the store */
export function claimOwnership(
	writes: Writes,
	{ token, file, directory }: { token: string; file: string; directory: string },
): void {
	const owner = livingOwner({ reads: writes, file });
	if (owner !== undefined) {
		throw new StoreError(
			`the store in ${directory} is in use by another weir (process ${owner}); stop it, or choose another data directory`,
		);
	}
	const { pid } = process;
	const startedAt = processStart(pid) ?? "";
	writes.put(OWNER_KEY, JSON.stringify({ pid, startedAt, token, file }));
}

export function releaseOwnership(writes: Writes, token: string): void {
	const found = writes.get(OWNER_KEY);
	if (found !== undefined && (JSON.parse(found) as Owner).token === token) {
		writes.remove(OWNER_KEY);
	}
}

/** Boot and time within it at which a process started; undefined if there is no such process. */
function processStart(pid: number): string | undefined {
	return process.platform === "linux" ? linuxProcessStart(pid) : otherProcessStart(pid);
}

function linuxProcessStart(pid: number): string | undefined {
	try {
		const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		// the second field is the command in parentheses and may hold anything; proc(5)
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const isZombie = fields[0] === "Z" || fields[0] === "X";
		return isZombie ? undefined : `${boot} ${fields[19]}`;
	} catch {
		return undefined;
	}
}

function otherProcessStart(pid: number): string | undefined {
	try {
		const start = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
		return start.trim() || undefined;
	} catch {
		return undefined;
	}
}
