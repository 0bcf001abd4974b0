/** Whether another supervisor still lives, and its end. Used by `giver.ts` and `taker.ts`. */
import { readFileSync } from "node:fs";
import { LIMITS } from "../../limits/limits.ts";

/** One that has ended and that nobody has asked about yet (a zombie) does not live. */
export function lives(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
	} catch {
		return process.platform !== "linux";
	}
}

/** Resolves when it has ended, or can't be ended. @param patienceMs then it is killed */
export async function ended(pid: number, patienceMs: number = LIMITS.takeoverEndMs): Promise<void> {
	const deadline = performance.now() + patienceMs;
	// Of another user, or in the hands of a disk that does not answer.
	const last = deadline + LIMITS.takeoverEndMs;
	while (lives(pid) && performance.now() < last) {
		if (performance.now() >= deadline) kill(pid);
		await new Promise((resolve) => setTimeout(resolve, LIMITS.takeoverLookMs));
	}
}

function kill(pid: number): void {
	// What another one calls itself is not to be trusted with this one's life.
	if (pid === process.pid) return;
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// it has just ended
	}
}
