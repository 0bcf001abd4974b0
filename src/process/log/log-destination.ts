/**
 * What `log.destination` means for all processes alike. `/dev/stdout` and its kin are names of descriptors,
 * also behind symbolic links, as containers make them of log files; opened by name they may be a socket
 * that can't be, or wait for a reader. Used by `load-config.ts`, so found anew at each reload.
 */
import { readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** As many as the kernel follows. */
const LINKS_MAX = 40;

/** The descriptor that a path means, for this process. */
function descriptorOf(path: string): number | undefined {
	let step = path;
	for (let links = 0; links < LINKS_MAX; links++) {
		if (step === "/dev/stdout") return 1;
		if (step === "/dev/stderr") return 2;
		const match = /^\/(?:dev|proc\/self|proc\/thread-self)\/fd\/(\d+)$/.exec(step);
		if (match !== null) return Number(match[1]);
		try {
			step = resolve(dirname(step), readlinkSync(step));
		} catch {
			return undefined;
		}
	}
	return undefined;
}

/** @param path absolute @returns `stdout`, `stderr`, or a path that means the same in every process */
export function logDestination(path: string, platform = process.platform): string {
	const descriptor = descriptorOf(path);
	if (descriptor === 1) return "stdout";
	if (descriptor === 2) return "stderr";
	// Workers inherit no other, and have another file under its number.
	if (descriptor !== undefined && platform === "linux")
		return `/proc/${process.pid}/fd/${descriptor}`;
	return path;
}
