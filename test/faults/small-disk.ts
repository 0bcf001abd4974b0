/**
 * Small file systems of several kinds, for tests of a full disk: a tmpfs, or an image that is mounted through a loop
 * device. Only root may mount, and not everywhere; what can't be had is named in the test's title, which is skipped.
 */
import { execFileSync } from "node:child_process";
import {
	closeSync,
	fsyncSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	rmSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MIB = 1_048_576;

/** How an image of this kind is made, and the smallest that can be; none for a tmpfs. */
const KINDS = {
	tmpfs: { bytes: 8 * MIB, make: [] },
	ext4: { bytes: 16 * MIB, make: ["mkfs.ext4", "-q", "-F"] },
	// takes no space in advance
	ext2: { bytes: 16 * MIB, make: ["mkfs.ext2", "-q", "-F"] },
	xfs: { bytes: 310 * MIB, make: ["mkfs.xfs", "-q", "-f"] },
	// writes to a new place each time
	btrfs: { bytes: 256 * MIB, make: ["mkfs.btrfs", "-q"] },
} as const;

export type DiskKind = keyof typeof KINDS;
export const DISK_KINDS = Object.keys(KINDS) as DiskKind[];

export class SmallDisk {
	readonly folder: string;
	readonly #outer: string;

	/** @throws Error it can't be mounted here */
	constructor(kind: DiskKind) {
		this.#outer = mkdtempSync(join(tmpdir(), "weir-disk-"));
		this.folder = join(this.#outer, "disk");
		mkdirSync(this.folder);
		try {
			this.#mount(kind);
		} catch (error) {
			rmSync(this.#outer, { recursive: true });
			throw error;
		}
	}

	#mount(kind: DiskKind): void {
		const { bytes, make } = KINDS[kind];
		const [program, ...words] = make;
		if (program === undefined) {
			run("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "none", this.folder);
			return;
		}
		const image = join(this.#outer, "image");
		writeFileSync(image, "");
		truncateSync(image, bytes);
		run(program, ...words, image);
		run("mount", "-o", "loop", image, this.folder);
	}

	/** Until not a byte more fits. */
	fill(): void {
		const file = openSync(join(this.folder, "filler"), "w");
		for (const bytes of [MIB, 65_536, 4096, 512, 1]) {
			const chunk = Buffer.alloc(bytes, "x");
			while (writes(file, chunk));
		}
		writes(file, undefined);
		closeSync(file);
	}

	/** Room again. */
	clear(): void {
		rmSync(join(this.folder, "filler"), { force: true });
	}

	remove(): void {
		run("umount", "--lazy", this.folder);
		rmSync(this.#outer, { recursive: true, force: true });
	}
}

/** Why there can't be one here; undefined: there can. */
export function whyNoDisk(kind: DiskKind): string | undefined {
	if (process.platform !== "linux") return "is for Linux";
	try {
		new SmallDisk(kind).remove();
		return undefined;
	} catch (error) {
		return (error as Error).message.split("\n")[0] ?? "";
	}
}

const run = (program: string, ...words: readonly string[]): void => {
	execFileSync(program, words, { stdio: ["ignore", "ignore", "pipe"] });
};

/** @param chunk undefined: to the disk with what was written @returns false if there was no room */
function writes(file: number, chunk: Buffer | undefined): boolean {
	try {
		if (chunk === undefined) fsyncSync(file);
		else writeSync(file, chunk);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOSPC") return false;
		throw error;
	}
}
