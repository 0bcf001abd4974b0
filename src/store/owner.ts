/**
 * One supervisor per store. Its process is written down inside the store itself, in a write transaction,
 * which LMDB allows one process at a time: so two that start together can't both win, and there is no
 * lock file to forget. A record whose process is gone (`kill -9`, power cut) is simply replaced.
 *
 * A process is told from a later one with the same number by when it started. Processes of another
 * machine or container that shares the folder can't be seen, so sharing it is not supported.
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
}

/** The process of the supervisor that owns the store now; undefined if none does. */
export function livingOwner(reads: Reads): number | undefined {
	const found = reads.get(OWNER_KEY);
	if (found === undefined) return undefined;
	const { pid, startedAt } = JSON.parse(found) as Owner;
	return startedAt === processStart(pid) ? pid : undefined;
}

/** @throws StoreError another supervisor that is alive owns the store */
export function claimOwnership(writes: Writes, token: string, directory: string): void {
	const owner = livingOwner(writes);
	if (owner !== undefined) {
		throw new StoreError(
			`the store in ${directory} is in use by another weir (process ${owner}); stop it, or choose another data directory`,
		);
	}
	const { pid } = process;
	writes.put(OWNER_KEY, JSON.stringify({ pid, startedAt: processStart(pid) ?? "", token }));
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
