/**
 * A disk of its own for an engine, whose power can be cut: ext4 in a file, which is shut down without writing what it has in
 * memory, and mounted again. Needs Linux, root, loop devices, perl.
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

/** JetStream takes three quarters, and the log may have 4 GiB; what is not written takes no room */
const BYTES = 2 ** 33;
const INSIDE = "CHAOS_MOUNTS";
/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: not even the journal is written */
const SHUTDOWN =
	'sysopen(my $d, $ARGV[0], 0) or die "$!"; my $f = pack("L", 2); ioctl($d, 0x8004587d, $f) or die "$!"';

/** Goes on in mounts of its own, which end with the process, whatever becomes of it. @returns {Promise<void>} */
export const enterMounts = async () => {
	if (process.env[INSIDE] !== undefined) return;
	if (process.getuid?.() !== 0) throw new Error("cutting the power of an engine needs root");
	const words = ["--mount", "--propagation", "private", process.execPath, ...process.argv.slice(1)];
	const child = spawn("unshare", words, {
		stdio: "inherit",
		env: { ...process.env, [INSIDE]: "1" },
	});
	const code = await new Promise((resolve, reject) => {
		child.once("exit", resolve);
		child.once("error", reject);
	});
	process.exit(code ?? 1);
};

export class Disk {
	/** @param {string} folder where the file and the mount are */
	constructor(folder) {
		this.file = join(folder, "disk.img");
		this.mount = join(folder, "disk");
		mkdirSync(this.mount, { recursive: true });
		const descriptor = openSync(this.file, "w");
		ftruncateSync(descriptor, BYTES);
		closeSync(descriptor);
		execFileSync("mkfs.ext4", ["-q", this.file]);
		this.#attach();
	}

	#attach() {
		execFileSync("mount", ["-o", "loop", this.file, this.mount]);
	}

	/** As the system does by itself now and then. */
	flush() {
		execFileSync("sync", ["-f", this.mount]);
	}

	/** From now on nothing reaches it. */
	cut() {
		execFileSync("perl", ["-e", SHUTDOWN, this.mount]);
	}

	/** What uses it has ended. */
	back() {
		this.release();
		this.#attach();
	}

	/** Likewise. */
	release() {
		execFileSync("umount", [this.mount]);
	}
}
